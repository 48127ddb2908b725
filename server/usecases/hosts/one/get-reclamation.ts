// One reclamation in full: step runs with their devices, the timeline, the agent's log.
import { z } from "zod";
import { stepOf } from "@/server/domain/fake/fake-steps";
import { stepName } from "@/server/domain/cleaning/steps/step";
import type { KnownHardware } from "@/server/domain/cleaning/steps/step";
import { noPlatformFacts } from "@/server/domain/inventory/platform";
import { storageDevice } from "@/server/domain/inventory/inventory";
import type { Tone } from "@/server/domain/lifecycle/state-rows/state-row";
import { voidedErase } from "@/server/domain/sanitization/voided";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { offeredBy, readKnownHost } from "@/server/usecases/cleaning/known-host";
import { pastDurations } from "@/server/usecases/cleaning/step-durations";
import type { PastDuration } from "@/server/usecases/cleaning/step-durations";
import { deviceLines } from "@/server/usecases/hosts/one/device-lines";
import { readBoots } from "@/server/usecases/hosts/one/read-boots";
import { findReadableHost } from "@/server/usecases/hosts/list/find-readable-host";
import type { ReclamationDetail, StepRunLine } from "@/server/contract/answers/reclamation";
import { reclamationColumns, toReclamationHead } from "@/server/usecases/hosts/one/reclamation-head";
import { askedOf, expectedEnd, plannedLanes, usualMs } from "@/server/usecases/hosts/list/expectations";
import { timelineLanes } from "@/server/usecases/hosts/one/timeline";
import { personNames } from "@/server/usecases/person-names";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { tenantNames } from "@/server/usecases/tenant-names";

const logPieces = 40;
const logLines = 200;

type StepStatus = StepRunLine["status"];
const stepTones = {
  planned: "neutral",
  running: "working",
  succeeded: "good",
  failed: "failed",
  excepted: "attention",
} as const satisfies Record<StepStatus, Tone>;
const isStepStatus = (status: string): status is StepStatus => Object.hasOwn(stepTones, status);

const stepArgs = z.record(z.string(), z.json()).catch({});
/** What of `reclamation.plan` is shown; null before a plan is made. */
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
});

const frozen = z.object({
  expected: z.array(z.looseObject({ ...storageDevice.shape, outOfBand: z.literal(true).exactOptional() })),
});

function resultWords(status: StepStatus, devices: StepRunLine["devices"], message: string | null): string {
  const good = devices.filter(({ tone }) => tone === "good").length;
  const of = (count: number) =>
    `${count} of ${devices.length} ${devices.length === 1 ? "device" : "devices"}`;
  switch (status) {
    case "planned":
      return "planned";
    case "running":
      return devices.length === 0 ? "in progress" : `${of(good)} done`;
    case "succeeded":
      return devices.length === 0 ? "succeeded" : `${of(good)} sanitized`;
    case "failed":
      return devices.length === 0
        ? (message ?? "failed").split("\n", 1).join("")
        : `failed on ${of(devices.length - good)}`;
    case "excepted":
      return "excepted";
  }
}

