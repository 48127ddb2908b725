// What a return's standing rests on, in a few words, for a line in a list.
import { formatCounted } from "@/server/domain/numbers";
import type { Standing } from "@/server/domain/assurance/standing";

export interface SaysFacts {
  readonly standing: Standing;
  readonly open: boolean;
  /** A reclamation began. */
  readonly began: boolean;
  /** Gates that apply to this hardware, and those of them that are satisfied. */
  readonly gates: { readonly satisfied: number; readonly applying: number };
  readonly drives: { readonly erased: number; readonly expected: number };
  readonly missing: number;
}

/** Erased and expected drives, in a line of a list. Without any on record, only a proof says that there are none. Pure. */
export function drivesOf(standing: Standing, { erased, expected }: SaysFacts["drives"]): string {
  if (expected > 0) return `${erased} of ${expected}`;
  return standing === "proven" || standing === "provenWithExceptions" ? "none" : "–";
}

/** Pure. */
export function saysOf({ standing, open, began, gates, drives, missing }: SaysFacts): string {
  if (!began) return "no reclamation began";
  const ofGates = `${gates.satisfied} of ${formatCounted(gates.applying, "gate")}`;
  switch (standing) {
    case "proven":
    case "provenWithExceptions":
      return ofGates;
    case "notSanitized":
      return `${drives.erased} of ${formatCounted(drives.expected, "drive")} erased and verified`;
    case "notChecked":
      return "nothing was checked";
    case "notProven":
      if (missing > 0) return `${formatCounted(missing, "drive is", "drives are")} missing`;
      return open ? "in progress, no proof yet" : "ended without proof";
  }
}
