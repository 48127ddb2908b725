// How many gates are satisfied, of those that apply. What was waived, excepted or not checked never counts as satisfied.
import { formatCounted } from "@/server/domain/numbers";
import { gateStatusWords, type GateStatus } from "@/server/domain/reclamations/gates/gate-names";

/** `open`: not evaluated yet. */
type Counted = GateStatus | "open";

export interface GateTally {
  readonly satisfied: number;
  /** Without those that do not apply to this hardware or this kind of reclamation. */
  readonly applying: number;
  /** Such as "12 of 14 gates; 1 waived, 1 excepted". */
  readonly words: string;
}

const others = ["unsatisfied", "waived", "excepted", "not implemented", "open"] as const;

/** Pure. */
export function gateTally(statuses: readonly Counted[]): GateTally {
  const count = (status: Counted): number => statuses.filter((each) => each === status).length;
  const satisfied = count("satisfied");
  const applying = satisfied + others.reduce((sum, status) => sum + count(status), 0);
  const rest = others.flatMap((status) =>
    count(status) === 0 ? [] : [`${count(status)} ${gateStatusWords(status)}`],
  );
  const sum = `${satisfied} of ${formatCounted(applying, "gate")}`;
  return { satisfied, applying, words: rest.length === 0 ? sum : `${sum}; ${rest.join(", ")}` };
}
