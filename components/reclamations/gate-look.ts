// Mark and label for each gate status.
import type { Tone } from "@/components/ui/tone";
import type { GateStatus } from "@/server/domain/gates/gate-names";

/** A gate that has not been evaluated yet is open. */
export type ShownGateStatus = GateStatus | "open";

const gateLook = {
  satisfied: { tone: "good", none: false, words: "satisfied" },
  unsatisfied: { tone: "failed", none: false, words: "unsatisfied" },
  "not required": { tone: "neutral", none: true, words: "not required" },
  waived: { tone: "attention", none: true, words: "waived" },
  excepted: { tone: "attention", none: false, words: "excepted" },
  "not implemented": { tone: "attention", none: true, words: "not implemented" },
  "not required: fake hardware": { tone: "neutral", none: true, words: "not required: fake hardware" },
  open: { tone: "neutral", none: false, words: "not evaluated yet" },
} as const satisfies Record<ShownGateStatus, { tone: Tone; none: boolean; words: string }>;

interface Shown {
  readonly status: ShownGateStatus;
  readonly soFar: { readonly done: boolean } | null;
}

/** An open gate with complete evidence reads "proven so far", and is not satisfied until it is evaluated. */
export function lookOf({ status, soFar }: Shown): { tone: Tone; none: boolean; words: string } {
  if (status !== "open" || soFar === null) return gateLook[status];
  return soFar.done
    ? { tone: "waiting", none: false, words: "proven so far" }
    : { tone: "neutral", none: false, words: "in progress" };
}

/** Summarizes a set of gates: "5 hold, 2 are not required, 1 is unsatisfied, 6 are open". */
export function gateSum(gates: readonly Shown[]): string {
  const statuses = gates.map(({ status }) => status);
  const proven = gates.filter(({ status, soFar }) => status === "open" && soFar?.done === true).length;
  const count = (status: ShownGateStatus) => statuses.filter((other) => other === status).length;
  const be = (many: number) => (many === 1 ? "is" : "are");
  const parts: string[] = [];
  const hold = count("satisfied");
  if (hold > 0) parts.push(hold === 1 ? "1 holds" : `${hold} hold`);
  for (const [status, words] of [
    ["not required", "not required"],
    ["waived", "waived"],
    ["excepted", "excepted"],
    ["not implemented", "not implemented"],
    ["not required: fake hardware", "not required: fake hardware"],
    ["unsatisfied", "unsatisfied"],
    ["open", "open"],
  ] as const) {
    const many = count(status);
    if (many > 0) parts.push(`${many} ${be(many)} ${words}`);
  }
  if (proven > 0) parts.push(`${proven} of them proven so far`);
  return parts.join(", ");
}
