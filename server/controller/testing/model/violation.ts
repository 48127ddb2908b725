// A broken promise of docs/design/lifecycle.md, which is what the property test looks for.

export class Violation extends Error {
  override readonly name = "Violation";
}

/** Throws a `Violation` with the promise unless it holds. */
export function must(holds: boolean, promise: string): void {
  if (!holds) throw new Violation(promise);
}
