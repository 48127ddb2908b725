// What a manual cleaning of one host will take: time, restarts, what it erases, what cannot be stopped, and what it ends.
import { sql } from "kysely";
import { stepOf } from "@/server/domain/fake/fake-steps";
import { nothingKnown, stepName } from "@/server/domain/cleaning/steps/step";
import type { CleanStep, KnownHardware } from "@/server/domain/cleaning/steps/step";
import { refusal } from "@/server/domain/lifecycle/intents";
import { isFailed } from "@/server/domain/lifecycle/states";
import type { StorageDevice } from "@/server/domain/inventory/inventory";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import type { CleaningEstimate, EstimatedDevice, EstimatedStep } from "@/server/contract/answers/cleaning";
import { offeredBy, readKnownHost } from "@/server/usecases/cleaning/known-host";
import { findWork, traitRefusal, workFaults } from "@/server/usecases/cleaning/manual-work";
import type { ManualWorkAsked } from "@/server/usecases/cleaning/manual-work";
import { pastDurations } from "@/server/usecases/cleaning/step-durations";
import type { PastDuration } from "@/server/usecases/cleaning/step-durations";
import { readHostFacts } from "@/server/usecases/hosts/host-facts";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

const locks = "power, provide and release are refused while it runs";

const toDevice = ({ serial, model, slot, media, capacityBytes }: StorageDevice): EstimatedDevice => ({
  serial,
  model,
  slot: slot ?? null,
  media,
  capacityBytes,
});

function expected(
  declared: CleanStep,
  known: KnownHardware,
  args: EstimatedStepArgs,
  past: PastDuration | undefined,
): Pick<EstimatedStep, "expectedMs" | "basis" | "runs"> {
  const own = declared.expectedMs(known, args);
  if (own === null) return { expectedMs: null, basis: "person", runs: 0 };
  return past === undefined
    ? { expectedMs: own, basis: "catalogue", runs: 0 }
    : { expectedMs: past.medianMs, basis: past.basis, runs: past.runs };
}
type EstimatedStepArgs = Parameters<CleanStep["expectedMs"]>[1];

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Reads only. What it names as wrong, `cleaning.start` refuses. */
export async function estimateCleaning(
  { database }: Backend,
  actor: Actor,
  { hostId, ...asked }: { readonly hostId: string } & ManualWorkAsked,
): Promise<Outcome<CleaningEstimate>> {
  const scope = scopeOf(actor, "cleaning.read");
  if (!scope.ok) return scope;
  const work = await findWork(database, asked);
  if (!work.ok) return work;
  const [host, facts] = await Promise.all([
    readKnownHost(database, hostId),
    readHostFacts(database, sql`r.host_id = ${hostId}::uuid`),
  ]);
  if (host === null || facts === null) return notFound("host", hostId);
  const offered = offeredBy(host.agent?.managers ?? []);
  const known = host.known ?? nothingKnown;
  const [past, open, debts] = await Promise.all([
    pastDurations(database, { id: hostId, skuId: host.sku?.id ?? null }, work.value.steps),
    database.reclamation.findFirst({
      where: { hostId, endedAt: null },
      select: { number: true, kind: true },
    }),
    host.serial === null
      ? []
      : database.debt.findMany({
          where: { chassisSerial: host.serial, clearedAt: null },
          select: { driveSerials: true },
        }),
  ]);
  const faults = workFaults(work.value, offered);
  const wrong = new Set(faults.map(({ index }) => index));
  const steps = work.value.steps.flatMap((step, index): EstimatedStep[] => {
    const declared = stepOf(host, step.interface, step.step, offered);
    if (declared === null || wrong.has(index)) return [];
    return [
      {
        index,
        name: stepName(step),
        ...expected(declared, known, step.args, past.get(index)),
        limitMs: declared.timeLimitMs(host.policy, step.args, known),
        restarts: declared.restarts,
        erases: declared.erases,
        abortable: declared.abortable,
        where: declared.where,
        devices: declared.erases ? declared.devices(known, step.args).map(toDevice) : [],
      },
    ];
  });
  const personAt = steps.find(({ basis }) => basis === "person")?.index ?? null;
  const erases = new Map(steps.flatMap(({ devices }) => devices).map((device) => [device.serial, device]));
  const debtDrives = new Set(debts.flatMap(({ driveSerials }) => driveSerials)).size;
  const stopped = open !== null && isFailed(host.state);
  return done({
    faults,
    refusal: refusal("clean", facts) ?? traitRefusal(work.value, host.traits),
    steps,
    expectedMs: sum(
      steps
        .filter(({ index }) => personAt === null || index < personAt)
        .map(({ expectedMs }) => expectedMs ?? 0),
    ),
    personAt,
    limitMs: sum(steps.map(({ limitMs }) => limitMs)),
    restarts: steps.filter(({ restarts }) => restarts).length,
    erases: [...erases.values()],
    cannotStop: steps.filter(({ abortable }) => !abortable).map(({ index }) => index),
    locks,
    endState: "Manageable",
    abandons: stopped ? { number: `R-${open.number}`, kind: open.kind, debtDrives } : null,
    debtDrives,
  });
}
