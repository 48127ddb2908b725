// Estimates for a manual cleaning of a host, for each step and in total.
import { nothingKnown, stepName } from "@/server/domain/cleaning/steps/step";
import type { CleanStep, KnownHardware, StepArgs } from "@/server/domain/cleaning/steps/step";
import type { ManualFault, ManualStep } from "@/server/domain/cleaning/plan/manual";
import { stepOf } from "@/server/domain/hosts/fake/fake-steps";
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import type {
  CleaningEstimate,
  EstimatedDevice,
  EstimatedStep,
} from "@/server/contract/cleaning/cleaning-answers";
import { offeredBy } from "@/server/usecases/cleaning/known-host";
import type { KnownHost } from "@/server/usecases/cleaning/known-host";
import type { PastDuration } from "@/server/usecases/cleaning/step-durations";

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
  args: StepArgs,
  past: PastDuration | undefined,
): Pick<EstimatedStep, "expectedMs" | "basis" | "runs"> {
  const own = declared.expectedMs(known, args);
  if (own === null) return { expectedMs: null, basis: "person", runs: 0 };
  return past === undefined
    ? { expectedMs: own, basis: "catalogue", runs: 0 }
    : { expectedMs: past.medianMs, basis: past.basis, runs: past.runs };
}

interface About {
  readonly faults: readonly ManualFault[];
  /** How long such steps took before, by index in the list. */
  readonly past: ReadonlyMap<number, PastDuration>;
}

/** The steps without a fault. Pure. */
export function estimatedSteps(
  host: Pick<KnownHost, "hardwareType" | "agent" | "known" | "policy">,
  steps: readonly ManualStep[],
  { faults, past }: About,
): readonly EstimatedStep[] {
  const offered = offeredBy(host.agent?.managers ?? []);
  const known = host.known ?? nothingKnown;
  const wrong = new Set(faults.map(({ index }) => index));
  return steps.flatMap((step, index): EstimatedStep[] => {
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
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** All steps together; the time is until the first that waits for a person. Pure. */
export function estimateOf(
  steps: readonly EstimatedStep[],
): Pick<
  CleaningEstimate,
  "steps" | "expectedMs" | "personAt" | "limitMs" | "restarts" | "erases" | "cannotStop"
> {
  const personAt = steps.find(({ basis }) => basis === "person")?.index ?? null;
  const alone = steps.filter(({ index }) => personAt === null || index < personAt);
  const erases = new Map(steps.flatMap(({ devices }) => devices).map((device) => [device.serial, device]));
  return {
    steps,
    expectedMs: sum(alone.map(({ expectedMs }) => expectedMs ?? 0)),
    personAt,
    limitMs: sum(steps.map(({ limitMs }) => limitMs)),
    restarts: steps.filter(({ restarts }) => restarts).length,
    erases: [...erases.values()],
    cannotStop: steps.filter(({ abortable }) => !abortable).map(({ index }) => index),
  };
}
