// The Ironic client against a small server that answers as Ironic does, and the figures made from its output.
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { pinnedNode, root } from "@/scripts/folders.mjs";
import { isWithin } from "@/bench/figures";
import { clientResult } from "@/bench/ironic/ironic";
import type { ClientResult } from "@/bench/ironic/ironic";
import { ironicSections } from "@/bench/ironic/ironic-report";

interface Node {
  readonly uuid: string;
  readonly name: string;
  readonly driver: string;
  provision_state: string;
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
}

/** Pages of three nodes; a state is reached when a node is read for the second time; the first provide of each node fails because it is locked. */
class SmallIronic {
  readonly nodes = new Map<string, Node>();
  readonly asked: Call[] = [];
  readonly underWay = { now: 0, most: 0 };
  readonly locked = new Set<string>();
  ends = "available";
  #server: Server | null = null;

  async start(): Promise<string> {
    this.#server = createServer((request, response) => void this.#answer(request, response));
    // Longer than a busy machine stops the client between two requests: a connection that ends just then is no answer.
    this.#server.keepAliveTimeout = 600_000;
    await new Promise<void>((resolve) => this.#server?.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server?.address() as AddressInfo).port}`;
  }

  stop(): Promise<void> {
    return new Promise((resolve) =>
      this.#server === null ? resolve() : this.#server.close(() => resolve()),
    );
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://small");
    const method = request.method ?? "";
    this.asked.push({ method, path: url.pathname, headers: request.headers });
    this.underWay.most = Math.max(this.underWay.most, (this.underWay.now += 1));
    let text = "";
    for await (const part of request) text += String(part);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const [status, body] = this.#reply(
      method,
      url,
      text === "" ? null : JSON.parse(text),
      request.headers.host ?? "",
    );
    this.underWay.now -= 1;
    response
      .writeHead(status, { "content-type": "application/json" })
      .end(body === null ? undefined : JSON.stringify(body));
  }

  #reply(
    method: string,
    url: URL,
    body: { name?: string; driver?: string; target?: string } | null,
    host: string,
  ): readonly [number, unknown] {
    const [, , , uuid = "", last = ""] = url.pathname.split("/");
    const node = this.nodes.get(uuid);
    if (method === "POST") {
      const made: Node = {
        uuid: `u${this.nodes.size + 1}`,
        name: body?.name ?? "",
        driver: body?.driver ?? "",
        provision_state: "enroll",
      };
      this.nodes.set(made.uuid, made);
      return [201, made];
    }
    if (method === "DELETE") return this.nodes.delete(uuid) ? [204, null] : [404, null];
    if (method === "PUT" && node !== undefined && last === "states") {
      if (body?.target === "provide" && !this.locked.has(uuid)) {
        this.locked.add(uuid);
        return [409, { error_message: "locked" }];
      }
      node.provision_state = body?.target === "manage" ? "verifying" : "cleaning";
      return [202, null];
    }
    if (node !== undefined) return [200, node];
    const all = [...this.nodes.values()];
    const from = Number(url.searchParams.get("marker") ?? 0);
    const page = all.slice(from, from + 3).map((row) => ({ ...row }));
    for (const row of all.slice(from, from + 3))
      row.provision_state =
        { verifying: "manageable", cleaning: this.ends }[row.provision_state] ?? row.provision_state;
    return [
      200,
      {
        nodes: page,
        ...(from + 3 < all.length ? { next: `http://${host}/v1/nodes?marker=${from + 3}&limit=1000` } : {}),
      },
    ];
  }
}

let ironic: SmallIronic;
afterEach(() => ironic.stop());

async function client(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ readonly code: number | null; readonly said: string; readonly complained: string }> {
  ironic = new SmallIronic();
  const url = await ironic.start();
  return runAt(url, args, env);
}

function runAt(
  url: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ readonly code: number | null; readonly said: string; readonly complained: string }> {
  const child = spawn(
    pinnedNode,
    [join(root, "bench", "ironic", "ironic-client.mjs"), "--url", url, "--poll", "1", ...args],
    { env: { NODE_ENV: "test", PATH: process.env.PATH, ...env }, stdio: ["ignore", "pipe", "pipe"] },
  );
  let [said, complained] = ["", ""];
  child.stdout.on("data", (part: Buffer) => (said += part.toString("utf8")));
  child.stderr.on("data", (part: Buffer) => (complained += part.toString("utf8")));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, said, complained })));
}

