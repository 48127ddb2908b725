// What the property test is about: a promise of docs/design/lifecycle.md that was broken.

export class Violation extends Error {
  override readonly name = "Violation";
}

/** Throws with the promise that was broken, unless it holds. */
export function must(holds: boolean, promise: string): void {
  if (!holds) throw new Violation(promise);
}
