// One reclamation in full: step runs with their devices, the timeline, the agent's log.
import { z } from "zod";
import { cleanupSummary, summarizeCleanup } from "@/server/domain/cleaning/cleanup-summary";
import { stepName } from "@/server/domain/cleaning/steps/step";
import type { KnownHardware } from "@/server/domain/cleaning/steps/step";
import { noPlatformFacts } from "@/server/domain/hosts/inventory/platform";
import { storageDevice } from "@/server/domain/hosts/inventory/inventory";
import { testResults } from "@/server/domain/reclamations/gates/test-results";
import { provenContext, storedContext } from "@/server/domain/lifecycle/context";
import { voidedErase } from "@/server/domain/cleaning/sanitization/voided";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { offeredBy } from "@/server/usecases/cleaning/known-host";
import { findReadableHost } from "@/server/usecases/hosts/list/find-readable-host";
import { askedOf, plannedLanes } from "@/server/usecases/hosts/list/expectations";
import type { ReclamationDetail, StepRunLine } from "@/server/contract/reclamations/reclamation";
import { logOf } from "@/server/usecases/reclamations/agent-log";
import { readPast, readReclamationRecord } from "@/server/usecases/reclamations/read-reclamation-record";
import type { ReclamationRecord } from "@/server/usecases/reclamations/read-reclamation-record";
import { toReclamationHead } from "@/server/usecases/reclamations/reclamation-head";
import { stepLines, stillAhead } from "@/server/usecases/reclamations/step-lines";
import { timelineLanes } from "@/server/usecases/reclamations/timeline";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

/** The named reclamation of the host, or its newest; null if it never had one. */
export async function getReclamation(
  backend: Backend,
  actor: Actor,
  query: { readonly hostId: string; readonly reclamationId?: string | undefined },
): Promise<Outcome<ReclamationDetail | null>> {
  const found = await findReadableHost(backend, actor, query.hostId);
  if (!found.ok) return found;
  const { database } = backend;
  const { reclamationId } = query;
  const record = await readReclamationRecord(database, found.value.id, reclamationId);
  if (record === null)
    return reclamationId === undefined ? done(null) : notFound("reclamation", reclamationId);
  // Expectations are read only for future steps: an ended reclamation has none.
  const ahead = record.head.endedAt === null ? stillAhead(record.runs) : [];
  const known = knownHardware(record);
  const offered = offeredBy(record.host?.agent?.managers ?? []);
  const lines = stepLines({
    runs: record.runs,
    verdicts: record.verdicts,
    known,
    offered,
    ahead,
    past: await readPast(
      database,
      { id: found.value.id, skuId: record.host?.sku?.id ?? null, known, offered, policy: record.policy },
      ahead,
    ),
  });
  return done(reclamationDetail(record, lines, new Date()));
}

const frozen = z.object({
  expected: z.array(z.looseObject({ ...storageDevice.shape, outOfBand: z.literal(true).exactOptional() })),
});

/** The host's hardware with the drives that this reclamation treats. */
function knownHardware({ devices, host }: ReclamationRecord): KnownHardware {
  return {
    hardwareType: host?.hardwareType ?? "",
    infiniband: [],
    platform: noPlatformFacts,
    baseline: null,
    ...host?.known,
    storage: frozen.safeParse(devices).data?.expected ?? [],
  };
}

/** The parts of `reclamation.plan` that are shown; null before there is a plan. */
const planRecord = z.object({
  managers: z.array(z.object({ name: z.string(), version: z.string() })),
  disabled: z.array(
    z.object({
      interface: z.string(),
      step: z.string(),
      source: z.string(),
      proves: z.array(z.string()),
      devices: z.array(z.unknown()),
    }),
  ),
  voided: z.array(voidedErase).default([]),
  cleanup: cleanupSummary.optional(),
});

type OfPlan = Pick<ReclamationDetail, "disabled" | "voided" | "managers" | "cleanup">;

/** While it runs, and if an earlier release ended it, the summary is made from the runs. */
function planOf(plan: unknown, runs: ReclamationRecord["runs"], isOver: boolean): OfPlan {
  const made = planRecord.safeParse(plan);
  if (!made.success) return { disabled: [], voided: [], managers: [], cleanup: summarizeCleanup(runs) };
  const { disabled, voided, managers, cleanup } = made.data;
  return {
    cleanup: (isOver ? cleanup : undefined) ?? summarizeCleanup(runs),
    disabled: disabled.map((step) => ({
      step: stepName(step),
      source: step.source,
      proves: step.proves,
      devices: step.devices.length,
    })),
    voided,
    managers: managers.map(({ name, version }) => `${name} ${version}`),
  };
}

const wantedOf = z.object({ validationTests: z.array(z.string()) });

/** For the current reclamation, the host's own results; for an ended one, those that its gate rests on. */
function testsOf(record: ReclamationRecord, context: unknown): ReclamationDetail["tests"] {
  const running = storedContext.safeParse(context).data?.proven.tests;
  const evaluated = provenContext.shape.tests.safeParse(record.validation?.evidence).data;
  return testResults(
    wantedOf.safeParse(record.policy).data?.validationTests ?? [],
    running ?? evaluated ?? null,
  );
}

/** Builds the answer from what was read. Pure. */
function reclamationDetail(
  record: ReclamationRecord,
  lines: readonly StepRunLine[],
  now: Date,
): ReclamationDetail {
  const { head, run, runs, requestedBy, people } = record;
  const isCurrent = run?.reclamationId === head.id && head.endedAt === null;
  const asked = askedOf(isCurrent ? run.context : null);
  const waits =
    head.endedAt !== null || head.stoppedAt !== null || asked.hold !== null || asked.abort !== null;
  return {
    reclamation: toReclamationHead(head, record.tenants),
    stepRuns: lines,
    ...planOf(record.plan, runs, head.endedAt !== null || head.stoppedAt !== null),
    requestedByName: requestedBy === null ? null : (people.get(requestedBy) ?? null),
    ...asked,
    timeline: {
      from: head.startedAt,
      to: head.endedAt,
      lanes: timelineLanes({
        states: record.states,
        endedAt: head.endedAt,
        runs: lines,
        attempts: new Map(runs.map(({ id, attempts }) => [id, attempts])),
        effects: record.effects,
        boots: record.boots,
      }),
      planned: waits ? [] : plannedLanes(lines, now),
    },
    tests: testsOf(record, isCurrent ? run.context : null),
    log: logOf(record.pieces),
  };
}
