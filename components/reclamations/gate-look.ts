// How each status of a gate looks and reads.
import type { Tone } from "@/components/ui/tone";
import type { GateStatus } from "@/server/domain/gates/gate-names";

/** A gate that no decision has evaluated yet is open. */
export type ShownGateStatus = GateStatus | "open";

export const gateLook = {
  satisfied: { tone: "good", none: false, words: "satisfied" },
  unsatisfied: { tone: "failed", none: false, words: "unsatisfied" },
  "not required": { tone: "neutral", none: true, words: "not required" },
  excepted: { tone: "attention", none: false, words: "excepted" },
  "not implemented": { tone: "attention", none: true, words: "not implemented" },
  "not required: fake hardware": { tone: "neutral", none: true, words: "not required: fake hardware" },
  open: { tone: "neutral", none: false, words: "not evaluated yet" },
} as const satisfies Record<ShownGateStatus, { tone: Tone; none: boolean; words: string }>;

/** "5 hold, 2 are not required, 1 is unsatisfied, 6 are open": how a set of gates stands. */
export function gateSum(statuses: readonly ShownGateStatus[]): string {
  const count = (status: ShownGateStatus) => statuses.filter((other) => other === status).length;
  const be = (many: number) => (many === 1 ? "is" : "are");
  const parts: string[] = [];
  const hold = count("satisfied");
  if (hold > 0) parts.push(hold === 1 ? "1 holds" : `${hold} hold`);
  for (const [status, words] of [
    ["not required", "not required"],
    ["excepted", "excepted"],
    ["not implemented", "not implemented"],
    ["not required: fake hardware", "not required: fake hardware"],
    ["unsatisfied", "unsatisfied"],
    ["open", "open"],
  ] as const) {
    const many = count(status);
    if (many > 0) parts.push(`${many} ${be(many)} ${words}`);
  }
  return parts.join(", ");
}
