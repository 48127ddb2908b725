// The measurement itself: all instances are released at once over HTTP, until every host is Ready and the system is quiet again.
import type { Client } from "pg";
import { Pool } from "undici";
import { z } from "zod";
import { assertComplete, readRecords } from "@/bench/release/completeness";
import { countsBetween, mark, readCounts, resetStatementCosts, statementCosts } from "@/bench/scale/database";
import type { BenchDatabase, DatabaseCounts, StatementCost } from "@/bench/scale/database";
import { readFleetCounters } from "@/bench/release/fleet-counters";
import type { FleetCounters } from "@/bench/release/fleet-counters";
import { between, histogram, parseMetrics } from "@/bench/release/metrics-text";
import type { Histogram, Sample } from "@/bench/release/metrics-text";
import type { Plan } from "@/bench/release/plan";
import { tokenFor } from "@/bench/release/prepare-fleet";
import type { Logins, OpenInstance } from "@/bench/release/prepare-fleet";
import { processMs, processTreeMs } from "@/bench/processor";
import { until } from "@/bench/program";
import type { BenchSystem } from "@/bench/system";

interface Snapshot {
  readonly processor: {
    readonly web: number;
    readonly controller: number;
    readonly simulator: number;
    readonly database: number | null;
  };
  readonly counts: DatabaseCounts;
  readonly fleet: FleetCounters;
  readonly metrics: readonly Sample[];
  readonly versions: { readonly transitions: number; readonly generations: number; readonly audit: number };
}

const versionsRow = z.object({
  transitions: z.coerce.number(),
  generations: z.coerce.number(),
  audit: z.coerce.number(),
});

async function snapshot(database: BenchDatabase, system: BenchSystem): Promise<Snapshot> {
  const { rows } = await database.client.query(
    `SELECT ${mark} sum(state_version) AS transitions, sum(generation) AS generations, (SELECT count(*) FROM audit_event) AS audit FROM host_run`,
  );
  const response = await fetch(`${system.controllerUrl}/metrics`);
  if (!response.ok || system.simulator === null)
    throw new Error(`the controller's metrics answer ${response.status}`);
  return {
    versions: versionsRow.parse(rows[0]),
    metrics: parseMetrics(await response.text()),
    fleet: await readFleetCounters(system),
    counts: await readCounts(database),
    processor: {
      web: processMs(system.web.pid),
      controller: processMs(system.controller.pid),
      simulator: processMs(system.simulator.pid),
      database: database.postmaster === null ? null : processTreeMs(database.postmaster),
    },
  };
}

export interface Measured {
  readonly hosts: number;
  /** From before the first release was sent until the last host entered Ready, by the database's clock. */
  readonly seconds: number;
  readonly processorMs: Snapshot["processor"];
  readonly database: DatabaseCounts;
  readonly fleet: FleetCounters;
  readonly transitions: number;
  readonly commits: number;
  readonly auditEvents: number;
  /** From a host becoming due to the claim that read it, in seconds. */
  readonly signalToHandler: Histogram;
  /** Response times of the release requests, in ms, ascending. */
  readonly releaseMs: readonly number[];
  readonly costs: readonly StatementCost[];
  /** Mean ms that a host spent in each state, in order. */
  readonly statesMs: readonly { readonly state: string; readonly ms: number; readonly hosts: number }[];
}

const stateRow = z.object({ state: z.string(), ms: z.number(), hosts: z.coerce.number() });

/** From the released hosts' history since the release began. */
async function readStates(client: Client, beganMs: number): Promise<Measured["statesMs"]> {
  const { rows } = await client.query(
    `SELECT ${mark} state, avg(ms)::float8 AS ms, count(DISTINCT host_id) AS hosts FROM (
       SELECT host_id, version, state, at, extract(epoch FROM lead(at) OVER (PARTITION BY host_id ORDER BY version) - at) * 1000 AS ms FROM state_history) h
     WHERE at >= to_timestamp($1 / 1000.0) AND ms IS NOT NULL GROUP BY state ORDER BY min(version)`,
    [beganMs],
  );
  return z.array(stateRow).parse(rows);
}

async function releaseAll(
  system: BenchSystem,
  plan: Plan,
  known: Logins,
  instances: readonly OpenInstance[],
): Promise<readonly number[]> {
  const pool = new Pool(system.webUrl, { connections: plan.releaseConnections });
  try {
    const times = await Promise.all(
      instances.map(async ({ id, org }) => {
        const began = performance.now();
        const response = await pool.request({
          method: "DELETE",
          path: `/v2/org/${org}/nico/instance/${id}`,
          headers: { authorization: `Bearer ${tokenFor(known, org)}` },
        });
        const text = await response.body.text();
        if (response.statusCode !== 202)
          throw new Error(
            `the release of ${id} was answered with ${response.statusCode}: ${text.slice(0, 300)}`,
          );
        return performance.now() - began;
      }),
    );
    return times.sort((a, b) => a - b);
  } finally {
    await pool.close();
  }
}

const clock = z.object({ ms: z.number() });
const progress = z.object({
  ready: z.coerce.number(),
  failed: z.coerce.number(),
  unread: z.coerce.number(),
  last_ms: z.number().nullable(),
});

export async function nowMs(client: Client): Promise<number> {
  const { rows } = await client.query(
    `SELECT ${mark} (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`,
  );
  return clock.parse(rows[0]).ms;
}

