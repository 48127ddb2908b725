// Reads everything for the head of a host's page.
import { sql } from "kysely";
import type { Database } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";
import { stepName } from "@/server/domain/cleaning/steps/step";
import { stepOf } from "@/server/domain/hosts/fake/fake-steps";
import { isQueued, storedState } from "@/server/domain/lifecycle/states";
import type { StoredState } from "@/server/domain/lifecycle/states";
import type { HostDetail } from "@/server/contract/hosts/hosts-answers";
import { readEarlier } from "@/server/usecases/hosts/decommission/gone-hosts";
import { askedOf, expectedEnd } from "@/server/usecases/hosts/list/expectations";
import type { ReadableHost } from "@/server/usecases/hosts/list/find-readable-host";
import {
  cleaningColumn,
  eraseColumn,
  gatesMayPassColumn,
  leasedColumn,
} from "@/server/usecases/hosts/host-facts";
import { readFailure } from "@/server/usecases/hosts/one/failure-of";
import { readTried } from "@/server/usecases/hosts/one/read-tried";
import { readUnaccounted } from "@/server/usecases/hosts/one/read-unaccounted";
import { readQueuePlace } from "@/server/usecases/cleaning/queue/queue-place";
import { reclamationColumns } from "@/server/usecases/reclamations/reclamation-head";
import { tenantNames } from "@/server/usecases/tenant-names";

export type HostRecord = NonNullable<Awaited<ReturnType<typeof readHostRecord>>>;

/** Null if the host is gone. */
export async function readHostRecord(database: Database, { id: hostId, serial }: ReadableHost) {
  const [
    host,
    latest,
    gates,
    instance,
    chassis,
    reclamations,
    tenants,
    statement,
    facts,
    unaccounted,
    watch,
  ] = await Promise.all([
    readHost(database, hostId),
    readLatest(database, hostId),
    readGates(database, hostId),
    readInstance(database, hostId),
    readChassis(database, serial),
    database.reclamation.count({ where: { hostId } }),
    tenantNames(database),
    readStatement(database, hostId),
    readFacts(database, hostId),
    readUnaccounted(database, hostId),
    database.readyWatch.findUnique({ where: { hostId } }),
  ]);
  if (host === null || host.run === null) return null;
  const { run } = host;
  const state = storedState(run.state);
  const open = latest !== null && latest.endedAt === null ? latest : null;
  const asked = askedOf(open === null ? null : run.context);
  const [progress, failure, others] = await Promise.all([
    readProgress(database, host, { state, waitReason: run.waitReason, latest, open, asked }),
    readFailure(database, host, run, { state, open }),
    readOthers(database, host),
  ]);
  const drives = unaccounted?.drives ?? [];
  const tried = await readTried(database, {
    ...{ hostId, state, unaccounted, latest },
    since: run.stateSince,
    causes: failure?.causes ?? null,
  });
  return {
    host,
    run,
    state,
    latest,
    open,
    ...progress,
    gates,
    instance,
    ...chassis,
    reclamations,
    tenants,
    statement,
    watch,
    facts,
    drives,
    asked,
    failure,
    tried,
    others,
  };
}

interface Progress {
  readonly state: StoredState;
  readonly waitReason: string | null;
  readonly latest: { readonly id: string } | null;
  readonly open: { readonly id: string } | null;
  readonly asked: ReturnType<typeof askedOf>;
}

/** How far the reclamation is: the states so far, the place in the queue, the end of the step that an abort or a hold waits for. */
async function readProgress(
  database: Database,
  host: { readonly id: string; readonly siteId: string; readonly hardwareType: string },
  { state, waitReason, latest, open, asked }: Progress,
) {
  const waitsForStep = asked.abort !== null || (asked.hold !== null && asked.hold.since === null);
  const [entered, queue, stepEnds] = await Promise.all([
    latest === null ? [] : readEntered(database, latest.id),
    isQueued(state) ? readQueuePlace(database, host.siteId, { id: host.id, waitReason }) : null,
    open !== null && waitsForStep ? readStepEnds(database, host, open.id) : null,
  ]);
  return { entered, queue, stepEnds };
}

