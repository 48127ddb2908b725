// The list of steps in a request, by Ironic's schema (docs/api-ironic.md#provision-state).
import { z } from "zod";
import { maxManualSteps } from "@/server/domain/cleaning/plan/manual";
import type { ManualStep } from "@/server/domain/cleaning/plan/manual";
import { stepInterfaces, stepName } from "@/server/domain/cleaning/steps/step";
import { formatIssue } from "@/server/domain/schema-text";
import { schemaFault } from "@/server/surfaces/machine/ironic/wire/schema";
import { fault } from "@/server/surfaces/machine/ironic/wire/errors";

/** Also used for runbooks. Steps run in the order of the list, so `order` has no effect in a list, as in Ironic. */
export const cleanStepShape = z.strictObject({
  interface: z.enum(stepInterfaces),
  step: z.string().min(1).max(64),
  args: z.record(z.string().max(64), z.json()).optional(),
  order: z.union([z.int().min(0), z.string().regex(/^\d{1,9}$/)]).optional(),
  execute_on_child_nodes: z.boolean().optional(),
  limit_child_node_execution: z.array(z.string()).optional(),
});
const list = z.array(cleanStepShape).min(1).max(maxManualSteps);

/** Ironic's default for `[api]disallow_clean_steps`: raw bytes to a BMC. */
const disallowed: ReadonlySet<string> = new Set(["vendor.send_raw"]);

/** Throws 400 for an invalid list, for steps of child nodes, which do not exist here, and for a step that nobody may request. */
export function cleanStepsOf(given: readonly unknown[]): readonly ManualStep[] {
  const parsed = list.safeParse(given, { error: formatIssue });
  if (!parsed.success) throw schemaFault("clean_steps", parsed.error);
  for (const step of parsed.data) {
    if (step.execute_on_child_nodes === true)
      throw fault(400, `Step ${stepName(step)} can not be executed on child nodes: there are none.`);
    if (disallowed.has(stepName(step)))
      throw fault(400, `Step ${stepName(step)} is not allowed to be executed.`);
  }
  return parsed.data.map(({ interface: stepInterface, step, args = {} }) => ({
    interface: stepInterface,
    step,
    args,
  }));
}
