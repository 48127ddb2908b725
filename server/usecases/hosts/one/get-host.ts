// The head of a host's page: what it is doing, since when, what it waits for, what to check next, and what may be asked of it.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import { z } from "zod";
import { reachOf } from "@/server/domain/access/access";
import type { Interruption } from "@/server/domain/cleaning/interruptions";
import { overdueMs } from "@/server/domain/cleaning/clocks";
import { interruptionWords } from "@/server/domain/cleaning/interruption-words";
import { passes } from "@/server/domain/gates/gate-names";
import type { GateStatus } from "@/server/domain/gates/gate-names";
import { gateNames, gateStatuses } from "@/server/domain/gates/gate-names";
import { actionRefusal } from "@/server/domain/hosts/action-refusal";
import type { MaintenanceFacts } from "@/server/domain/hosts/action-refusal";
import { cleaningActionNames, hostActionNames, hostActions } from "@/server/domain/hosts/host-actions";
import type { CleaningActionName, HostActionName } from "@/server/domain/hosts/host-actions";
import { isFake } from "@/server/domain/fake/fake-type";
import { isReadyInMaintenance, readyInMaintenance } from "@/server/domain/hosts/in-maintenance";
import { nextSteps } from "@/server/domain/hosts/next-steps";
import { hostGroup } from "@/server/domain/hosts/host-groups";
import { stages } from "@/server/domain/hosts/stages";
import { isStopped } from "@/server/domain/lifecycle/intents";
import type { IntentFacts } from "@/server/domain/lifecycle/intents";
import { stateTable } from "@/server/domain/lifecycle/state-table";
import { isFailed, isState } from "@/server/domain/lifecycle/states";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { cleaningColumn, toCleaningFacts } from "@/server/usecases/hosts/host-facts";
import { stepOf } from "@/server/domain/fake/fake-steps";
import { stepName } from "@/server/domain/cleaning/steps/step";
import type { Reader } from "@/server/db/prisma";
import { askedOf, expectedEnd } from "@/server/usecases/hosts/list/expectations";
import { eraseColumn, toEraseFacts } from "@/server/usecases/hosts/host-facts";
import { findReadableHost } from "@/server/usecases/hosts/list/find-readable-host";
import type { HostAction, HostDetail } from "@/server/contract/answers/hosts";
import { readUnaccounted } from "@/server/usecases/hosts/one/read-unaccounted";
import { reclamationColumns, toReclamationHead } from "@/server/usecases/hosts/one/reclamation-head";
import { readQueuePlace } from "@/server/usecases/queue/queue-place";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { tenantNames } from "@/server/usecases/tenant-names";

const isInterruption = (
  intent: HostActionName | CleaningActionName,
): intent is Interruption & CleaningActionName =>
  intent === "abort" || intent === "hold" || intent === "resume";

/** Only those that the role may ever do; each with the reason where it may not now. */
function actionsOf(
  names: readonly (HostActionName | CleaningActionName)[],
  actor: Actor,
  facts: IntentFacts,
  maintenance: MaintenanceFacts,
): readonly HostAction[] {
  return names
    .filter((intent) => reachOf(actor.role, hostActions[intent].right) !== "none")
    .map((intent) => {
      const { words, consequence, danger } = hostActions[intent];
      const reason = actionRefusal(intent, facts, maintenance);
      // Of an interruption it is known what it does to this host now.
      const now = isInterruption(intent) ? interruptionWords(intent, facts.cleaning) : null;
      return { intent, words, consequence: now ?? consequence, danger, allowed: reason === null, reason };
    });
}

/** A drive is answered for only where one is owed or expected and not there. */
const withDrives = (
  actions: readonly HostAction[],
  drives: HostDetail["unaccounted"],
): readonly HostAction[] =>
  actions.map((action) =>
    action.intent === "disposeDrive" && action.allowed && drives.length === 0
      ? { ...action, allowed: false, reason: "every drive that is owed or expected is there" }
      : action,
  );

