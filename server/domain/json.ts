// Values that came out of JSON, and how they are told apart cheaply: reports and answers have many thousands of them.
import { z } from "zod";

export type JsonValue = z.core.util.JSONType;

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Any value out of a column of type `jsonb`. That it is JSON, PostgreSQL has made sure of; `z.json()` would look at every member again. */
export const storedJson = z.custom<JsonValue>((value) => value !== undefined);

/** A list of at most `most` texts that all match `pattern`, looked at in one go: a schema for each text costs ten times as much. */
export const texts = (most: number, pattern: RegExp, what: string) =>
  z.custom<string[]>(
    (value) =>
      Array.isArray(value) &&
      value.length <= most &&
      value.every((text) => typeof text === "string" && pattern.test(text)),
    `must be a list of at most ${most} texts, each ${what}`,
  );

/** A text as `schema` reads it, or null where it is not JSON or not of this shape. */
export function parseJson<Value>(schema: z.ZodType<Value>, text: string): Value | null {
  try {
    const result = schema.safeParse(JSON.parse(text));
    return result.success ? result.data : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
