// Labels of an instance as they are stored: a JSON object of texts.

/** What is no text is left out: nothing of ours writes it. */
export function readLabels(stored: unknown): Readonly<Record<string, string>> {
  if (typeof stored !== "object" || stored === null) return {};
  return Object.fromEntries(
    Object.entries(stored).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** For the audit log, which keeps lists of texts; in the order of their names. */
export const labelLines = (labels: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .sort();
