// The catalogue of a host of type `fake`: the same steps and arguments, but performed by the controller and proving nothing (docs/adr/0015-fake-hardware.md).
import type { OfferedStep } from "@/server/domain/agents/protocol";
import { cleanSteps, findCleanStep, hostCatalogue } from "@/server/domain/cleaning/steps/catalogue";
import { stepName } from "@/server/domain/cleaning/steps/step";
import type { CleanStep } from "@/server/domain/cleaning/steps/step";
import { isFake } from "@/server/domain/hosts/fake/fake-type";

/** What a fake host runs automatically, with Ironic's priorities for these two. Other steps run manually, or if an override gives them a priority. */
const priorities: Readonly<Record<string, number>> = {
  "deploy.erase_devices_metadata": 99,
  "deploy.erase_devices": 10,
};

/** Holding and waiting need no hardware. Every other step of a fake host is an ordinary controller step that does nothing. */
const isPause = (step: CleanStep): boolean => step.reserved && (step.step === "hold" || step.step === "wait");

/** A step as offered for a fake host. It treats no device and proves no gate, so nothing can depend on it. */
export function fakeStep(step: CleanStep): CleanStep {
  if (isPause(step)) return step;
  return {
    ...step,
    summary: "Does nothing: there is no machine.",
    priority: priorities[stepName(step)] ?? 0,
    where: "controller",
    state: "WaitingForCleanup/PlatformCleanup",
    failureCause: "CleanFailed",
    proves: [],
    erases: false,
    restarts: false,
    reserved: false,
    timeLimitMs: ({ times }) => times.otherStepMs,
    expectedMs: () => 0,
    devices: () => [],
    applies: () => true,
  };
}

const fakeCatalogue: readonly CleanStep[] = cleanSteps.map(fakeStep);

/** All steps of a host. A fake host has no agent that could offer more. */
export const catalogueOf = (
  host: { readonly hardwareType: string },
  offered: readonly OfferedStep[],
): readonly CleanStep[] => (isFake(host) ? fakeCatalogue : hostCatalogue(offered));

/** The step with that interface and name for this host; null: an unknown step, which is the caller's mistake. */
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
