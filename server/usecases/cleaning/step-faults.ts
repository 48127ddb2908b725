// The faults of a list of steps, as one problem.
import type { ManualFault } from "@/server/domain/cleaning/plan/manual";
import type { Problem } from "@/server/usecases/problem";

const formatFault = ({ index, message }: ManualFault): string => `step ${index + 1}: ${message}`;

/** All faults in one problem; null if there are none. */
export function faultProblem(faults: readonly ManualFault[]): Problem | null {
  if (faults.length === 0) return null;
  const shown = faults.slice(0, 5).map(formatFault).join("; ");
  return {
    code: "invalid",
    detail: `${faults.length === 1 ? "One thing is" : `${faults.length} things are`} wrong with the steps: ${shown}${faults.length > 5 ? "; …" : ""}.`,
    field: "steps",
    faults,
  };
}
