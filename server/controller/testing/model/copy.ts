// Copies worlds. `structuredClone` serializes what it copies, which took a seventh of the property test's time (docs/adr/0035-cheap-tests.md).

/** A deep copy of plain objects, lists, maps and sets, which is all that a world consists of. */
export function copyOf<Value>(value: Value): Value;
export function copyOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => copyOf(item));
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [key, copyOf(item)]));
  if (value instanceof Set) return new Set(value);
  const copy: Record<string, unknown> = { ...value };
  for (const name of Object.keys(copy)) {
    const item = copy[name];
    if (typeof item === "object") copy[name] = copyOf(item);
  }
  return copy;
}
