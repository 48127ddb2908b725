// What a site's own steps require of a plan: their files are readable, and those that the policy requires are in it (docs/adr/0086-steps-of-a-site.md).
import type { HardwareManager } from "@/server/domain/agents/protocol";
import type { MadePlan } from "@/server/domain/cleaning/plan/plan";
import { stepName } from "@/server/domain/cleaning/steps/step";

/** Step files that the agents could not read, one line each. Pure. */
export const faultyFiles = (managers: readonly HardwareManager[]): readonly string[] =>
  managers.flatMap(({ faults = [] }) => faults.map(({ file, message }) => `${file}: ${message}`));

/** The plan, or why there is none. Nothing that a site requires is left out silently. Pure. */
export function withSiteSteps(
  plan: MadePlan,
  required: readonly string[],
  managers: readonly HardwareManager[],
): MadePlan {
  if (!plan.ok) return plan;
  const faults = faultyFiles(managers);
  // safety: plan: a faulty file of a step
  if (faults.length > 0)
    return { ok: false, message: `the agent image contains invalid step files: ${faults.join("; ")}` };
  const planned = new Set(plan.steps.map(({ step }) => stepName(step)));
  const missing = required.filter((name) => !planned.has(name));
  // safety: plan: a step that the site requires
  if (missing.length > 0)
    return {
      ok: false,
      message: `the site requires ${missing.join(", ")}, which this plan lacks: the agent image must offer it, with a priority above 0`,
    };
  return plan;
}
