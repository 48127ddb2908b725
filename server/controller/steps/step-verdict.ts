// What is made of a step's result, whoever performed it: each device judged, and the verdicts kept that gates rest on.
import type { ResultBody } from "@/server/domain/agents/protocol";
import type { CleanStep } from "@/server/domain/cleaning/steps/step";
import { judgeStep } from "@/server/domain/sanitization/judge";
import type { Performer, StepVerdict } from "@/server/domain/sanitization/judge";
import { keepContent } from "@/server/controller/inventory/content";
import type { StepRow } from "@/server/controller/steps/cleaning-mode";
import { knownHardware } from "@/server/controller/inventory/known-hardware";
import type { Draft } from "@/server/controller/host/draft";

/**
 * Judges a result against the frozen devices that the step was to treat: never fewer, unless its arguments name some. What a step says
 * of drives that it is not declared to sanitize (it wipes metadata only) is no evidence, neither for nor against them.
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
  for (const device of verdict.devices) {
    draft.evidence.addResult({
      ...device,
      stepRunId: row.id,
      attempt: row.attempt,
      standard: sanitization.standard,
    });
  }
  keepContent(draft, verdict.devices);
  return verdict;
}