/** The named reclamation of the host, or its newest; null when it never had one. */
export async function getReclamation(
  backend: Backend,
  actor: Actor,
  query: { readonly hostId: string; readonly reclamationId?: string | undefined },
): Promise<Outcome<ReclamationDetail | null>> {
  const found = await findReadableHost(backend, actor, query.hostId);
  if (!found.ok) return found;
  const { database } = backend;
  const { reclamationId } = query;
  const hostId = found.value.id;
  const [row] = await database.reclamation.findMany({
    where: { hostId, ...(reclamationId === undefined ? {} : { id: reclamationId }) },
    orderBy: { startedAt: "desc" },
    take: 1,
    select: { ...reclamationColumns, devices: true, planEpoch: true, plan: true, requestedBy: true },
  });
  if (row === undefined)
    return reclamationId === undefined ? done(null) : notFound("reclamation", reclamationId);
  const { devices: deviceList, planEpoch, plan, requestedBy, ...head } = row;
  const during = { gte: head.startedAt, ...(head.endedAt === null ? {} : { lte: head.endedAt }) };
  const [runs, verdicts, states, effects, boots, pieces, names, people, host, run] = await Promise.all([
    database.stepRun.findMany({
      where: { reclamationId: row.id, planEpoch },
      orderBy: { position: "asc" },
      include: { attempts: { orderBy: { attempt: "asc" }, omit: { journal: true } } },
    }),
    database.deviceResult.findMany({
      where: { reclamationId: row.id, planEpoch },
      orderBy: { id: "asc" },
      omit: { report: true },
    }),
    database.stateHistory.findMany({
      where: { reclamationId: row.id },
      orderBy: { version: "asc" },
      select: { state: true, at: true },
      take: 1000,
    }),
    database.effect.findMany({
      where: { hostId, createdAt: during },
      orderBy: { createdAt: "asc" },
      take: 200,
      select: { kind: true, status: true, permitAt: true, settledAt: true },
    }),
    readBoots(database, { hostId, reclamationId: row.id, from: head.startedAt, to: head.endedAt }),
    database.agentLog.findMany({
      where: { reclamationId: row.id },
      orderBy: { id: "desc" },
      take: logPieces,
    }),
    tenantNames(database),
    personNames(database, [requestedBy]),
    readKnownHost(database, hostId),
    database.hostRun.findUnique({ where: { hostId }, select: { reclamationId: true, context: true } }),
  ]);
  const list = frozen.safeParse(deviceList);
  const storage: KnownHardware["storage"] = list.success ? list.data.expected : [];
  const known: KnownHardware = {
    hardwareType: host?.hardwareType ?? "",
    infiniband: [],
    platform: noPlatformFacts,
    baseline: null,
    ...host?.known,
    storage,
  };
  const offered = offeredBy(host?.agent?.managers ?? []);
  // Only what is to come is asked for: a trip that is over has no expectations.
  const ahead =
    head.endedAt === null ? runs.filter(({ status }) => status === "planned" || status === "running") : [];
  const past =
    ahead.length === 0
      ? new Map<number, PastDuration>()
      : await pastDurations(
          database,
          { id: hostId, skuId: host?.sku?.id ?? null },
          ahead.map((step) => ({
            interface: step.interface,
            step: step.step,
            args: stepArgs.parse(step.args),
          })),
        );
  const lines = runs.map((step): StepRunLine => {
    const status = isStepStatus(step.status) ? step.status : "planned";
    const args = stepArgs.parse(step.args);
    const declared = stepOf(known, step.interface, step.step, offered);
    const expected =
      status === "planned" && step.attempts.length === 0 ? [] : (declared?.devices(known, args) ?? []);
    const devices = deviceLines({
      running: status === "running",
      expected,
      attempts: step.attempts,
      verdicts: verdicts.filter(({ stepRunId }) => stepRunId === step.id),
    });
    const place = ahead.indexOf(step);
    const expectedMs = place < 0 ? null : usualMs(declared, known, args, past.get(place));
    return {
      id: step.id,
      planEpoch: step.planEpoch,
      position: step.position,
      interface: step.interface,
      step: `${step.interface}.${step.step}`,
      status,
      tone: stepTones[status],
      result: resultWords(status, devices, step.message),
      message: step.message,
      proves: step.proves,
      attempt: step.attempt,
      maxAttempts: step.maxAttempts,
      startedAt: step.startedAt,
      endedAt: step.endedAt,
      priority: step.priority,
      prioritySource: step.prioritySource,
      where: step.where,
      args,
      abortable: step.abortable,
      restarts: declared?.restarts ?? false,
      erases: declared?.erases ?? true,
      timeLimitMs: step.timeLimitMs,
      deadlineAt: step.deadlineAt,
      expectedMs,
      expectedEndAt: status === "running" ? expectedEnd(step.attempts.at(-1), expectedMs) : null,
      devices,
    };
  });
  const asked = askedOf(run?.reclamationId === row.id && head.endedAt === null ? run.context : null);
  const waits =
    head.endedAt !== null || head.stoppedAt !== null || asked.hold !== null || asked.abort !== null;
  const made = planRecord.safeParse(plan);
  const bootEpoch = pieces[0]?.bootEpoch ?? null;
  const text = pieces
    .filter((piece) => piece.bootEpoch === bootEpoch)
    .reverse()
    .flatMap((piece) =>
      piece.text
        .split("\n")
        .filter((words) => words !== "")
        .map((words) => ({ at: piece.at, text: words })),
    );
  return done({
    reclamation: toReclamationHead(head, names),
    stepRuns: lines,
    disabled: made.success
      ? made.data.disabled.map((step) => ({
          step: stepName(step),
          source: step.source,
          proves: step.proves,
          devices: step.devices.length,
        }))
      : [],
    voided: made.success ? made.data.voided : [],
    managers: made.success ? made.data.managers.map(({ name, version }) => `${name} ${version}`) : [],
    requestedByName: requestedBy === null ? null : (people.get(requestedBy) ?? null),
    ...asked,
    timeline: {
      from: head.startedAt,
      to: head.endedAt,
      lanes: timelineLanes({
        states,
        endedAt: head.endedAt,
        runs: lines,
        attempts: new Map(runs.map(({ id, attempts }) => [id, attempts])),
        effects,
        boots,
      }),
      planned: waits ? [] : plannedLanes(lines, new Date()),
    },
    log: { bootEpoch, total: pieces.length === logPieces ? null : text.length, lines: text.slice(-logLines) },
  });
}
