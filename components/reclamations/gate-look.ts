// Mark and label for each gate status.
import type { Tone } from "@/components/ui/tone";
import { gateTally } from "@/server/domain/reclamations/gates/tally";
import { gateStatusWords, type GateStatus } from "@/server/domain/reclamations/gates/gate-names";

/** A gate that has not been evaluated yet is open. */
export type ShownGateStatus = GateStatus | "open";

const gateLook = {
  satisfied: { tone: "good", none: false, words: "satisfied" },
  unsatisfied: { tone: "failed", none: false, words: "unsatisfied" },
  "not required": { tone: "neutral", none: true, words: "not required" },
  waived: { tone: "attention", none: true, words: "waived" },
  excepted: { tone: "attention", none: false, words: "excepted" },
  "not implemented": { tone: "attention", none: true, words: gateStatusWords("not implemented") },
  "not required: fake hardware": { tone: "neutral", none: true, words: "not required: fake hardware" },
  open: { tone: "neutral", none: false, words: "not evaluated yet" },
} as const satisfies Record<ShownGateStatus, { tone: Tone; none: boolean; words: string }>;

interface Shown {
  readonly status: ShownGateStatus;
  readonly soFar: { readonly done: boolean; readonly failed: boolean } | null;
}

/** An open gate with complete evidence reads "proven so far", and is not satisfied until it is evaluated; one whose step failed reads "failed". */
export function lookOf({ status, soFar }: Shown): { tone: Tone; none: boolean; words: string } {
  if (status !== "open" || soFar === null) return gateLook[status];
  if (soFar.done) return { tone: "waiting", none: false, words: "proven so far" };
  return soFar.failed
    ? { tone: "failed", none: false, words: "failed" }
    : { tone: "neutral", none: false, words: "not proven yet" };
}

/** Such as "12 of 14 gates; 1 waived, 1 excepted": what was waived, excepted or not checked never counts. */
export function gateSum(gates: readonly Shown[]): string {
  const { words } = gateTally(gates.map(({ status }) => status));
  const proven = gates.filter(({ status, soFar }) => status === "open" && soFar?.done === true).length;
  return proven > 0 ? `${words}, ${proven} of them proven so far` : words;
}
