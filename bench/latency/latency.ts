// `npm run bench -- --latency`: how soon a signal is handled while another host's BMC hangs, a thousand hosts are due later, and no sweep runs
// (docs/design/datapath.md#effects; docs/design/lifecycle.md#rules).
import { setTimeout as sleep } from "node:timers/promises";
import { createHotPool } from "@/server/db/hot/pool";
import { notifyWake, signalHosts } from "@/server/db/hot/signal";
import { mark } from "@/bench/scale/database";
import type { BenchDatabase } from "@/bench/scale/database";
import { latencySections } from "@/bench/latency/latency-report";
import {
  addRechecks,
  countLeft,
  hangBmc,
  readScene,
  readTimes,
  startClockwork,
} from "@/bench/latency/latency-scene";
import type { Scene } from "@/bench/latency/latency-scene";
import type { Section } from "@/bench/figures";
import type { Plan } from "@/bench/release/plan";
import { prepareFleet, readLogins, tokenFor } from "@/bench/release/prepare-fleet";
import type { OpenInstance } from "@/bench/release/prepare-fleet";
import { until } from "@/bench/program";
import { startSystem } from "@/bench/system";
import type { BenchSystem } from "@/bench/system";

/** A signal without effect: the acknowledgement of a network that is no longer wanted. */
const nudge = (hostId: string) => ({
  hostId,
  kind: "networkAck" as const,
  payload: { interface: "none", version: 0 },
});

interface HeldHost {
  readonly host_id: string;
  readonly serial: string;
  readonly state: string;
  readonly leased: boolean;
}

async function hostsOf(
  { client }: BenchDatabase,
  instanceIds: readonly string[],
): Promise<readonly HeldHost[]> {
  const { rows } = await client.query<HeldHost>(
    `SELECT ${mark} h.id::text AS host_id, h.serial, r.state, r.lease_owner IS NOT NULL AS leased FROM instance n JOIN host h ON h.id = n.host_id JOIN host_run r ON r.host_id = h.id WHERE n.id = ANY($1::uuid[]) ORDER BY h.name`,
    [instanceIds],
  );
  if (rows.length !== instanceIds.length)
    throw new Error(`${instanceIds.length} instances have ${rows.length} hosts`);
  return rows;
}

async function hostOf(database: BenchDatabase, instanceId: string): Promise<HeldHost> {
  const [host] = await hostsOf(database, [instanceId]);
  if (host === undefined) throw new Error(`instance ${instanceId} has no host`);
  return host;
}

/** The status of hosts with an unread signal, to help find the reason. */
async function describeLeft({ client }: BenchDatabase, hostIds: readonly string[]): Promise<string> {
  const { rows } = await client.query<{ words: string }>(
    `SELECT ${mark} r.name || ' in ' || r.state || ', due ' || coalesce(round(extract(epoch FROM r.due_at - now())::numeric, 3)::text || ' s from now', 'never') || ', lease ' || coalesce(round(extract(epoch FROM r.lease_until - now())::numeric, 3)::text || ' s', 'none')
       || ', wake ' || r.wake_seq || ', error ' || coalesce(r.last_error, 'none') || ', signals ' || string_agg(g.kind, ' ') AS words
     FROM host_run r JOIN signal g ON g.host_id = r.host_id WHERE r.host_id = ANY($1::uuid[]) GROUP BY r.host_id ORDER BY r.name LIMIT 3`,
    [hostIds],
  );
  return rows.map(({ words }) => words).join("; ") || "no signal is stored any more";
}

const bootState = "Assigned/BootingWithDiscoveryImage";

/** Hangs the BMC of one instance's host, releases the instance, and waits until its controller waits for a response. */
async function hangOne(
  database: BenchDatabase,
  system: BenchSystem,
  scene: Scene,
  { id, org }: OpenInstance,
  signal: AbortSignal,
): Promise<HeldHost> {
  const host = await hostOf(database, id);
  await hangBmc(system, host.serial, scene.hangSeconds * 1000);
  const response = await fetch(`${system.webUrl}/v2/org/${org}/nico/instance/${id}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${tokenFor(readLogins(system.demoLogins), org)}` },
  });
  if (response.status !== 202)
    throw new Error(`the release was answered with ${response.status}: ${await response.text()}`);
  await until(
    "the controller to wait for the BMC that hangs",
    30_000,
    50,
    system.programs,
    signal,
    async () => {
      const { state, leased } = await hostOf(database, id);
      return (state === bootState && leased) || `the host is in ${state}${leased ? ", leased" : ""}`;
    },
  );
  return host;
}

