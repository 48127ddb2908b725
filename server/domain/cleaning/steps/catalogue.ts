// Every clean step that this version can perform, and those that a host's agent offers besides.
import { z } from "zod";
import type { OfferedStep, offeredTypes } from "@/server/domain/agents/protocol";
import { biosSteps } from "@/server/domain/cleaning/steps/bios";
import { deploySteps } from "@/server/domain/cleaning/steps/deploy";
import { firmwareSteps } from "@/server/domain/cleaning/steps/firmware";
import { managementSteps } from "@/server/domain/cleaning/steps/management";
import { powerSteps } from "@/server/domain/cleaning/steps/power";
import { raidSteps } from "@/server/domain/cleaning/steps/raid";
import { bossSteps } from "@/server/domain/dell/boss-steps";
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

const isInterface = (value: string): value is StepInterface => stepInterfaces.some((name) => name === value);

/** Values that a site's own step takes. A word is one argument of a program: it cannot be taken for an option, or for two lines. */
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
 * A step that only the host's agent knows: nothing is known of what it does, so it counts as an erase unless it can be stopped. It proves
 * nothing; a policy that requires it asks that it ran (docs/adr/0086-steps-of-a-site.md).
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
    // The agent ends it in time; then it must still be told.
    ...(timeLimitMs === undefined ? {} : { timeLimitMs: ({ times }) => timeLimitMs + times.otherStepMs }),
  });
}

/** The step of that interface and name, or null: an unknown step is an error of the caller. `offered`: what the host's agent reported. */
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

/** The catalogue of one host: ours, and what only its agent offers. Ours wins where both name a step, because its gates rest on it. */
export function hostCatalogue(offered: readonly OfferedStep[]): readonly CleanStep[] {
  // Several hardware managers may offer one step: it is one step, as the first of them says.
  const own = new Map<string, OfferedStep>();
  for (const row of offered)
    if (!byName.has(stepName(row)) && !reservedByStep.has(row.step) && !own.has(stepName(row)))
      own.set(stepName(row), row);
  return [...cleanSteps, ...[...own.values()].map(offeredStep).filter((step) => step !== null)];
}
