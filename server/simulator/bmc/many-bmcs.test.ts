// Many BMCs of all kinds at once, each asked more than it takes at a time: at most two requests reach one, a refused password is sent once, and no session stays.
import {
  createServer,
  request as send,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import type { BmcTarget } from "@/server/hardware/interfaces";
import { RedfishClient } from "@/server/hardware/redfish/client/client";
import { typeOf } from "@/server/hardware/redfish/testing/setup";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";
import { startFleet, type TestFleet } from "@/server/simulator/testing/fleet";

/** What one BMC saw. */
interface Seen {
  now: number;
  /** The most requests at a time. */
  most: number;
  /** Sign-ins that it refused for their password: some BMCs lock an account after three. */
  refused: number;
  signIns: number;
}

/** Passes requests on to the fleet, and counts them by BMC. */
class Counter {
  readonly seen = new Map<string, Seen>();
  readonly #server: Server;

  constructor(fleetPort: number) {
    this.#server = createServer((request, response) => this.#pass(request, response, fleetPort));
    // Neither side closes a connection on which a request may be under way: what is lost must be the client's doing.
    this.#server.keepAliveTimeout = 0;
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  at(host: SimulatedHost): Seen {
    const name = nameOf(host);
    const seen = this.seen.get(name) ?? { now: 0, most: 0, refused: 0, signIns: 0 };
    this.seen.set(name, seen);
    return seen;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #pass(request: IncomingMessage, response: ServerResponse, fleetPort: number): void {
    const name = (request.headers.host ?? "").replace(/:\d+$/, "").toLowerCase();
    const seen = this.seen.get(name);
    if (seen === undefined) return void response.writeHead(404).end();
    seen.now += 1;
    seen.most = Math.max(seen.most, seen.now);
    response.once("close", () => (seen.now -= 1));
    const isSignIn = request.method === "POST" && /\/Sessions\/?$/.test(request.url ?? "");
    const further = send(
      {
        ...{ host: "127.0.0.1", port: fleetPort, method: request.method, path: request.url },
        headers: { ...request.headers, host: `${name}:${fleetPort}` },
        agent: false,
      },
      (answer) => {
        if (isSignIn) seen.signIns += 1;
        if (answer.statusCode === 401 && (isSignIn || request.headers.authorization !== undefined))
          seen.refused += 1;
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      },
    );
    further.on("error", () => response.destroy());
    request.pipe(further);
  }
}

const nameOf = ({ blueprint }: SimulatedHost): string => `bmc-${blueprint.serial.toLowerCase()}.localhost`;
const types = { dell: "idrac", lenovo: "xclarity", generic: "redfish" } as const;

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const rootSchema = z.looseObject({
  Links: z.looseObject({ Sessions: z.object({ "@odata.id": z.string() }) }),
});
const sessionsSchema = z.looseObject({ Members: z.array(z.unknown()) });

async function sessionsAt(fleet: TestFleet, host: SimulatedHost): Promise<number> {
  const root = rootSchema.parse(JSON.parse((await fleet.redfish(host, "GET", "/redfish/v1")).text));
  const { text } = await fleet.redfish(host, "GET", root.Links.Sessions["@odata.id"]);
  return sessionsSchema.parse(JSON.parse(text)).Members.length;
}

/** More calls at a time than a BMC takes requests; every fifth BMC loses its sessions in the middle, and every third is also called with another password. */
async function work(client: RedfishClient, host: SimulatedHost, port: number, at: number): Promise<void> {
  const type = typeOf(client, types[host.blueprint.vendor]);
  const target = (password: string): BmcTarget => ({
    ...{
      hostId: host.blueprint.serial,
      address: `http://${nameOf(host)}:${port}`,
      username: "reclaim",
      password,
    },
    ...{ links: null, powerState: null },
  });
  const within = { timeoutMs: 900_000 };
  const right = target("of-all-bmcs");
  const discovered = await type.inventory.discover(right, within);
  if (!discovered.ok) throw new Error(discovered.error.message);
  const known = { ...right, links: discovered.value.links };
  if (at % 5 === 0) host.script({ bmc: { mode: "loseSession", requests: 1 } });
  const [inventory, ...others] = await Promise.all([
    type.inventory.collect(known, within),
    type.inventory.storage(known, within, null),
    type.power.read(known, within),
    type.power.read(known, within),
    ...(at % 3 === 0
      ? [1, 2, 3].map(() => type.power.read({ ...target("wrong"), links: known.links }, within))
      : []),
  ]);
  if (!inventory.ok) throw new Error(inventory.error.message);
  expect(others.map(({ ok }) => ok)).toEqual([
    true,
    true,
    true,
    ...(at % 3 === 0 ? [false, false, false] : []),
  ]);
}

async function many(count: number): Promise<void> {
  const fleet = await startFleet({ hosts: count, seed: 11 });
  endings.push(() => fleet.close());
  const counter = new Counter(fleet.simulator.port);
  const port = await counter.listen();
  endings.push(() => counter.close());
  // Hundreds of BMCs and their client share this process, so how long one answer takes says nothing.
  const slowMs = 900_000;
  const limits = {
    readTimeoutMs: slowMs,
    sessionTimeoutMs: slowMs,
    connectTimeoutMs: slowMs,
    farewellTimeoutMs: slowMs,
  };
  const client = new RedfishClient({ networks: ["loopback"], limits });
  endings.push(() => client.close());
  const { hosts } = fleet.simulator;
  expect(new Set(hosts.map(({ blueprint }) => blueprint.model)).size).toBeGreaterThanOrEqual(3);
  for (const host of hosts) counter.at(host);
  await Promise.all(hosts.map((host, at) => work(client, host, port, at)));
  await client.endSessions(new Set(hosts.map(({ blueprint }) => blueprint.serial)));
  for (const [at, host] of hosts.entries()) {
    const { now, most, refused, signIns } = counter.at(host);
    const what = `${host.blueprint.vendor} ${host.blueprint.serial}`;
    expect(now, what).toBe(0);
    expect(most, what).toBeLessThanOrEqual(2);
    expect(signIns, what).toBeGreaterThan(0);
    // The one refusal of the other password, and what a lost session answers.
    expect(refused, what).toBeLessThanOrEqual(at % 3 === 0 ? 1 : 0);
    expect(await sessionsAt(fleet, host), what).toBe(0);
  }
  // Two did run at a time, so the limit was reached.
  expect(Math.max(...[...counter.seen.values()].map(({ most }) => most))).toBe(2);
}

it(
  "leaves no session, asks two things at a time, and locks no account at 15 BMCs",
  { timeout: 120_000 },
  () => many(15),
);

it("does so at 300 BMCs", { tags: "all", timeout: 1_200_000 }, () => many(300));
