// One reclamation in full: step runs with their devices, the timeline, the agent's log.
import { z } from "zod";
import { findCleanStep } from "@/server/domain/cleaning/steps/catalogue";
import { noPlatformFacts } from "@/server/domain/inventory/platform";
import { hardwareInventory, storageDevice } from "@/server/domain/inventory/inventory";
import type { StorageDevice } from "@/server/domain/inventory/inventory";
import type { Tone } from "@/server/domain/lifecycle/state-table";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { deviceLines } from "@/server/usecases/hosts/device-lines";
import { findReadableHost } from "@/server/usecases/hosts/find-readable-host";
import type { ReclamationDetail, StepRunLine } from "@/server/usecases/hosts/host-shapes";
import { reclamationColumns, toReclamationHead } from "@/server/usecases/hosts/reclamation-head";
import { timelineLanes } from "@/server/usecases/hosts/timeline";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { tenantNames } from "@/server/usecases/tenant-names";

const logPieces = 40;
const logLines = 200;

type StepStatus = StepRunLine["status"];
const stepTones = { planned: "neutral", running: "working", succeeded: "good", failed: "failed", excepted: "attention" } as const satisfies Record<StepStatus, Tone>;
const isStepStatus = (status: string): status is StepStatus => Object.hasOwn(stepTones, status);

const frozen = z.object({ expected: z.array(z.looseObject(storageDevice.shape)) });

function resultWords(status: StepStatus, devices: StepRunLine["devices"], message: string | null): string {
  const good = devices.filter(({ tone }) => tone === "good").length;
  const of = (count: number) => `${count} of ${devices.length} ${devices.length === 1 ? "device" : "devices"}`;
  switch (status) {
    case "planned":
      return "planned";
    case "running":
      return devices.length === 0 ? "at work" : `${of(good)} done`;
    case "succeeded":
      return devices.length === 0 ? "succeeded" : `${of(good)} sanitized`;
    case "failed":
      return devices.length === 0 ? (message ?? "failed").split("\n", 1).join("") : `failed on ${of(devices.length - good)}`;
    case "excepted":
      return "excepted";
  }
}

/** The named reclamation of the host, or its newest; null when it never had one. */
export async function getReclamation(backend: Backend, actor: Actor, query: { readonly hostId: string; readonly reclamationId?: string | undefined }): Promise<Outcome<ReclamationDetail | null>> {
  const found = await findReadableHost(backend, actor, query.hostId);
  if (!found.ok) return found;
  const { database } = backend;
  const { reclamationId } = query;
  const hostId = found.value.id;
  const [row] = await database.reclamation.findMany({
    where: { hostId, ...(reclamationId === undefined ? {} : { id: reclamationId }) },
    orderBy: { startedAt: "desc" },
    take: 1,
    select: { ...reclamationColumns, devices: true, planEpoch: true },
  });
  if (row === undefined) return reclamationId === undefined ? done(null) : notFound("reclamation", reclamationId);
  const { devices: deviceList, planEpoch, ...head } = row;
  const during = { gte: head.startedAt, ...(head.endedAt === null ? {} : { lte: head.endedAt }) };
  const [runs, verdicts, states, effects, sessions, pieces, names, inventory] = await Promise.all([
    database.stepRun.findMany({ where: { reclamationId: row.id, planEpoch }, orderBy: { position: "asc" }, include: { attempts: { orderBy: { attempt: "asc" }, omit: { journal: true } } } }),
    database.deviceResult.findMany({ where: { reclamationId: row.id, planEpoch }, orderBy: { id: "asc" }, omit: { report: true } }),
    database.stateHistory.findMany({ where: { reclamationId: row.id }, orderBy: { version: "asc" }, select: { state: true, at: true }, take: 1000 }),
    database.effect.findMany({ where: { hostId, createdAt: during }, orderBy: { createdAt: "asc" }, take: 200, select: { kind: true, status: true, permitAt: true, settledAt: true } }),
    database.agentSession.findMany({ where: { hostId, registeredAt: during }, orderBy: { bootEpoch: "asc" }, select: { bootEpoch: true, registeredAt: true, lastSeenAt: true } }),
    database.agentLog.findMany({ where: { reclamationId: row.id }, orderBy: { id: "desc" }, take: logPieces }),
    tenantNames(database),
    database.hostInventory.findUnique({ where: { hostId_source: { hostId, source: "agent" } }, select: { body: true } }),
  ]);
  const list = frozen.safeParse(deviceList);
  const storage: readonly StorageDevice[] = list.success ? list.data.expected : [];
  const agent = hardwareInventory.safeParse(inventory?.body);
  const lines = runs.map((run): StepRunLine => {
    const status = isStepStatus(run.status) ? run.status : "planned";
    const known = { hardwareType: "", storage, infiniband: agent.success ? agent.data.infiniband : [], platform: noPlatformFacts, baseline: null };
    const expected = status === "planned" && run.attempts.length === 0 ? [] : (findCleanStep(run.interface, run.step)?.devices(known, {}) ?? []);
    const devices = deviceLines({ running: status === "running", expected, attempts: run.attempts, verdicts: verdicts.filter(({ stepRunId }) => stepRunId === run.id) });
    return {
      id: run.id,
      planEpoch: run.planEpoch,
      position: run.position,
      interface: run.interface,
      step: `${run.interface}.${run.step}`,
      status,
      tone: stepTones[status],
      result: resultWords(status, devices, run.message),
      message: run.message,
      proves: run.proves,
      attempt: run.attempt,
      maxAttempts: run.maxAttempts,
      startedAt: run.startedAt,
      endedAt: run.endedAt,
      priority: run.priority,
      prioritySource: run.prioritySource,
      devices,
    };
  });
  const bootEpoch = pieces[0]?.bootEpoch ?? null;
  const text = pieces
    .filter((piece) => piece.bootEpoch === bootEpoch)
    .reverse()
    .flatMap((piece) => piece.text.split("\n").filter((words) => words !== "").map((words) => ({ at: piece.at, text: words })));
  return done({
    reclamation: toReclamationHead(head, names),
    stepRuns: lines,
    timeline: { from: head.startedAt, to: head.endedAt, lanes: timelineLanes({ states, endedAt: head.endedAt, runs: lines, attempts: new Map(runs.map(({ id, attempts }) => [id, attempts])), effects, sessions }) },
    log: { bootEpoch, total: pieces.length === logPieces ? null : text.length, lines: text.slice(-logLines) },
  });
}
