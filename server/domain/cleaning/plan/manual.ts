// The step list of a manual cleaning, validated as a whole before anything runs (docs/cleaning.md#manual-cleaning).
import { z } from "zod";
import { formatIssue } from "@/server/domain/schema-text";
import { findCleanStep } from "@/server/domain/cleaning/steps/catalogue";
import type { OfferedStep } from "@/server/domain/agents/protocol";

export const maxManualSteps = 64;

/** An entry of an operator's ordered list. `manualFaults` checks `args` against the step's own declaration. */
export const manualStep = z.strictObject({
  interface: z.string().min(1).max(32),
  step: z.string().min(1).max(64),
  args: z.record(z.string().max(64), z.json()).default({}),
});
export const manualSteps = z.array(manualStep).min(1).max(maxManualSteps);
export type ManualStep = z.output<typeof manualStep>;

export const manualFault = z
  .strictObject({
    /** Index in the list, from 0. */
    index: z.number(),
    /** `interface.step` as requested. */
    step: z.string(),
    /** Path of the argument, such as `settings.0.checksum`; null if the step itself is wrong. */
    argument: z.string().nullable(),
    message: z.string(),
  })
  .readonly();
export type ManualFault = z.infer<typeof manualFault>;

/** All faults of a list at once: unknown steps, and missing, unknown and invalid arguments. Empty: it may run. Pure. */
export function manualFaults(
  steps: readonly ManualStep[],
  offered: readonly OfferedStep[] = [],
): readonly ManualFault[] {
  return steps.flatMap((asked, index) => {
    const name = `${asked.interface}.${asked.step}`;
    const fault = (argument: string | null, message: string): ManualFault => ({
      index,
      step: name,
      argument,
      message,
    });
    const declared = findCleanStep(asked.interface, asked.step, offered);
    if (declared === null) return [fault(null, `there is no clean step ${name}`)];
    const faults: ManualFault[] = [];
    const known = new Map(declared.args.map((arg) => [arg.name, arg]));
    for (const arg of Object.keys(asked.args))
      if (!known.has(arg)) faults.push(fault(arg, `${name} has no argument ${arg}`));
    for (const arg of declared.args) {
      const value = asked.args[arg.name];
      if (value === undefined) {
        if (arg.required) faults.push(fault(arg.name, `${name} needs the argument ${arg.name}`));
        continue;
      }
      const parsed = arg.schema.safeParse(value, { error: formatIssue });
      if (!parsed.success)
        for (const issue of parsed.error.issues) {
          const path = [arg.name, ...issue.path.map(String)].join(".");
          faults.push(fault(path, `${name}: argument ${path} ${issue.message}`));
        }
    }
    return faults;
  });
}

/** A runbook with the traits that keep it off the wrong hardware. */
export interface LockedRunbook {
  readonly name: string;
  readonly traits: readonly string[];
}

/** Why a runbook may not run on a host with these traits; null: it may. Pure. */
export const traitRefusal = (runbook: LockedRunbook, traits: readonly string[]): string | null =>
  runbook.traits.some((trait) => traits.includes(trait))
    ? null
    : `the host shares no trait with the runbook ${runbook.name}, which is for ${runbook.traits.join(", ")}`;

/** For a list that is to run without the agent: its steps that need the agent, as faults. Unknown steps are faults already. Pure. */
export function agentFaults(
  steps: readonly ManualStep[],
  offered: readonly OfferedStep[] = [],
): readonly ManualFault[] {
  return steps.flatMap((asked, index) => {
    const declared = findCleanStep(asked.interface, asked.step, offered);
    if (declared === null || (declared.where === "controller" && declared.step !== "reboot")) return [];
    const step = `${asked.interface}.${asked.step}`;
    return [
      {
        index,
        step,
        argument: null,
        message: `${step} needs the agent, but the list is set to run without it`,
      },
    ];
  });
}
