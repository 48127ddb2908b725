// A step on drives that the agent finds itself. The list is complete or the step fails: an incomplete device list is rejected.
import type { ErasableDevice, Outcome } from "@/agent/steps/erasable-device";
import type { Step, StepContext, StepOutcome } from "@/agent/steps/step";
import type { Tools } from "@/agent/tools/tools";

/** The step `deploy.<name>`: finds the drives and treats them. */
export const deviceStep = (
  name: string,
  find: (tools: Tools) => Promise<Outcome<readonly ErasableDevice[]>>,
  treat: (context: StepContext, found: readonly ErasableDevice[]) => Promise<StepOutcome>,
): Step => ({
  interface: "deploy",
  step: name,
  async run(context) {
    const found = await find(context.tools);
    if (!found.ok) return { result: "ERROR", message: found.problem, devices: [] };
    return treat(context, found.value);
  },
});
