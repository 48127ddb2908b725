// What a return's standing rests on, in a few words, for a line in a list.
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

const plural = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`;

/** Erased and expected drives, in a line of a list. Without any on record, only a proof says that there are none. Pure. */
export function drivesOf(standing: Standing, { erased, expected }: SaysFacts["drives"]): string {
  if (expected > 0) return `${erased} of ${expected}`;
  return standing === "proven" || standing === "provenWithExceptions" ? "none" : "–";
}

/** Pure. */
export function saysOf({ standing, open, began, gates, drives, missing }: SaysFacts): string {
  if (!began) return "no reclamation began";
  const ofGates = `${gates.satisfied} of ${plural(gates.applying, "gate", "gates")}`;
  switch (standing) {
    case "proven":
    case "provenWithExceptions":
      return ofGates;
    case "notSanitized":
      return `${drives.erased} of ${plural(drives.expected, "drive", "drives")} erased and verified`;
    case "notChecked":
      return "nothing was checked";
    case "notProven":
      if (missing > 0) return `${plural(missing, "drive is", "drives are")} missing`;
      return open ? "in progress, no proof yet" : "ended without proof";
  }
}
