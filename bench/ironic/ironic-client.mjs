#!/usr/bin/env node
// Times any Ironic API, ours or a real one: creates, manages, provides, lists and deletes nodes. It needs only Node, so that it can be copied to where
// Ironic runs.
import { readdirSync, readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

const usage = `ironic-client.mjs --url http://127.0.0.1:6385 [options]

  --hosts N          nodes to make (1000)
  --in-flight N      requests under way at the same time (16)
  --driver NAME      driver of the nodes (fake-hardware)
  --auth none|basic  with basic: user and password from IRONIC_USERNAME and IRONIC_PASSWORD (none)
  --api-version V    X-OpenStack-Ironic-API-Version (1.78)
  --pid NAME=PID     also tell the processor time of this process and its children; may be repeated; Linux only
  --poll MS          between two looks at the nodes while they are waited for (250)
  --limit S          longest wait for all nodes to get to one state (600)
  --keep             leave the nodes where they are in the end
  --json             JSON instead of tables`;

/** A usage error by the caller. */
class UsageError extends Error {}

/** @param {string} name @param {string} text @param {number} most */
function whole(name, text, most) {
  if (!/^\d+$/.test(text) || Number(text) < 1 || Number(text) > most)
    throw new UsageError(`--${name} must be a whole number from 1 to ${most}, not "${text}"`);
  return Number(text);
}

/** @param {string[]} args */
function readOptions(args) {
  const text = (/** @type {string} */ fallback) =>
    /** @type {const} */ ({ type: "string", default: fallback });
  const { values } = parseArgs({
    args,
    allowPositionals: false,
    options: {
      url: { type: "string" },
      hosts: text("1000"),
      "in-flight": text("16"),
      driver: text("fake-hardware"),
      auth: text("none"),
      "api-version": text("1.78"),
      pid: { type: "string", multiple: true, default: [] },
      poll: text("250"),
      limit: text("600"),
      keep: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.url === undefined && !values.help) throw new UsageError("--url is required");
  if (values.auth !== "none" && values.auth !== "basic") throw new UsageError("--auth must be none or basic");
  const { IRONIC_USERNAME: user, IRONIC_PASSWORD: password } = process.env;
  if (values.auth === "basic" && (!user || !password))
    throw new UsageError("--auth basic needs IRONIC_USERNAME and IRONIC_PASSWORD");
  const pids = values.pid.map((pair) => {
    const [, name, pid] = /^([\w-]+)=(\d+)$/.exec(pair) ?? [];
    if (name === undefined) throw new UsageError(`--pid must be NAME=PID, not "${pair}"`);
    return { name, pid: Number(pid) };
  });
  return {
    help: values.help,
    json: values.json,
    keep: values.keep,
    url: (values.url ?? "").replace(/\/+$/, ""),
    driver: values.driver,
    apiVersion: values["api-version"],
    pids,
    hosts: whole("hosts", values.hosts, 100_000),
    inFlight: whole("in-flight", values["in-flight"], 1_000),
    pollMs: whole("poll", values.poll, 60_000),
    limitMs: whole("limit", values.limit, 86_400) * 1_000,
    authorization:
      values.auth === "basic" ? `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` : null,
  };
}
/** @typedef {ReturnType<typeof readOptions>} Options */

/** Processor time in ms so far of a process and all its descendants, including those that have ended. @param {number} root */
function processorMs(root) {
  /** @type {Map<number, { parent: number, ticks: number }>} */
  const all = new Map();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const text = readFileSync(`/proc/${name}/stat`, "utf8");
      const fields = text
        .slice(text.lastIndexOf(")") + 2)
        .split(" ")
        .map(Number);
      all.set(Number(name), {
        parent: fields[1] ?? 0,
        ticks: (fields[11] ?? 0) + (fields[12] ?? 0) + (fields[13] ?? 0) + (fields[14] ?? 0),
      });
    } catch {
      /* it has ended in the meantime */
    }
  }
  if (!all.has(root)) throw new Error(`there is no process ${root}`);
  const within = (/** @type {number} */ pid) => {
    for (let at = pid; at > 1; at = all.get(at)?.parent ?? 0) if (at === root) return true;
    return false;
  };
  return [...all].filter(([pid]) => within(pid)).reduce((sum, [, { ticks }]) => sum + ticks, 0) * 10; // hundredths of a second
}

/** @param {readonly number[]} values */
function quantiles(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (/** @type {number} */ share) =>
    sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
  return { count: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99) };
}

/**
 * Calls `work` for each item, with at most `width` concurrent calls.
 * @template T @param {readonly T[]} items @param {number} width @param {(item: T) => Promise<unknown>} work
 */
async function atOnce(items, width, work) {
  const left = [...items];
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next);
    }),
  );
}

const triesWhenLocked = 10;

class Ironic {
  /** Durations of accepted requests, by verb. @type {Map<string, number[]>} */
  times = new Map();
  locked = 0;

