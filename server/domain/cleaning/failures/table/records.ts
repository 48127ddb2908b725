// Causes in the plan, its steps and the host's record.
import type { CauseKey } from "@/server/domain/cleaning/failures/cause";
import {
  formatAnswer,
  fact,
  happened,
  has,
  formatSeconds,
  sentence,
  withoutStop,
} from "@/server/domain/cleaning/failures/table/row";
import { manualTpmClear } from "@/server/domain/assurance/procedures/procedure";
import { gateNames, gateTable } from "@/server/domain/reclamations/gates/gate-names";
import { lockedDown } from "@/server/domain/hardware/lockdown-text";
import type { CauseRow } from "@/server/domain/cleaning/failures/table/row";

export const stepCauses = {
  jobFailed: {
    label: "BMC job failed",
    says: (cause) =>
      `${cause.step ?? "A step"} failed in the BMC: ${sentence(has(cause, "last") && cause.status === undefined ? fact(cause, "last") : formatAnswer(cause))}`,
    check: (cause) =>
      cause.raw.includes(lockedDown)
        ? "Turn off the BMC's configuration lockdown by hand, then retry. If hosts of this SKU must be locked, set lockdown in its baseline: Reclaim then unlocks and locks them itself."
        : `Open the BMC's job queue and log for ${cause.step ?? "this step"}, clear any stuck job, then retry. The response to each attempt is under Device answers.${cause.step === "management.clear_tpm" ? ` If the BMC cannot clear the TPM, clear it by hand, record the procedure ${manualTpmClear} on the Assurance tab and have it signed off, then retry: the step is left out.` : ""}`,
  },
  stepFailed: {
    label: "Step failed",
    brief: (cause) => `${cause.step ?? "A step"} failed: ${withoutStop(formatAnswer(cause))}`,
    says: (cause) => `${cause.step ?? "A step"} failed: ${sentence(formatAnswer(cause))}`,
    check: (cause) =>
      `Read the answer of ${cause.step ?? "the step"} under Device answers and in the agent's log, fix what it names, then retry.`,
  },
  stepTimeout: {
    label: "Step timed out",
    brief: (cause) => happened(`Step timed out after ${formatSeconds(cause, "seconds")}`, cause.step ?? ""),
    says: (cause) =>
      `${cause.step ?? "A step"} did not finish within ${formatSeconds(cause, "seconds")} and reports no progress.`,
    check: (cause) =>
      `Check the agent's log, or for a BMC step the BMC's job queue: does ${cause.step ?? "the step"} still run? The host was left on. Retry when it has ended.`,
  },
  planImpossible: {
    label: "No possible plan",
    says: (cause) => `The plan cannot be made: ${sentence(cause.raw)}`,
    check: () =>
      "Correct the priorities of the clean steps that the message names (Cleaning, Steps), then retry.",
  },
  aborted: {
    label: "Aborted",
    says: (cause) => sentence(cause.raw),
    check: () => "Nothing is broken. Retry to continue with the aborted step, or restart the plan.",
  },
} satisfies Partial<Record<CauseKey, CauseRow>>;

/** `gates`: names of gates in one text. */
const mayBeExcepted = (gates: string): boolean =>
  gateNames.some((gate) => gateTable[gate].exception !== "never" && gates.split(", ").includes(gate));

export const recordCauses = {
  gateUnsatisfied: {
    label: "Gate not satisfied",
    brief: (cause) => `Gate not satisfied: ${fact(cause, "gates")}`,
    says: (cause) => `The host is not proven: ${sentence(cause.raw)}`,
    check: (cause) =>
      has(cause, "retry")
        ? fact(cause, "gates") === "deviceMemoryCleared"
          ? "Put NVIDIA's gpu-admin-tools into the agent image and restart the plan. Or record the procedure full-ac-drain, have it signed off, then retry: nothing is erased again. If a device keeps its content, replace it. If none of that is possible, ask for an exception on the Gates tab."
          : !fact(cause, "gates").includes("platformAtBaseline")
            ? "Retry: the host is read and tested again in a new boot, and nothing is erased again. If it then stops in its tests, its message says which."
            : "Correct at the BMC what the message names, or take it into the SKU's baseline, then retry: the platform is read again in a new boot, and nothing is erased again. If neither is possible, ask for an exception on the Gates tab."
        : `Open Gates and read the evidence of ${fact(cause, "gates")}. Correct what it names, then restart the plan. A step that an override disabled must be enabled in Cleaning, Steps first.${mayBeExcepted(fact(cause, "gates")) ? " If it cannot be corrected, ask for an exception on the Gates tab." : ""}`,
  },
  databaseRestored: {
    label: "Database restored",
    says: (cause) => sentence(cause.raw),
    check: () =>
      "Find out who has used the host since the backup was made. If it has an instance, use Release instance, or Restart if the release had begun. If not, use Manage, then Provide, which erases every drive.",
  },
  leftoversRemain: {
    label: "Leftovers remain",
    says: (cause) => `The host would leave data behind: ${sentence(cause.raw)}`,
    check: () =>
      "Remove the leftovers that the message names by hand and retry, or accept them with a reason.",
  },
  recordBroken: {
    label: "Record incomplete",
    says: (cause) => `The host's record is incomplete, so it cannot continue: ${sentence(cause.raw)}`,
    check: () => "Restart the plan. If that is refused, move the host to Manageable and provide it again.",
  },
  other: {
    label: "Other",
    brief: ({ raw }) => raw.split("\n", 1).join(""),
    says: (cause) => sentence(cause.raw),
    check: () => "Read the message and the history of the host, fix what it names, then retry.",
  },
} satisfies Partial<Record<CauseKey, CauseRow>>;
