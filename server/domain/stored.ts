// Documents in the database that two versions of Reclaim read and write at the same time. Each keeps the members it does not know
// (docs/adr/0024-rolling-upgrade.md).
import { z } from "zod";
import { isObject } from "@/server/domain/json";

/** The parsed value plus what the parser dropped. Returns the parsed value itself if nothing was dropped, which is nearly always. */
function merged(parsed: unknown, raw: unknown): unknown {
  if (!Array.isArray(parsed)) return isObject(parsed) ? keepUnknown(parsed, raw) : parsed;
  if (!Array.isArray(raw) || raw.length !== parsed.length) return parsed;
  const values = parsed.map((value, index) => merged(value, raw[index]));
  return values.every((value, index) => value === parsed[index]) ? parsed : values;
}

/** `parsed`, plus the members of `raw` that its parser did not know, at every depth. */
export function keepUnknown<T extends object>(parsed: T, raw: unknown): T {
  if (!isObject(raw)) return parsed;
  const known = new Map<string, unknown>(Object.entries(parsed));
  const more = Object.entries(raw)
    .map(([name, value]) => [name, known.has(name) ? merged(known.get(name), value) : value] as const)
    .filter(([name, value]) => value !== known.get(name));
  return more.length === 0 ? parsed : { ...parsed, ...Object.fromEntries(more) };
}

/** Reads a stored document: rejects what contradicts `schema` and keeps unknown members. `schema` must be one that drops them (`z.object`). */
export function storedDocument<T extends object>(schema: z.ZodType<T>) {
  return z.unknown().transform((raw, context): T => {
    const parsed = schema.safeParse(raw);
    if (parsed.success) return keepUnknown(parsed.data, raw);
    for (const { path, message } of parsed.error.issues) context.addIssue({ code: "custom", path, message });
    return z.NEVER;
  });
}

/** Removes the members that `issues` report as unknown. */
function removeUnknown(value: unknown, issues: readonly z.core.$ZodIssue[]): void {
  for (const issue of issues) {
    if (issue.code !== "unrecognized_keys") continue;
    const holder = issue.path.reduce<unknown>(
      (inner, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined),
      value,
    );
    if (isObject(holder)) for (const key of issue.keys) Reflect.deleteProperty(holder, key);
  }
}

/**
 * Reads a stored value whose schema rejects unknown members, as it does for reports of agents and input of people, without the members that another
 * running version added. For code that only shows the value; code that writes it back must keep them (`storedDocument`).
 */
export function knownMembers<T>(schema: z.ZodType<T>) {
  return z.unknown().transform((raw, context): T => {
    const strict = schema.safeParse(raw);
    if (strict.success) return strict.data;
    const known = structuredClone(raw);
    removeUnknown(known, strict.error.issues);
    const parsed = schema.safeParse(known);
    if (parsed.success) return parsed.data;
    for (const { path, message } of parsed.error.issues) context.addIssue({ code: "custom", path, message });
    return z.NEVER;
  });
}