/** Polls every 200 ms with a cheap query until all are Ready; a failed host ends it at once. Returns when the last one became Ready. */
export async function untilReady(
  database: BenchDatabase,
  system: BenchSystem,
  plan: Plan,
  hosts: number,
  signal: AbortSignal,
): Promise<number> {
  let lastMs = 0;
  await until(
    `all ${hosts} hosts Ready`,
    plan.limits.releaseSeconds * 1000,
    200,
    system.programs,
    signal,
    async () => {
      const { rows } = await database.client.query(
        `SELECT ${mark} count(*) FILTER (WHERE state = 'Ready') AS ready, count(*) FILTER (WHERE state LIKE 'Failed/%') AS failed,
         (SELECT count(*) FROM signal) AS unread, (extract(epoch FROM max(state_since)) * 1000)::float8 AS last_ms FROM host_run`,
      );
      const row = progress.parse(rows[0]);
      if (row.failed > 0) throw new Error(`${row.failed} hosts failed: ${await failures(database.client)}`);
      lastMs = row.last_ms ?? 0;
      return row.ready === hosts
        ? true
        : `${row.ready} are Ready, ${row.unread} signals are unread; ${await failures(database.client)}`;
    },
  );
  return lastMs;
}

async function failures(client: Client): Promise<string> {
  const { rows } = await client.query<{ words: string }>(
    `SELECT ${mark} state || ' x' || count(*) || ': ' || coalesce(min(coalesce(last_error, wait_reason)), '') AS words FROM host_run WHERE state <> 'Ready' GROUP BY state ORDER BY count(*) DESC LIMIT 5`,
  );
  return rows.map((row) => row.words).join(" · ");
}

/** Waits until the system is quiet: Ready hosts still restart and ask for their boot, and that work is part of the reclamation. */
export async function untilQuiet(system: BenchSystem, signal: AbortSignal): Promise<FleetCounters> {
  let before = await readFleetCounters(system);
  await until("quiet", 30_000, 400, system.programs, signal, async () => {
    const now = await readFleetCounters(system);
    const same =
      now.agentRequests === before.agentRequests &&
      now.bootRequests === before.bootRequests &&
      now.redfishRequests === before.redfishRequests;
    before = now;
    return same ? true : "hosts still send requests";
  });
  return before;
}

/** Throws if the figures would not be of complete releases: a record is incomplete, or the drives' content is not as expected. */
async function assertReleased(
  { client }: BenchDatabase,
  { fullPolicy }: Plan,
  instances: readonly OpenInstance[],
  before: FleetCounters,
  after: FleetCounters,
): Promise<void> {
  const ids = instances.map(({ id }) => id);
  const waived = Object.entries(fullPolicy.requires).flatMap(([gate, required]) => (required ? [] : [gate]));
  assertComplete(await readRecords(client, ids, waived), instances.length);
  if (before.hostsWithTenantData < instances.length)
    throw new Error(
      `no figures: only ${before.hostsWithTenantData} hosts held a tenant's data when they were released`,
    );
  if (after.hostsWithTenantData > 0)
    throw new Error(`no figures: ${after.hostsWithTenantData} hosts still hold a tenant's data`);
  if (after.resetsDuringErase > 0)
    throw new Error(`no figures: ${after.resetsDuringErase} hosts were reset during an erase`);
}

/** The difference between two snapshots. */
function grown(before: Snapshot, after: Snapshot) {
  const minus = (a: number | null, b: number | null) => (a === null || b === null ? null : a - b);
  const fleet = (name: keyof FleetCounters) => after.fleet[name] - before.fleet[name];
  const handled = "reclaim_signal_to_handler_seconds";
  return {
    processorMs: {
      web: after.processor.web - before.processor.web,
      controller: after.processor.controller - before.processor.controller,
      simulator: after.processor.simulator - before.processor.simulator,
      database: minus(after.processor.database, before.processor.database),
    },
    // Statements are counted since the reset, which happened before the first snapshot.
    database: countsBetween(before.counts, after.counts),
    fleet: {
      redfishRequests: fleet("redfishRequests"),
      bootRequests: fleet("bootRequests"),
      agentRequests: fleet("agentRequests"),
      agentStarts: fleet("agentStarts"),
      agentCrashes: fleet("agentCrashes"),
      powerActionsTotal: fleet("powerActionsTotal"),
      resetsDuringErase: fleet("resetsDuringErase"),
      networkAcknowledgements: fleet("networkAcknowledgements"),
      hostsWithTenantData: after.fleet.hostsWithTenantData,
    },
    transitions: after.versions.transitions - before.versions.transitions,
    commits: after.versions.generations - before.versions.generations,
    auditEvents: after.versions.audit - before.versions.audit,
    signalToHandler: between(histogram(before.metrics, handled), histogram(after.metrics, handled)),
  };
}

/** Measures one release of all instances. Throws if any host's record is incomplete, or if a drive still holds a tenant's data. */
export async function measureRelease(
  database: BenchDatabase,
  system: BenchSystem,
  plan: Plan,
  known: Logins,
  instances: readonly OpenInstance[],
  signal: AbortSignal,
): Promise<Measured> {
  await untilQuiet(system, signal);
  await resetStatementCosts(database);
  const before = await snapshot(database, system);
  const beganMs = await nowMs(database.client);
  const releaseMs = await releaseAll(system, plan, known, instances);
  const endedMs = await untilReady(database, system, plan, instances.length, signal);
  await untilQuiet(system, signal);
  const after = await snapshot(database, system);
  const costs = await statementCosts(database, 24);
  await assertReleased(database, plan, instances, before.fleet, after.fleet);
  return {
    hosts: instances.length,
    seconds: (endedMs - beganMs) / 1000,
    ...grown(before, after),
    releaseMs,
    costs,
    statesMs: await readStates(database.client, beganMs),
  };
}