  /** @param {Options} options */
  constructor(options) {
    this.options = options;
    this.transport = options.url.startsWith("https:") ? https : http;
    this.agent = new this.transport.Agent({ keepAlive: true, maxSockets: options.inFlight });
  }

  /** @param {string} method @param {string} path @param {unknown} [body] @returns {Promise<{ status: number, text: string, ms: number }>} */
  send(method, path, body) {
    const { url, apiVersion, authorization } = this.options;
    const payload = body === undefined ? null : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const began = performance.now();
      const request = this.transport.request(
        `${url}${path}`,
        {
          method,
          agent: this.agent,
          timeout: 60_000,
          headers: {
            accept: "application/json",
            "x-openstack-ironic-api-version": apiVersion,
            ...(authorization === null ? {} : { authorization }),
            ...(payload === null
              ? {}
              : { "content-type": "application/json", "content-length": Buffer.byteLength(payload) }),
          },
        },
        (response) => {
          /** @type {Buffer[]} */
          const parts = [];
          response.on("data", (part) => parts.push(part));
          response.on("error", reject);
          response.on("end", () =>
            resolve({
              status: response.statusCode ?? 0,
              text: Buffer.concat(parts).toString("utf8"),
              ms: performance.now() - began,
            }),
          );
        },
      );
      request.on("timeout", () =>
        request.destroy(new Error(`${method} ${path} was not answered within 60 s`)),
      );
      request.on("error", reject);
      request.end(payload ?? undefined);
    });
  }

  /**
   * One request, timed under `verb`. A locked node (409) is retried, as Ironic's own client does.
   * @param {string} verb @param {string} method @param {string} path @param {unknown} [body]
   */
  async ask(verb, method, path, body) {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.send(method, path, body);
      if (answer.status === 409 && attempt < triesWhenLocked) {
        this.locked += 1;
        await sleep(1_000);
        continue;
      }
      if (answer.status < 200 || answer.status > 299)
        throw new Error(`${method} ${path} was answered with ${answer.status}: ${answer.text.slice(0, 500)}`);
      const times = this.times.get(verb);
      if (times === undefined) this.times.set(verb, [answer.ms]);
      else times.push(answer.ms);
      return answer;
    }
  }

  /** The state of every node on the server, by UUID. */
  async states() {
    /** @type {Map<string, string>} */
    const found = new Map();
    let path = "/v1/nodes?fields=uuid,provision_state&limit=1000";
    for (;;) {
      const page = JSON.parse((await this.ask("poll (list of states)", "GET", path)).text);
      for (const node of page.nodes) found.set(node.uuid, node.provision_state);
      if (page.next === undefined) return found;
      const next = new URL(page.next);
      path = next.pathname + next.search;
    }
  }

  /** Waits until all these nodes are in the state. @param {readonly string[]} uuids @param {string} wanted */
  async until(uuids, wanted) {
    const end = performance.now() + this.options.limitMs;
    for (;;) {
      const states = await this.states();
      const others = uuids.filter((uuid) => states.get(uuid) !== wanted);
      if (others.length === 0) return;
      const failed = others.find((uuid) => / failed$|^error$/.test(states.get(uuid) ?? ""));
      const example = failed ?? (performance.now() > end ? others[0] : undefined);
      if (example !== undefined)
        throw new Error(
          `${others.length} of ${uuids.length} nodes are not ${wanted}, such as ${(await this.send("GET", `/v1/nodes/${example}?fields=uuid,provision_state,last_error`)).text}`,
        );
      await sleep(this.options.pollMs);
    }
  }
}

/** @param {Ironic} ironic @param {string} verb @param {string} path @param {number} times */
async function timeGets(ironic, verb, path, times) {
  let nodes = 1;
  for (let count = 0; count < times; count += 1)
    nodes = JSON.parse((await ironic.ask(verb, "GET", path)).text).nodes?.length ?? 1;
  return { name: verb, nodes, ...quantiles(ironic.times.get(verb) ?? []) };
}

/** @typedef {{ name: string, seconds: number, processorMs: Record<string, number> }} Phase */

/** Times one phase, with the processor time that the named processes used in it. @param {string} name @param {Options["pids"]} pids @param {() => Promise<void>} work @returns {Promise<Phase>} */
async function timePhase(name, pids, work) {
  const used = () => pids.map(({ name: process, pid }) => /** @type {const} */ ([process, processorMs(pid)]));
  const before = new Map(used());
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1_000;
  const grown = used().map(([process, ms]) => [process, ms - (before.get(process) ?? 0)]);
  return { name, seconds, processorMs: Object.fromEntries(grown) };
}

/** Creates the nodes; each is added to `uuids` as soon as it exists. @param {Ironic} ironic @param {string[]} uuids */
async function create(ironic, uuids) {
  const { hosts, inFlight, driver } = ironic.options;
  const label = `bench-${Date.now().toString(36)}`;
  const names = Array.from({ length: hosts }, (_, index) => `${label}-${index + 1}`);
  await atOnce(names, inFlight, async (name) => {
    uuids.push(JSON.parse((await ironic.ask("create", "POST", "/v1/nodes", { name, driver })).text).uuid);
  });
}