describe("the client", () => {
  it("makes, manages, provides and deletes every node, over pages, with as many requests in flight as asked for", async () => {
    const { code, said, complained } = await client([
      "--hosts",
      "7",
      "--in-flight",
      "3",
      "--json",
      "--pid",
      `self=${process.pid}`,
    ]);
    expect([code, complained]).toEqual([0, ""]);
    const result = clientResult.parse(JSON.parse(said));
    expect(result.requests.map(({ name, count }) => [name, count])).toEqual([
      ["create", 7],
      ["manage", 7],
      ["provide", 7],
      ["delete", 7],
    ]);
    expect(result.locked).toBe(7);
    expect(result.phases.map(({ name, processorMs }) => [name, Object.keys(processorMs)])).toEqual(
      ["create", "manage", "provide", "delete"].map((name) => [name, ["self"]]),
    );
    expect(result.hostsPerSecond).toBeGreaterThan(0);
    expect(ironic.nodes.size).toBe(0);
    expect(ironic.underWay.most).toBe(3);
    expect(
      ironic.asked.every(
        ({ headers }) =>
          headers["x-openstack-ironic-api-version"] === "1.78" && headers.authorization === undefined,
      ),
    ).toBe(true);
  }, 180_000);

  it("signs in with what the environment says, and prints tables", async () => {
    const { code, said } = await client(["--hosts", "1", "--auth", "basic", "--driver", "redfish"], {
      IRONIC_USERNAME: "ann",
      IRONIC_PASSWORD: "secret",
    });
    expect(code).toBe(0);
    expect(said).toContain("1 nodes with driver redfish");
    expect(said).toMatch(/\| one node +\| 1 +\| 200 +\|/);
    expect(
      ironic.asked.every(
        ({ headers }) => headers.authorization === `Basic ${Buffer.from("ann:secret").toString("base64")}`,
      ),
    ).toBe(true);
  }, 180_000);

  it("gives no figures when a node fails, and removes what it made", async () => {
    ironic = new SmallIronic();
    ironic.ends = "clean failed";
    const { code, said, complained } = await runAt(await ironic.start(), ["--hosts", "2"]);
    expect([code, said]).toEqual([1, ""]);
    expect(complained).toMatch(/2 of 2 nodes are not available, such as .*clean failed/);
    expect(ironic.nodes.size).toBe(0);
  }, 180_000);

  it.each([["--hosts", "0"], ["--auth", "token"], ["--auth", "basic"], ["--pid", "12"], ["--what"]])(
    "says what is wrong with %s %s",
    async (...args) => {
      const { code, complained } = await client(args);
      expect(code).toBe(2);
      expect(complained).toContain("--in-flight N");
      expect(ironic.asked).toEqual([]);
    },
  );
});

describe("its figures", () => {
  const row = { count: 10, p50Ms: 20, p99Ms: 30 };
  const result: ClientResult = {
    hosts: 10,
    inFlight: 16,
    pollMs: 250,
    hostsPerSecond: 120,
    locked: 0,
    requests: ["create", "manage", "provide", "delete"].map((name) => ({ name, ...row })),
    lists: [
      { name: "list", nodes: 10, ...row },
      { name: "list, detailed", nodes: 10, ...row },
      { name: "one node", nodes: 1, ...row },
    ],
    phases: ["create", "manage", "provide", "delete"].map((name) => ({
      name,
      seconds: 1,
      processorMs: { web: 20, controller: 30, database: 40 },
    })),
  };
  const figure = (changes: Partial<ClientResult>, section: number, name: string) =>
    ironicSections(
      { ...result, ...changes },
      { statements: null, transactions: 20, walBytes: 10_240, evidenceBytes: 0, detailBytes: 0 },
    )[section]?.figures.find((each) => each.name === name);

  it("are per host, and held against the issue's targets", () => {
    const rate = figure({}, 0, "first provide to last available");
    expect([rate?.value, rate !== undefined && isWithin(rate)]).toEqual([120, true]);
    const reads = ["list, p50", "list, detailed, p50", "one node, p50"].map((name) => figure({}, 1, name));
    expect(reads.map((read) => read !== undefined && isWithin(read))).toEqual([true, true, false]);
    const sum = figure({}, 2, "web + controller + database");
    expect([sum?.value, sum !== undefined && isWithin(sum)]).toEqual([9, true]);
    expect(figure({}, 3, "web + controller + database")?.value).toBe(36);
    expect(figure({}, 4, "WAL")?.value).toBe(1);
  });

  it("are none where a process cannot be seen", () => {
    const phases = result.phases.map((phase) => ({ ...phase, processorMs: { web: 20, controller: 30 } }));
    expect([
      figure({ phases }, 2, "database")?.value,
      figure({ phases }, 2, "web + controller + database")?.value,
    ]).toEqual([null, null]);
  });
});
