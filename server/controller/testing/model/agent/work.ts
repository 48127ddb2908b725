// How the model's agent does its work: honestly, or with one lie in its report.

export interface Work {
  readonly lie: Lie | null;
  /** How long an erase takes. */
  readonly eraseMs: number;
  /** The journal does not arrive. */
  readonly silent: boolean;
  /** What goes wrong in inventory or tests; 0: nothing. */
  readonly flaw: number;
}
export const honest: Work = { lie: null, eraseMs: 0, silent: false, flaw: 0 };

/** How an agent lies in its report. In each case nothing was erased, and the report shows that something is wrong. */
export const lies = [
  "no devices",
  "fewer devices",
  "technique without level",
  "technique below minimum",
  "exception only",
  "status only",
  "not read back",
  "mismatches",
  "markers found",
  "impossible to sample",
  "device twice",
  "other model",
  "media of its own",
  "not completed",
  "other technique last",
  "step error",
  "no technique",
  "no content",
] as const;
export type Lie = (typeof lies)[number];
