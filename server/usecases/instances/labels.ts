// Labels of an instance as stored: a JSON object of strings.

/** Omits values that are no strings, which Reclaim never writes. */
export function readLabels(stored: unknown): Readonly<Record<string, string>> {
  if (typeof stored !== "object" || stored === null) return {};
  return Object.fromEntries(
    Object.entries(stored).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** For the audit log, which stores lists of strings; ordered by name. */
export const labelLines = (labels: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .sort();
