// The arguments of a bulk act, as stored and as requested.
import { z } from "zod";
import type { BulkIntent } from "@/server/domain/hosts/bulk-intents";
import { manualFaults, manualSteps } from "@/server/domain/cleaning/plan/manual";
import { stepName } from "@/server/domain/cleaning/steps/step";
import type { Reader } from "@/server/db/prisma";
import type { bulk } from "@/server/contract/hosts/bulk";
import { findWork } from "@/server/usecases/cleaning/start-cleaning";
import { faultProblem } from "@/server/usecases/cleaning/step-faults";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

export type BulkPreviewInput = z.output<typeof bulk.preview.input>;

/** As stored in `bulk_act.args`. */
export const bulkArgs = z.strictObject({
  steps: manualSteps.nullable(),
  runbook: z.strictObject({ id: z.guid(), name: z.string(), traits: z.array(z.string()) }).nullable(),
  reason: z.string().nullable(),
  forMs: z.int().nullable(),
});
export type BulkArgs = z.output<typeof bulkArgs>;

const needReason: readonly BulkIntent[] = ["hold", "setMaintenance", "decommission"];

/** Exactly the arguments that the intent needs. Steps are checked as a whole; `agentsOnly` are steps that only the agents of some hosts may know. */
export async function checkedArgs(
  reader: Reader,
  { intent, steps, runbookId, reason, forMs }: BulkPreviewInput,
): Promise<Outcome<{ readonly args: BulkArgs; readonly agentsOnly: readonly string[] }>> {
  if (needReason.includes(intent) && (reason === undefined || reason === ""))
    return refused("invalid", "Say why.", "reason");
  if (!needReason.includes(intent) && reason !== undefined)
    return refused("invalid", `${intent} takes no reason.`, "reason");
  if (intent !== "hold" && forMs !== undefined)
    return refused("invalid", `${intent} takes no time.`, "forMs");
  const rest = { reason: reason ?? null, forMs: forMs ?? null };
  if (intent !== "clean")
    return steps === undefined && runbookId === undefined
      ? done({ args: { steps: null, runbook: null, ...rest }, agentsOnly: [] })
      : refused("invalid", `${intent} takes no steps.`, "steps");
  const work = await findWork(reader, { steps, runbookId });
  if (!work.ok) return work;
  const faults = manualFaults(work.value.steps);
  // An unknown step may be one that agents offer, which is checked per host.
  const unknown = faults.filter(({ argument }) => argument === null);
  const wrong = faultProblem(faults.filter(({ argument }) => argument !== null));
  if (wrong !== null) return { ok: false, problem: wrong };
  const { runbook } = work.value;
  return done({
    args: {
      steps: work.value.steps.map((step) => ({ ...step })),
      runbook: runbook === null ? null : { ...runbook, traits: [...runbook.traits] },
      ...rest,
    },
    agentsOnly: unknown
      .map(({ index }) => work.value.steps[index])
      .flatMap((step) => (step === undefined ? [] : [stepName(step)])),
  });
}
