// Judges a step's result, whoever performed it: a verdict on each device, kept for the gates.
import type { Cause, Causes } from "@/server/domain/cleaning/failures/cause";
import type { ResultBody } from "@/server/domain/agents/protocol";
import type { CleanStep } from "@/server/domain/cleaning/steps/step";
import { judgeStep } from "@/server/domain/cleaning/sanitization/judge";
import type { Performer, StepVerdict } from "@/server/domain/cleaning/sanitization/judge";
import { keepContent } from "@/server/controller/inventory/content";
import type { StepRow } from "@/server/controller/steps/cleaning-mode";
import { knownHardware } from "@/server/controller/inventory/known-hardware";
import { stepName } from "@/server/domain/cleaning/steps/step";
import { causesOr } from "@/server/controller/host/handler-result";
import { clearsTpm } from "@/server/domain/reclamations/gates/platform";
import type { Draft } from "@/server/controller/host/draft";

/** The cause of a failed step that named no device, from what the step is for. */
function ofStep(draft: Draft, row: StepRow, declared: CleanStep, by: Performer, raw: string): Cause {
  const step = stepName(row);
  if (by !== "bmc" && clearsTpm(row)) return { key: "tpmNotCleared", step, raw };
  switch (declared.failureCause) {
    case "MemOverwriteFailed":
      return { key: "memoryOverwriteFailed", device: { kind: "firmware" }, step, raw };
    case "IbCleanFailed": {
      const cards = knownHardware(draft).infiniband.filter(({ dpu }) => !dpu);
      const [card] = cards;
      const device = { kind: "infiniband" as const, ...(card === undefined ? {} : { model: card.model }) };
      return {
        key: "infinibandFailed",
        device: card !== undefined && cards.length === 1 ? { ...device, slot: card.slot } : device,
        step,
        ...(cards.length > 1 ? { facts: { cards: cards.map(({ slot }) => slot).join(", ") } } : {}),
        raw,
      };
    }
    default:
      return { key: by === "bmc" ? "jobFailed" : "stepFailed", step, raw };
  }
}

/** Why a step failed: the causes of its devices, or else the step's own. */
export function whyFailed(
  draft: Draft,
  row: StepRow,
  declared: CleanStep,
  verdict: StepVerdict,
  by: Performer,
): Causes {
  const causes = verdict.causes.map((cause) =>
    cause.key === "stepFailed" ? ofStep(draft, row, declared, by, cause.raw) : cause,
  );
  return causesOr(causes, ofStep(draft, row, declared, by, verdict.message));
}

/**
 * Judges a result against the frozen devices that the step had to treat: all of them, unless its arguments name some. What a step reports
 * about drives that it is not declared to sanitize (it only wipes metadata) is not evidence for or against them.
 */
export function judged(
  draft: Draft,
  row: StepRow,
  declared: CleanStep,
  report: ResultBody,
  by: Performer,
): StepVerdict {
  const { sanitization } = draft.policy;
  if (!declared.proves.includes("storageSanitized"))
    return judgeStep([], { ...report, devices: [] }, sanitization, by);
  const content = draft.reclamation?.content ?? null;
  const verdict = judgeStep(
    declared.devices(knownHardware(draft), row.args),
    report,
    sanitization,
    by,
    content !== null,
  );
  for (const device of verdict.devices)
    draft.evidence.addResult({ ...device, stepRunId: row.id, attempt: row.attempt });
  keepContent(draft, verdict.devices);
  return verdict;
}
