// Labels and marks for the parts of a receipt.
import type { Tone } from "@/components/ui/tone";
import { standingText } from "@/server/domain/assurance/standing";
import type { InstanceReceipt, ReceiptDrive, ReceiptStep } from "@/server/surfaces/trpc/types";

interface Look {
  readonly tone: Tone;
  readonly words: string;
}

const resultLooks = {
  open: { tone: "working", words: "Being reclaimed" },
  proven: { tone: "good", words: standingText.proven },
  provenWithExceptions: { tone: "attention", words: standingText.provenWithExceptions },
  notSanitized: { tone: "failed", words: standingText.notSanitized },
  unproven: { tone: "failed", words: standingText.notProven },
  nothing: { tone: "neutral", words: "Nothing to prove" },
} as const satisfies Record<InstanceReceipt["result"], Look>;

/** The overall result; says so if the machine waits for the provider. */
export const resultLook = ({ result, attention }: Pick<InstanceReceipt, "result" | "attention">): Look =>
  attention ? { tone: "attention", words: "Waiting for the provider" } : resultLooks[result];

export const stepLooks = {
  done: { tone: "good", words: "done" },
  current: { tone: "working", words: "in progress" },
  ahead: { tone: "neutral", words: "not yet" },
  never: { tone: "failed", words: "not done" },
} as const satisfies Record<ReceiptStep["state"], Look>;

export const driveLooks = {
  erased: { tone: "good", words: "erased" },
  erasing: { tone: "working", words: "being erased" },
  waiting: { tone: "waiting", words: "waiting" },
  missing: { tone: "attention", words: "not found" },
  stated: { tone: "attention", words: "stated by the provider" },
  untreated: { tone: "attention", words: "no result" },
} as const satisfies Record<ReceiptDrive["state"], Look>;

export const checkLooks = {
  satisfied: { tone: "good", words: "held" },
  excepted: { tone: "attention", words: "passed by an exception" },
  waived: { tone: "attention", words: "left out by the provider" },
  notRequired: { tone: "neutral", words: "does not apply to this machine" },
  notChecked: { tone: "neutral", words: "not checked" },
} as const satisfies Record<InstanceReceipt["checks"][number]["status"], Look>;
