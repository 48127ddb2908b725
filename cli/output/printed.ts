// A value as `-o json` and `-o yaml` print it.

/** Members that only the console's pages use: colours, motion, URLs, which buttons to show. */
export const pageMembers: ReadonlySet<string> = new Set([
  "tone",
  "live",
  "href",
  "feedPosition",
  "pages",
  "mayWriteHosts",
  "mayCreateInstances",
  "mayReleaseInstances",
  "mayNote",
  "mayChange",
  "demoDesk",
  "siteLabel",
]);

/** Free-form data that is printed unchanged, because its members are not ours to filter. */
const untouched: ReadonlySet<string> = new Set(["before", "after", "evidence", "document", "args"]);

/** A value as it is printed: plain JSON types, without page members. */
export function printed(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(printed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      pageMembers.has(name) ? [] : [[name, untouched.has(name) ? member : printed(member)]],
    ),
  );
}
