// All clean steps of this version, and those that a host's agent offers in addition.
import { z } from "zod";
import type { OfferedStep, offeredTypes } from "@/server/domain/agents/protocol";
import { biosSteps } from "@/server/domain/cleaning/steps/bios";
import { deploySteps } from "@/server/domain/cleaning/steps/deploy";
import { firmwareSteps } from "@/server/domain/cleaning/steps/firmware";
import { managementSteps } from "@/server/domain/cleaning/steps/management";
import { powerSteps } from "@/server/domain/cleaning/steps/power";
import { raidSteps } from "@/server/domain/cleaning/steps/raid";
import { bossSteps } from "@/server/domain/cleaning/steps/dell-boss";
import { cleanStep, stepInterfaces, stepName } from "@/server/domain/cleaning/steps/step";
import type { CleanStep, StepInterface } from "@/server/domain/cleaning/steps/step";

export const cleanSteps: readonly CleanStep[] = [
  ...deploySteps,
  ...managementSteps,
  ...biosSteps,
  ...bossSteps,
  ...raidSteps,
  ...firmwareSteps,
  ...powerSteps,
];

const byName = new Map(cleanSteps.map((step) => [stepName(step), step]));
const reservedByStep = new Map(powerSteps.map((step) => [step.step, step]));

/** Whether the step with that name is one of ours and erases drives. */
export const isErase = (name: string): boolean => byName.get(name)?.erases === true;

/** The steps that erase drives in an automated plan. Without one of them, drives of its kind are not sanitized. */
export const automatedErases: readonly string[] = cleanSteps
  .filter((step) => step.erases && step.priority > 0)
  .map(stepName);

const isInterface = (value: string): value is StepInterface => stepInterfaces.some((name) => name === value);

/** Argument types of a site's own steps. A string becomes one argument of a program, so it must not look like an option or span lines. */
const argumentSchemas = {
  string: z
    .string()
    .min(1)
    .max(256)
    .regex(/^[^\p{Cc}-][^\p{Cc}]*$/u, "must not begin with - nor have control characters"),
  integer: z.int(),
  boolean: z.boolean(),
} as const satisfies Record<(typeof offeredTypes)[number], z.ZodType>;

/**
 * A step that only the host's agent knows. Its effect is unknown, so it counts as an erase unless it can be stopped. It proves
 * nothing; a policy that requires it only checks that it ran (docs/adr/0086-steps-of-a-site.md).
 */
export function offeredStep(offered: OfferedStep): CleanStep | null {
  if (!isInterface(offered.interface)) return null;
  const { timeLimitMs } = offered;
  return cleanStep({
    interface: offered.interface,
    step: offered.step,
    summary: offered.summary ?? "Offered by the host's agent.",
    priority: offered.priority,
    abortable: offered.abortable,
    where: "agent",
    state: "WaitingForCleanup/HostCleanup",
    failureCause: "CleanFailed",
    erases: !offered.abortable,
    writes: offered.writes ?? false,
    args: (offered.args ?? []).map(({ type, ...arg }) => ({ ...arg, schema: argumentSchemas[type] })),
    // The agent ends the step at its limit; the extra time is for the report to arrive.
    ...(timeLimitMs === undefined ? {} : { timeLimitMs: ({ times }) => timeLimitMs + times.otherStepMs }),
  });
}

/** The step with that interface and name; null: an unknown step, which is the caller's mistake. `offered`: what the host's agent reported. */
export function findCleanStep(
  stepInterface: string,
  step: string,
  offered: readonly OfferedStep[] = [],
): CleanStep | null {
  const known = byName.get(`${stepInterface}.${step}`);
  if (known !== undefined) return known;
  const reserved = reservedByStep.get(step);
  if (reserved !== undefined)
    return isInterface(stepInterface) ? { ...reserved, interface: stepInterface } : null;
  const found = offered.find((row) => row.interface === stepInterface && row.step === step);
  return found === undefined ? null : offeredStep(found);
}

/** A host's catalogue: our steps, and those only its agent offers. If both have a step of the same name, ours wins, because gates depend on it. */
export function hostCatalogue(offered: readonly OfferedStep[]): readonly CleanStep[] {
  // If several hardware managers offer the same step, the first one's declaration counts.
  const own = new Map<string, OfferedStep>();
  for (const row of offered)
    if (!byName.has(stepName(row)) && !reservedByStep.has(row.step) && !own.has(stepName(row)))
      own.set(stepName(row), row);
  return [...cleanSteps, ...[...own.values()].map(offeredStep).filter((step) => step !== null)];
}
