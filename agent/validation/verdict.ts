// How a test of a machine ended.

export interface Verdict {
  readonly passed: boolean;
  /** For people: what was found. */
  readonly message: string;
}