/** Signals at a steady rate while the BMC hangs; each round includes one for the hanging host, so that its wake-ups stay pending. */
async function sendSignals(
  database: BenchDatabase,
  system: BenchSystem,
  scene: Scene,
  others: readonly string[],
  hanging: string,
  signal: AbortSignal,
): Promise<void> {
  const pool = createHotPool(database.url, { max: 4, applicationName: "reclaim bench signals" });
  const everyMs = 1000 / scene.signalsPerSecond;
  const began = performance.now();
  try {
    for (let turn = 0; performance.now() - began < scene.hangSeconds * 1000; turn += 1) {
      signal.throwIfAborted();
      for (const program of system.programs) program.check();
      const hostId = others[turn % others.length] ?? "";
      await signalHosts(pool, turn % others.length === 0 ? [nudge(hanging), nudge(hostId)] : [nudge(hostId)]);
      await notifyWake(pool);
      const more = turn % scene.burstEvery === 0 ? scene.burst : 0;
      for (let count = 0; count < more; count += 1) {
        await sleep(scene.burstGapMs);
        await signalHosts(pool, [nudge(hostId)]);
        await notifyWake(pool);
      }
      await sleep(Math.max(0, began + (turn + 1) * everyMs - performance.now()));
    }
  } finally {
    await pool.end();
  }
}

/** Chooses the instance whose host's BMC will hang, and the other hosts in use. */
async function castOf(
  database: BenchDatabase,
  [first, ...rest]: readonly OpenInstance[],
): Promise<{ readonly first: OpenInstance; readonly others: readonly string[] }> {
  if (first === undefined) throw new Error("no host is in use");
  const others = await hostsOf(
    database,
    rest.map(({ id }) => id),
  );
  return { first, others: others.map(({ host_id: hostId }) => hostId) };
}

async function untilHandled(
  database: BenchDatabase,
  { programs }: BenchSystem,
  hostIds: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  await until("the last signals to be handled", 30_000, 100, programs, signal, async () => {
    const left = await countLeft(database.client, hostIds);
    return left === 0 || `${left} are not: ${await describeLeft(database, hostIds)}`;
  });
}

/** Waits until the host with the hanging BMC is Ready again, with all its signals read. */
async function untilRecovered(
  { client }: BenchDatabase,
  { programs }: BenchSystem,
  { host_id: hostId }: HeldHost,
  limitMs: number,
  signal: AbortSignal,
): Promise<void> {
  const what = "the host whose BMC hung to be Ready, and its wake-ups followed";
  await until(what, limitMs, 200, programs, signal, async () => {
    const { rows } = await client.query<{ state: string; unread: number }>(
      `SELECT ${mark} state, (SELECT count(*)::int FROM signal g WHERE g.host_id = r.host_id) AS unread FROM host_run r WHERE host_id = $1`,
      [hostId],
    );
    return (
      (rows[0]?.state === "Ready" && rows[0].unread === 0) ||
      `it is in ${rows[0]?.state ?? "no state"} with ${rows[0]?.unread ?? 0} signals unread`
    );
  });
}

const settingOf = (scene: Scene, others: readonly string[]): readonly string[] => [
  `Scene \`${scene.name}\` (${scene.digest}), \`bench/latency-scene.json\`: the BMC of one released host answers nothing for ${scene.hangSeconds} s, with wake-ups pending; ${scene.rechecks} hosts have rechecks in the future; no sweep.`,
  `${scene.signalsPerSecond} times a second one of ${others.length} other hosts gets a signal, every ${scene.burstEvery}. time ${scene.burst} more, ${scene.burstGapMs} ms apart. Each is stored and notified as every sender does it.`,
  "Timed by triggers with the database's clock, from the statement that stores a signal to the claim that reads it; no host was left with a signal, and the host whose BMC hung became Ready afterwards.",
];

/** Throws if the scenario was not as intended, or if a signal was left over: then there are no figures. */
export async function measureLatency(
  plan: Plan,
  database: BenchDatabase,
  signal: AbortSignal,
  say: (words: string) => void,
): Promise<{ readonly setting: readonly string[]; readonly sections: readonly Section[] }> {
  const scene = readScene();
  const { hosts } = scene;
  say(`starting simulator, controller and web for ${hosts} hosts`);
  const server = { RECLAIM_SWEEP_MS: "0" };
  const system = await startSystem({ database, plan, hosts, profiles: null, signal, server });
  try {
    const instances = await prepareFleet(database.client, system, plan, hosts, signal, say);
    const { first, others } = await castOf(database, instances);
    await addRechecks(database.client, scene.rechecks);
    await startClockwork(database.client);
    const hanging = await hangOne(database, system, scene, first, signal);
    say(`one BMC hangs; sending signals to ${others.length} other hosts for ${scene.hangSeconds} s`);
    await sendSignals(database, system, scene, others, hanging.host_id, signal);
    const after = await hostOf(database, first.id);
    if (after.state !== bootState)
      throw new Error(`no figures: the host whose BMC hangs went on to ${after.state}`);
    await untilHandled(database, system, others, signal);
    const times = await readTimes(database.client, others);
    say("the BMC is well again; its host goes on");
    await hangBmc(system, hanging.serial, null);
    await untilRecovered(database, system, hanging, plan.limits.releaseSeconds * 1000, signal);
    return { setting: settingOf(scene, others), sections: latencySections(times) };
  } finally {
    await system.stop();
  }
}
