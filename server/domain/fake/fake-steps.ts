// The catalogue of a host of type `fake`: the same steps and arguments, performed by the controller itself, and proving nothing (docs/adr/0015-fake-hardware.md).
import type { OfferedStep } from "@/server/domain/agents/protocol";
import { cleanSteps, findCleanStep, hostCatalogue } from "@/server/domain/cleaning/steps/catalogue";
import { stepName } from "@/server/domain/cleaning/steps/step";
import type { CleanStep } from "@/server/domain/cleaning/steps/step";
import { isFake } from "@/server/domain/fake/fake-type";

/** What a fake host runs by itself, in Ironic's own order for these two: any other step runs by hand, or where an override gives it a priority. */
const priorities: Readonly<Record<string, number>> = {
  "deploy.erase_devices_metadata": 99,
  "deploy.erase_devices": 10,
};

/** Holding and waiting need no hardware; everything else a fake host does as an ordinary step of the controller that does nothing. */
const isPause = (step: CleanStep): boolean => step.reserved && (step.step === "hold" || step.step === "wait");

/** A step as a fake host has it: it treats no device and proves no gate, so nothing can rest on it. */
export function fakeStep(step: CleanStep): CleanStep {
  if (isPause(step)) return step;
  return {
    ...step,
    summary: "Does nothing: there is no machine.",
    priority: priorities[stepName(step)] ?? 0,
    where: "controller",
    state: "WaitingForCleanup/PlatformCleanup",
    failureCause: "CleanFailed",
    /* safety: fake: its steps prove nothing */ proves: [],
    erases: false,
    restarts: false,
    reserved: false,
    timeLimitMs: ({ times }) => times.otherStepMs,
    expectedMs: () => 0,
    /* safety: fake: its steps treat no device */ devices: () => [],
    applies: () => true,
  };
}

const fakeCatalogue: readonly CleanStep[] = cleanSteps.map(fakeStep);

/** Every step of a host. A fake one has no agent that could offer more. */
export const catalogueOf = (
  host: { readonly hardwareType: string },
  offered: readonly OfferedStep[],
): readonly CleanStep[] =>
  /* safety: fake: a machine has its own catalogue (always) */ isFake(host)
    ? fakeCatalogue
    : hostCatalogue(offered);

/** The step of that interface and name as this host has it, or null: an unknown step is an error of the caller. */
export function stepOf(
  host: { readonly hardwareType: string },
  stepInterface: string,
  step: string,
  offered: readonly OfferedStep[],
): CleanStep | null {
  // safety: fake: a machine has its own steps
  if (!isFake(host)) return findCleanStep(stepInterface, step, offered);
  const declared = findCleanStep(stepInterface, step);
  return declared === null ? null : fakeStep(declared);
}
