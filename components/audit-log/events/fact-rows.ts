// The facts of an event before and after, side by side.
export interface FactRow {
  readonly name: string;
  /** Null if it had no value. */
  readonly before: string | null;
  readonly after: string | null;
  readonly changed: boolean;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

const membersOf = (facts: unknown): ReadonlyMap<string, string> => {
  if (facts === null || facts === undefined) return new Map();
  if (typeof facts !== "object" || Array.isArray(facts)) return new Map([["value", textOf(facts)]]);
  return new Map(Object.entries(facts).map(([name, value]) => [name, textOf(value)]));
};

/** Changed facts first. A fact that exists only afterwards, such as a reason, is not a change. */
export function factRows(before: unknown, after: unknown): readonly FactRow[] {
  const [old, now] = [membersOf(before), membersOf(after)];
  const rows = [...new Set([...old.keys(), ...now.keys()])].map((name) => {
    const [was, is] = [old.get(name) ?? null, now.get(name) ?? null];
    return { name, before: was, after: is, changed: was !== null && was !== is };
  });
  return [...rows.filter(({ changed }) => changed), ...rows.filter(({ changed }) => !changed)];
}
