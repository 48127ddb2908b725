// The step runs of a reclamation as NICo's `CleanupMachineCompleted` (docs/design/agent.md#cleanup-summary; crates/rpc/proto/forge.proto of NICo).
import { z } from "zod";
import { stepName } from "@/server/domain/cleaning/steps/step";
import type { StepView } from "@/server/domain/hosts/record/reclamation";

/** NICo's field names, in NICo's order. `ram` is in its report but never filled in, neither by NICo nor here: no step wipes memory. */
export const cleanupNames = ["nvme", "hdd", "ram", "mem_overwrite", "ib"] as const;
export type CleanupName = (typeof cleanupNames)[number];

const cleanupResult = z.strictObject({ result: z.enum(["OK", "ERROR"]), message: z.string() });
export type CleanupResult = z.infer<typeof cleanupResult>;

/** Absent: not planned, or not finished. */
export const cleanupSummary = z.partialRecord(z.enum(cleanupNames), cleanupResult);
export type CleanupSummary = Readonly<z.infer<typeof cleanupSummary>>;

/** The names that a step counts towards. Steps of the controller have none: NICo does not report its own either. */
const namesOf: Readonly<Record<string, readonly CleanupName[]>> = {
  "deploy.erase_nvme": ["nvme"],
  "deploy.erase_raid_kit": ["nvme"],
  "deploy.erase_disks": ["hdd"],
  "deploy.erase_devices": ["nvme", "hdd"],
  "deploy.verify_mem_overwrite": ["mem_overwrite"],
  "deploy.reset_infiniband": ["ib"],
};

type Run = Pick<StepView, "interface" | "step" | "message"> & { readonly status: string };

const isOver = ({ status }: Run): boolean => status !== "planned" && status !== "running";

/** The result of all steps with the same name: an error in one is an error, and it is `OK` only when all have finished. */
function resultOf(runs: readonly Run[]): CleanupResult | null {
  const failed = runs.filter((run) => isOver(run) && run.status !== "succeeded");
  if (failed.length > 0) {
    const message = failed.map((run) => run.message ?? `${stepName(run)} ${run.status}`).join("\n");
    return { result: "ERROR", message };
  }
  return runs.length > 0 && runs.every(isOver) ? { result: "OK", message: "OK" } : null;
}

/** From the step runs of one plan. Pure. */
export function summarizeCleanup(runs: readonly Run[]): CleanupSummary {
  const summary: Partial<Record<CleanupName, CleanupResult>> = {};
  for (const name of cleanupNames) {
    const result = resultOf(runs.filter((run) => namesOf[stepName(run)]?.includes(name)));
    if (result !== null) summary[name] = result;
  }
  return summary;
}
