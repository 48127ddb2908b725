// The texts and the time limit of a state.

export const tones = ["neutral", "working", "waiting", "attention", "failed", "good"] as const;
export type Tone = (typeof tones)[number];

/** Which time limit a state has (docs/design/lifecycle.md#time-limits). */
export type LimitKind =
  | "none"
  | "always"
  | "state"
  | "boot"
  | "plan"
  | "inventory"
  | "validation"
  | "verifying"
  | "people";

export interface StateRow {
  readonly tone: Tone;
  /** Short label for lists. */
  readonly label: string;
  readonly waitsFor: string;
  readonly checkNext: string;
  /** Label for tenants. */
  readonly tenantWords: string;
  readonly limit: LimitKind;
}