/**
 * Sends a provisioning verb to all nodes, and waits until they have reached its state.
 * @param {Ironic} ironic @param {readonly string[]} uuids @param {string} target @param {string} wanted
 */
async function provision(ironic, uuids, target, wanted) {
  await atOnce(uuids, ironic.options.inFlight, (uuid) =>
    ironic.ask(target, "PUT", `/v1/nodes/${uuid}/states/provision`, { target }),
  );
  await ironic.until(uuids, wanted);
}

/** The whole run. Throws on any response but success, after removing the created nodes as far as possible. @param {Options} options */
async function run(options) {
  const ironic = new Ironic(options);
  /** @type {string[]} */
  const uuids = [];
  try {
    return await timeAll(ironic, uuids);
  } finally {
    await atOnce(uuids, options.inFlight, (uuid) =>
      ironic.send("DELETE", `/v1/nodes/${uuid}`).catch(() => undefined),
    );
    ironic.agent.destroy();
  }
}

/** All phases in order. What remains in `uuids` must be removed by the caller. @param {Ironic} ironic @param {string[]} uuids */
async function timeAll(ironic, uuids) {
  const { url, driver, hosts, inFlight, pids, pollMs, keep } = ironic.options;
  const provide = () => provision(ironic, uuids, "provide", "available");
  const phases = [
    await timePhase("create", pids, () => create(ironic, uuids)),
    await timePhase("manage", pids, () => provision(ironic, uuids, "manage", "manageable")),
    await timePhase("provide", pids, provide),
  ];
  const provided = phases.at(-1)?.seconds ?? NaN;
  const lists = [
    await timeGets(ironic, "list", "/v1/nodes?limit=1000", 20),
    await timeGets(ironic, "list, detailed", "/v1/nodes/detail?limit=1000", 10),
    await timeGets(ironic, "one node", `/v1/nodes/${uuids[0]}`, 200),
  ];
  if (!keep) {
    const remove = () =>
      atOnce(uuids, inFlight, (uuid) => ironic.ask("delete", "DELETE", `/v1/nodes/${uuid}`));
    phases.push(await timePhase("delete", pids, remove));
  }
  uuids.length = 0;
  const requests = phases.map(({ name }) => ({ name, ...quantiles(ironic.times.get(name) ?? []) }));
  const { locked } = ironic;
  return {
    url,
    driver,
    hosts,
    inFlight,
    pollMs,
    hostsPerSecond: hosts / provided,
    locked,
    requests,
    lists,
    phases,
  };
}

/** @param {Awaited<ReturnType<typeof run>>} result */
function text(result) {
  const table = (
    /** @type {readonly string[]} */ header,
    /** @type {readonly (readonly (string | number | null)[])[]} */ rows,
  ) => {
    const cells = [
      header,
      ...rows.map((row) =>
        row.map((cell) => (typeof cell === "number" ? String(Number(cell.toPrecision(3))) : (cell ?? "–"))),
      ),
    ];
    const widths = header.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? "").length)));
    const line = (/** @type {readonly string[]} */ row) =>
      `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
    return [
      line(header),
      `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`,
      ...cells.slice(1).map(line),
    ].join("\n");
  };
  const processes = Object.keys(result.phases[0]?.processorMs ?? {});
  return [
    `${result.hosts} nodes with driver ${result.driver} at ${result.url}, ${result.inFlight} requests in flight.`,
    `From the first provide to the last node available: ${result.hostsPerSecond.toPrecision(3)} hosts/s, seen by a list every ${result.pollMs} ms. Requests repeated because a node was locked: ${result.locked}.`,
    "",
    table(
      ["accepted request", "requests", "p50 ms", "p99 ms"],
      result.requests.map((row) => [row.name, row.count, row.p50Ms, row.p99Ms]),
    ),
    "",
    table(
      ["read", "nodes", "requests", "p50 ms", "p99 ms"],
      result.lists.map((row) => [row.name, row.nodes, row.count, row.p50Ms, row.p99Ms]),
    ),
    "",
    table(
      ["phase", "seconds", ...processes.map((name) => `${name}, ms per node`)],
      result.phases.map((row) => [
        row.name,
        row.seconds,
        ...processes.map((name) => (row.processorMs[name] ?? NaN) / result.hosts),
      ]),
    ),
  ].join("\n");
}

if (process.argv[1] === import.meta.filename) {
  try {
    const options = readOptions(process.argv.slice(2));
    if (options.help) console.log(usage);
    else {
      const result = await run(options);
      console.log(options.json ? JSON.stringify(result, null, 2) : text(result));
    }
  } catch (error) {
    const wrong =
      error instanceof UsageError ||
      (error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS"));
    console.error(error instanceof Error ? error.message : String(error));
    if (wrong) console.error(`\n${usage}`);
    process.exitCode = wrong ? 2 : 1;
  }
}
