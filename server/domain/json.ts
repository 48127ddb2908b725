// JSON values and cheap ways to check them: reports and answers contain many thousands.
import { z } from "zod";

export type JsonValue = z.core.util.JSONType;

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Any value from a `jsonb` column. PostgreSQL guarantees that it is JSON; `z.json()` would check every member again. */
export const storedJson = z.custom<JsonValue>((value) => value !== undefined);

/** A list of at most `most` texts that all match `pattern`, checked in one pass: a schema per text costs ten times as much. */
export const texts = (most: number, pattern: RegExp, what: string) =>
  z.custom<string[]>(
    (value) =>
      Array.isArray(value) &&
      value.length <= most &&
      value.every((text) => typeof text === "string" && pattern.test(text)),
    `must be a list of at most ${most} texts, each ${what}`,
  );

/** A text parsed with `schema`, or null if it is not JSON or does not match. */
export function parseJson<Value>(schema: z.ZodType<Value>, text: string): Value | null {
  try {
    const result = schema.safeParse(JSON.parse(text));
    return result.success ? result.data : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
