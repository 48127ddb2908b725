// Reads everything for the page of a reclamation.
import type { Database } from "@/server/db/prisma";
import { readKnownHost } from "@/server/usecases/cleaning/known-host";
import type { OfferedStep } from "@/server/domain/agents/protocol";
import { storedPolicy } from "@/server/domain/cleaning/policy/policy";
import type { KnownHardware } from "@/server/domain/cleaning/steps/step";
import { modelDurations } from "@/server/usecases/cleaning/model-durations";
import { nearest, pastDurations } from "@/server/usecases/cleaning/step-durations";
import type { PastDuration } from "@/server/usecases/cleaning/step-durations";
import { personNames } from "@/server/usecases/person-names";
import { logPieces } from "@/server/usecases/reclamations/agent-log";
import { readBoots } from "@/server/usecases/reclamations/read-boots";
import { reclamationColumns } from "@/server/usecases/reclamations/reclamation-head";
import { argsOf } from "@/server/usecases/reclamations/step-lines";
import type { StepRunRecord } from "@/server/usecases/reclamations/step-lines";
import { tenantNames } from "@/server/usecases/tenant-names";

export type ReclamationRecord = NonNullable<Awaited<ReturnType<typeof readReclamationRecord>>>;

/** The named reclamation of the host, or its newest; null if there is none. */
export async function readReclamationRecord(
  database: Database,
  hostId: string,
  reclamationId: string | undefined,
) {
  const row = await readRow(database, hostId, reclamationId);
  if (row === null) return null;
  const { devices, planEpoch, plan, policy, requestedBy, ...head } = row;
  const { id, startedAt: from, endedAt: to } = head;
  const [validation, runs, verdicts, states, effects, boots, pieces, tenants, people, host, run] =
    await Promise.all([
      readValidation(database, id),
      readStepRuns(database, id, planEpoch),
      readVerdicts(database, id, planEpoch),
      readStates(database, id),
      readEffects(database, hostId, from, to),
      readBoots(database, { hostId, reclamationId: id, from, to }),
      readLog(database, id),
      tenantNames(database),
      personNames(database, [requestedBy]),
      readKnownHost(database, hostId),
      database.hostRun.findUnique({ where: { hostId }, select: { reclamationId: true, context: true } }),
    ]);
  return {
    head,
    devices,
    plan,
    policy,
    validation,
    requestedBy,
    runs,
    verdicts,
    states,
    effects,
    boots,
    pieces,
    tenants,
    people,
    host,
    run,
  };
}

const readRow = (database: Database, hostId: string, reclamationId: string | undefined) =>
  database.reclamation.findFirst({
    where: { hostId, ...(reclamationId === undefined ? {} : { id: reclamationId }) },
    orderBy: [{ startedAt: "desc" }, { number: "desc" }],
    select: {
      ...reclamationColumns,
      devices: true,
      planEpoch: true,
      plan: true,
      policy: true,
      requestedBy: true,
    },
  });

/** The recorded test results from when the gates were evaluated. */
const readValidation = (database: Database, reclamationId: string) =>
  database.gate.findFirst({ where: { reclamationId, gate: "validationPassed" }, select: { evidence: true } });

/** The steps of its newest plan. */
const readStepRuns = (database: Database, reclamationId: string, planEpoch: number) =>
  database.stepRun.findMany({
    where: { reclamationId, planEpoch },
    orderBy: { position: "asc" },
    include: { attempts: { orderBy: { attempt: "asc" }, omit: { journal: true } } },
  });

const readVerdicts = (database: Database, reclamationId: string, planEpoch: number) =>
  database.deviceResult.findMany({
    where: { reclamationId, planEpoch },
    orderBy: { id: "asc" },
    omit: { report: true },
  });

const readStates = (database: Database, reclamationId: string) =>
  database.stateHistory.findMany({
    where: { reclamationId },
    orderBy: { version: "asc" },
    select: { state: true, at: true },
    take: 1000,
  });

/** The hardware calls in this period. */
const readEffects = (database: Database, hostId: string, from: Date, to: Date | null) =>
  database.effect.findMany({
    where: { hostId, createdAt: { gte: from, ...(to === null ? {} : { lte: to }) } },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    take: 200,
    select: { kind: true, status: true, permitAt: true, settledAt: true },
  });

const readLog = (database: Database, reclamationId: string) =>
  database.agentLog.findMany({ where: { reclamationId }, orderBy: { id: "desc" }, take: logPieces });

/** How long such steps took before, by index in the list. */
export async function readPast(
  database: Database,
  host: {
    readonly id: string;
    readonly skuId: string | null;
    readonly known: KnownHardware;
    readonly offered: readonly OfferedStep[];
    readonly policy: unknown;
  },
  steps: readonly StepRunRecord[],
): Promise<ReadonlyMap<number, PastDuration>> {
  if (steps.length === 0) return new Map();
  const asked = steps.map((step) => ({ interface: step.interface, step: step.step, args: argsOf(step) }));
  const techniques = storedPolicy.safeParse(host.policy).data?.sanitization.erase.techniques;
  const [past, ofModels] = await Promise.all([
    pastDurations(database, host, asked),
    techniques === undefined ? new Map() : modelDurations(database, { ...host, techniques }, asked),
  ]);
  return nearest(past, ofModels);
}
