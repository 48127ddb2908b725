// How much audit writers slow hosts down: a fleet is released repeatedly, without writers, with them, and with the same rows in a plain table.
import { existsSync, writeFileSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { Pool as HttpPool } from "undici";
import { prepare, write } from "@/bench/audit/writers";
import type { Written, WritesTo } from "@/bench/audit/writers";
import type { Plan } from "@/bench/release/plan";
import { claimReady, prepareFleet, readLogins, tokenFor, untilAssigned } from "@/bench/release/prepare-fleet";
import type { OpenInstance } from "@/bench/release/prepare-fleet";
import { nowMs, untilQuiet, untilReady } from "@/bench/release/release";
import { mark } from "@/bench/scale/database";
import type { BenchDatabase } from "@/bench/scale/database";
import { coresMs } from "@/bench/processor";
import { until } from "@/bench/program";
import type { BenchSystem } from "@/bench/system";
import { endCopies } from "@/server/db/certificates/testing/end-copies";

/** No writers; writers of audit events; writers of the same rows into a plain table. */
export type TurnKind = "none" | WritesTo;

/** All orders of a round. In all of them together each kind is as often first, second and third, and as often directly after each other kind. */
const orders = [
  ["none", "log", "plain"],
  ["plain", "none", "log"],
  ["log", "none", "plain"],
  ["plain", "log", "none"],
  ["none", "plain", "log"],
  ["log", "plain", "none"],
] as const satisfies readonly (readonly TurnKind[])[];

/** A multiple of the number of orders. There are many short rounds because a shared machine's speed changes within minutes. */
const rounds = 12;

interface Planned {
  readonly kind: TurnKind;
  /** From 0. */
  readonly round: number;
}

const turnsOf = (count: number): readonly Planned[] =>
  Array.from({ length: count }, (_, round) =>
    (orders[round % orders.length] ?? orders[0]).map((kind) => ({ kind, round })),
  ).flat();

interface Turn extends Planned {
  /** The time of each host from release to Ready divided by its transitions, in ms. */
  readonly transitionMs: readonly number[];
  /** Share of all cores that any process used meanwhile, 0 to 1. */
  readonly busy: number;
  /** Null without writers. */
  readonly written: Written | null;
}

export interface FleetTurns {
  readonly hosts: number;
  readonly perSecond: number;
  readonly turns: readonly Turn[];
  /** From the end of each reclamation to its signed certificate, in seconds, ascending. */
  readonly certificateSeconds: readonly number[];
  /** The same of reclamations that all ended at once. */
  readonly burstSeconds: readonly number[];
}

interface Scene {
  readonly pool: Pool;
  readonly database: BenchDatabase;
  readonly system: BenchSystem;
  readonly plan: Plan;
  readonly signal: AbortSignal;
}

/** Releases instances at a fixed pace. */
async function releaseAtPace(
  { system }: Scene,
  instances: readonly OpenInstance[],
  perSecond: number,
): Promise<void> {
  const http = new HttpPool(system.webUrl, { connections: 32 });
  const known = readLogins(system.demoLogins);
  const began = performance.now();
  try {
    await Promise.all(
      instances.map(async ({ id, org }, place) => {
        await sleep(Math.max(0, began + (place * 1_000) / perSecond - performance.now()));
        const { statusCode, body } = await http.request({
          method: "DELETE",
          path: `/v2/org/${org}/nico/instance/${id}`,
          headers: { authorization: `Bearer ${tokenFor(known, org)}` },
        });
        const text = await body.text();
        if (statusCode !== 202)
          throw new Error(`the release of ${id} was answered with ${statusCode}: ${text.slice(0, 300)}`);
      }),
    );
  } finally {
    await http.close();
  }
}

async function readTransitions(
  { database }: Scene,
  beganMs: number,
  hosts: number,
): Promise<readonly number[]> {
  const { rows } = await database.client.query<{ ms: number }>(
    `SELECT ${mark} (extract(epoch FROM max(at) - min(at)) * 1000 / (count(*) - 1))::float8 AS ms FROM state_history
     WHERE at >= to_timestamp($1 / 1000.0) GROUP BY host_id HAVING count(*) > 1 AND bool_or(state = 'Ready')`,
    [beganMs],
  );
  if (rows.length !== hosts) throw new Error(`no figures: ${rows.length} of ${hosts} hosts became Ready`);
  return rows.map(({ ms }) => ms);
}

async function oneTurn(
  scene: Scene,
  { kind, round }: Planned,
  instances: readonly OpenInstance[],
  perSecond: number,
): Promise<Turn> {
  const { pool, database, system, plan, signal } = scene;
  // Longer than a turn lasts. Also for turns without writers, so that all kinds begin alike.
  const prepared = prepare((3 * instances.length) / perSecond);
  await untilQuiet(system, signal);
  const over = new AbortController();
  const writing =
    kind === "none" ? null : write(pool, kind, AbortSignal.any([over.signal, signal]), prepared);
  try {
    await sleep(1_000); // until the writers have reached their pace
    const beganMs = await nowMs(database.client);
    const cores = coresMs();
    await releaseAtPace(scene, instances, perSecond);
    await untilReady(database, system, plan, instances.length, signal);
    const coresNow = coresMs();
    over.abort();
    const written = (await writing) ?? null;
    const transitionMs = await readTransitions(scene, beganMs, instances.length);
    return {
      kind,
      round,
      transitionMs,
      written,
      busy: (coresNow.busy - cores.busy) / (coresNow.all - cores.all),
    };
  } finally {
    over.abort();
    await writing?.catch(() => undefined);
  }
}

/** Waits until each ended reclamation has its certificate. Returns those of the turns that count. */
async function readCertificates(
  { database, system, signal }: Scene,
  sinceMs: number,
): Promise<readonly number[]> {
  await until("certificates of all hosts", 60_000, 250, system.programs, signal, async () => {
    const { rows } = await database.client.query<{ unsigned: number }>(
      `SELECT ${mark} ((SELECT count(*) FROM certificate_due) + (SELECT count(*) FROM certificate WHERE signed_at IS NULL))::int AS unsigned`,
    );
    const unsigned = rows[0]?.unsigned ?? 0;
    return unsigned === 0 || `${unsigned} are not signed`;
  });
  const { rows } = await database.client.query<{ seconds: number }>(
    `SELECT ${mark} extract(epoch FROM c.signed_at - r.ended_at)::float8 AS seconds
     FROM certificate c JOIN reclamation r ON r.id = c.reclamation_id WHERE c.kind = 'certificate' AND r.outcome = 'ready' AND r.ended_at > to_timestamp($1 / 1000.0) ORDER BY 1`,
    [sinceMs],
  );
  return rows.map(({ seconds }) => seconds);
}

/** As many as may end in one second. */
const burst = 150;

/** Ends copies of one reclamation, all at once, and waits for their certificates. */
async function certifyBurst(scene: Scene): Promise<readonly number[]> {
  const { client } = scene.database;
  const { rows } = await client.query<{ id: string }>(
    `SELECT ${mark} id::text FROM reclamation WHERE outcome = 'ready' ORDER BY ended_at DESC LIMIT 1`,
  );
  const sinceMs = await nowMs(client);
  await endCopies(client, rows[0]?.id ?? "", burst);
  const seconds = await readCertificates(scene, sinceMs);
  if (seconds.length !== burst) throw new Error(`${seconds.length} of ${burst} copies have a certificate`);
  return seconds;
}

/** The file by which Linux shares processor time among sessions (sched(7), autogroup). The priority of a process counts only within its session. */
const ownSession = "/proc/self/autogroup";

/**
 * Runs `work` while this process takes only the processor time that the system under test leaves: writers stand for other machines. Their sessions
 * at PostgreSQL still compete with those of the system.
 */
async function asOthers<T>(say: (words: string) => void, work: () => Promise<T>): Promise<T> {
  const before = getPriority();
  const set = (priority: number): void => {
    setPriority(priority);
    if (existsSync(ownSession)) writeFileSync(ownSession, String(priority));
  };
  try {
    set(constants.priority.PRIORITY_LOW);
  } catch {
    say("this session keeps its priority: its writers compete with the system");
  }
  try {
    return await work();
  } finally {
    try {
      set(before);
    } catch {
      say("this account may not raise its priority: what follows is measured at the lowest");
    }
  }
}

/** @param quick only one round */
export async function releaseInTurns(
  scene: Scene,
  {
    hosts,
    perSecond,
    quick,
  }: {
    readonly hosts: number;
    readonly perSecond: number;
    readonly quick: boolean;
  },
  say: (words: string) => void,
): Promise<FleetTurns> {
  const { database, system, plan, signal } = scene;
  // The first turn is a warm-up and is not counted.
  const planned: readonly Planned[] = [{ kind: "none", round: 0 }, ...turnsOf(quick ? 1 : rounds)];
  const turns: Turn[] = [];
  let sinceMs = 0;
  let instances = await prepareFleet(database.client, system, plan, hosts, signal, say);
  for (const [place, next] of planned.entries()) {
    if (place === 1) sinceMs = await nowMs(database.client);
    if (place > 0) {
      await claimReady(database.client, system, `turn-${place}`);
      instances = await untilAssigned(database.client, system, plan, hosts, signal);
    }
    say(
      `releasing ${hosts} hosts, ${perSecond} a second, writers: ${next.kind} (${place} of ${planned.length - 1})`,
    );
    const released = instances;
    const turn = await asOthers(say, () => oneTurn(scene, next, released, perSecond));
    if (place > 0) turns.push(turn);
  }
  const certificateSeconds = await readCertificates(scene, sinceMs);
  say(`ending ${burst} reclamations at once`);
  return { hosts, perSecond, turns, certificateSeconds, burstSeconds: await certifyBurst(scene) };
}