const inspected = z.object({
  inspection: z.object({
    askedAt: z.coerce.date(),
    readAt: z.coerce.date().nullable(),
    message: z.string().nullable(),
  }),
});

function inspectionOf(context: unknown): HostDetail["inspection"] {
  const read = inspected.safeParse(context);
  return read.success ? read.data.inspection : null;
}

const isGateStatus = (status: string): status is GateStatus => gateStatuses.some((known) => known === status);

/** When the step that runs is over, by its devices' own estimates and by its time limit. */
async function readStepEnds(
  database: Reader,
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

/** Throws on a state that this version does not know. */
export async function getHost(
  backend: Backend,
  actor: Actor,
  query: { readonly host: string },
): Promise<Outcome<HostDetail>> {
  const found = await findReadableHost(backend, actor, query.host);
  if (!found.ok) return found;
  const { database } = backend;
  const { id: hostId, serial } = found.value;
  const [row, reclamations, proven, instance, debts, count, names, statement, cleaning, unaccounted] =
    await Promise.all([
      database.host.findUnique({
        where: { id: hostId },
        include: { run: true, site: { select: { name: true } }, sku: { select: { name: true } } },
        omit: { bmcPassword: true, bmcSession: true },
      }),
      database.reclamation.findMany({
        where: { hostId },
        orderBy: { startedAt: "desc" },
        take: 1,
        select: reclamationColumns,
      }),
      // A manual cleaning proves nothing: the gates are those of the last trip towards Ready.
      database.reclamation.findFirst({
        where: { hostId, kind: { not: "manualCleaning" } },
        orderBy: { startedAt: "desc" },
        select: { gates: { select: { status: true } } },
      }),
      database.instance.findFirst({
        where: { hostId, endedAt: null },
        select: { id: true, name: true, releaseRequestedAt: true, tenant: { select: { name: true } } },
      }),
      serial === null
        ? []
        : database.debt.findMany({
            where: { chassisSerial: serial, clearedAt: null },
            select: { id: true, createdAt: true, driveSerials: true, instanceId: true, tenantId: true },
          }),
      database.reclamation.count({ where: { hostId } }),
      tenantNames(database),
      database.untouchedStatement.findFirst({
        where: { hostId },
        orderBy: { at: "desc" },
        select: { personName: true, reason: true, at: true },
      }),
      queryRows(
        database,
        sql<{
          cleaning: unknown;
          erase: unknown;
        }>`SELECT ${cleaningColumn}, ${eraseColumn} FROM host_run r WHERE r.host_id = ${hostId}::uuid`,
      ),
      readUnaccounted(database, hostId),
    ]);
  const run = row?.run;
  if (row === null || run === null || run === undefined) return notFound("host", query.host);
  const { state } = run;
  if (!isState(state)) throw new Error(`host ${hostId} is in the unknown state ${state}`);
  const words = stateTable[state];
  const latest = reclamations[0] ?? null;
  const open = latest !== null && latest.endedAt === null ? latest : null;
  const entries =
    latest === null
      ? []
      : await database.stateHistory.findMany({
          where: { reclamationId: latest.id },
          orderBy: { version: "asc" },
          select: { state: true, at: true },
          take: 2000,
        });
  const now = new Date();
  const limitPassed = run.limitAt !== null && run.limitAt < now;
  const gates = (proven?.gates ?? []).filter(
    ({ status }) => isGateStatus(status) && passes(status, { demo: false, fake: false }),
  ).length;
  const maintenance = { on: run.maintenance, by: run.maintenanceBy, touchUncovered: run.touchUncovered };
  const facts = {
    state,
    instanceOpen: instance !== null,
    releaseRequested: instance?.releaseRequestedAt != null,
    reclamationOpen: open !== null,
    allocatable: run.allocatable,
    cleaning: toCleaningFacts(state, cleaning[0]?.cleaning ?? null),
    ...toEraseFacts(cleaning[0]?.erase ?? null),
    retired: row.retired,
  };
  const drives = unaccounted?.drives ?? [];
  const asked = askedOf(open === null ? null : run.context);
  const waits = isReadyInMaintenance(state, run.maintenance) ? readyInMaintenance : words;
  const waitsForStep = asked.abort !== null || (asked.hold !== null && asked.hold.since === null);
  return done({
    id: hostId,
    name: row.name,
    fake: isFake(row),
    manufacturer: row.manufacturer,
    model: row.model,
    serial: row.serial,
    bmcAddress: row.bmcAddress,
    powerState: row.powerState,
    powerReadAt: row.powerReadAt,
    site: row.site.name,
    rack: row.rack,
    slot: row.slot,
    sku: row.sku?.name ?? null,
    state,
    tone: words.tone,
    label: words.label,
    live: words.tone === "working",
    since: run.stateSince,
    limitMs: run.limitAt === null ? null : Math.max(0, run.limitAt.getTime() - run.stateSince.getTime()),
    overLimit: hostGroup(state, limitPassed) === "overLimit",
    overdueMs:
      open === null
        ? null
        : overdueMs(
            { limitAtMs: open.limitAt?.getTime() ?? null, pausedAtMs: open.pausedAt?.getTime() ?? null },
            now.getTime(),
          ),
    says:
      (isFailed(state) || words.tone === "neutral" ? run.lastError : null) ??
      (asked.abort === null ? run.cleanMessage : run.waitReason) ??
      run.waitReason ??
      words.label,
    waitsFor: waits.waitsFor,
    checkNext: waits.checkNext === "Nothing" ? null : waits.checkNext,
    next: nextSteps(state, row.name),
    step: run.cleanStep,
    percent: run.cleanPercent,
    allocatable: run.allocatable,
    maintenance: run.maintenance ? { reason: run.maintenanceReason, by: run.maintenanceBy } : null,
    untouched:
      statement === null || (latest !== null && latest.startedAt > statement.at)
        ? null
        : { byName: statement.personName, reason: statement.reason, at: statement.at },
    reclamation: latest === null ? null : toReclamationHead(latest, names),
    instance:
      instance === null
        ? null
        : {
            id: instance.id,
            name: instance.name,
            tenantName: instance.tenant.name,
            releaseRequestedAt: instance.releaseRequestedAt,
          },
    debts: debts.map((debt) => ({
      id: debt.id,
      since: debt.createdAt,
      drives: debt.driveSerials.length,
      serials: debt.driveSerials,
      instanceId: debt.instanceId,
      tenantName: debt.tenantId === null ? null : (names.get(debt.tenantId) ?? null),
    })),
    actions: withDrives(
      actionsOf(
        hostActionNames.filter((name) => name !== "skipEraseWait" || facts.erasing),
        actor,
        facts,
        maintenance,
      ),
      drives,
    ),
    unaccounted: drives,
    inspection: isStopped(state) ? inspectionOf(run.context) : null,
    queue:
      state === "WaitingForCleanup/Queued" || state === "ManualCleaning/Queued"
        ? await readQueuePlace(database, row.siteId, { id: hostId, waitReason: run.waitReason })
        : null,
    asked,
    stepEnds: open !== null && waitsForStep ? await readStepEnds(database, row, open.id) : null,
    cleaningActions: actionsOf(cleaningActionNames, actor, facts, maintenance),
    traits: row.traits,
    automatedClean: row.automatedClean,
    stages:
      latest?.kind === "manualCleaning"
        ? []
        : stages(
            entries.flatMap(({ state: entered, at }) => (isState(entered) ? [{ state: entered, at }] : [])),
            latest?.endedAt ?? null,
            latest?.instanceId != null,
          ),
    counts: { gatesHold: gates, gates: gateNames.length, reclamations: count },
    stateVersion: String(run.stateVersion),
  });
}