/** Names of the other hosts at the same BMC address. */
async function readOthers(
  database: Database,
  { id, bmcAddress }: { readonly id: string; readonly bmcAddress: string | null },
): Promise<string[]> {
  if (bmcAddress === null) return [];
  const rows = await database.host.findMany({
    where: { bmcAddress, id: { not: id } },
    select: { name: true },
    orderBy: { name: "asc" },
  });
  return rows.map(({ name }) => name);
}

const readHost = (database: Database, hostId: string) =>
  database.host.findUnique({
    where: { id: hostId },
    include: {
      run: true,
      health: { select: { level: true, alerts: true, firstAlert: true, replacedBy: true } },
      site: { select: { name: true, bmcTrust: true } },
      sku: { select: { name: true } },
    },
    omit: { bmcPassword: true, bmcSession: true },
  });

/** The current or last reclamation. */
const readLatest = (database: Database, hostId: string) =>
  database.reclamation.findFirst({
    where: { hostId },
    orderBy: [{ startedAt: "desc" }, { number: "desc" }],
    select: reclamationColumns,
  });

/** Of the current or last reclamation; null if there is none, or if it is a manual cleaning, which proves nothing. */
async function readGates(database: Database, hostId: string) {
  const newest = await database.reclamation.findFirst({
    where: { hostId },
    orderBy: [{ startedAt: "desc" }, { number: "desc" }],
    select: { kind: true, gates: { select: { gate: true, status: true, reason: true } } },
  });
  return newest === null || newest.kind === "manualCleaning" ? null : newest.gates;
}

/** Who has it now. */
const readInstance = (database: Database, hostId: string) =>
  database.instance.findFirst({
    where: { hostId, endedAt: null },
    select: { id: true, name: true, releaseRequestedAt: true, tenant: { select: { name: true } } },
  });

/** What is recorded under the serial number: debts, and the records of earlier hosts. */
async function readChassis(database: Database, serial: string | null) {
  if (serial === null) return { debts: [], earlier: [] };
  const [debts, earlier] = await Promise.all([readDebts(database, serial), readEarlier(database, serial)]);
  return { debts, earlier };
}

const readDebts = (database: Database, chassisSerial: string) =>
  database.debt.findMany({
    where: { chassisSerial, clearedAt: null },
    select: { id: true, createdAt: true, driveSerials: true, instanceId: true, tenantId: true },
  });

/** The newest statement that nobody touched the host. */
const readStatement = (database: Database, hostId: string) =>
  database.untouchedStatement.findFirst({
    where: { hostId },
    orderBy: [{ at: "desc" }, { id: "desc" }],
    select: { personName: true, reason: true, at: true },
  });

/** Facts that decide on actions, in addition to the host's record. */
async function readFacts(database: Database, hostId: string) {
  const [row] = await queryRows(
    database,
    sql<{
      cleaning: unknown;
      erase: unknown;
      leased_to: string | null;
      gates_may_pass: boolean;
    }>`SELECT ${cleaningColumn}, ${eraseColumn}, ${leasedColumn}, ${gatesMayPassColumn} FROM host_run r WHERE r.host_id = ${hostId}::uuid`,
  );
  return row ?? { cleaning: null, erase: null, leased_to: null, gates_may_pass: false };
}

interface Entered {
  readonly state: StoredState;
  readonly at: Date;
}

/** The states of a reclamation, in order. */
async function readEntered(database: Database, reclamationId: string): Promise<readonly Entered[]> {
  const rows = await database.stateHistory.findMany({
    where: { reclamationId },
    orderBy: { version: "asc" },
    select: { state: true, at: true },
    take: 2000,
  });
  return rows.map(({ state, at }) => ({ state: storedState(state), at }));
}

/** When the running step ends, by its devices' own estimates and by its time limit. */
async function readStepEnds(
  database: Database,
  host: { readonly hardwareType: string },
  reclamationId: string,
): Promise<HostDetail["stepEnds"]> {
  const step = await database.stepRun.findFirst({
    where: { reclamationId, status: "running" },
    select: {
      interface: true,
      step: true,
      deadlineAt: true,
      attempts: { orderBy: { attempt: "desc" }, take: 1, select: { startedAt: true, eraseEnds: true } },
    },
  });
  if (step === null) return null;
  return {
    step: stepName(step),
    erases: stepOf(host, step.interface, step.step, [])?.erases ?? true,
    expectedAt: expectedEnd(step.attempts[0], null),
    latestAt: step.deadlineAt,
  };
}
