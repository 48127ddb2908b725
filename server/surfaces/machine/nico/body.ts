// Request bodies in NICo's format: what they may contain, and what this version does not support (docs/api.md#nico).
import type { z } from "zod";
import { parseJson } from "@/server/surfaces/machine/http/json-body";
import { NicoFault } from "@/server/surfaces/machine/nico/faults";
import { formatIssue } from "@/server/domain/schema-text";

const malformed = "Failed to parse request data, potentially invalid structure";

/** The object in a raw body. Throws 400. */
export function readObject(body: unknown): object {
  let value: unknown;
  try {
    value = parseJson(typeof body === "string" ? body : "");
  } catch {
    throw new NicoFault(400, malformed);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new NicoFault(400, malformed);
  return value;
}

/** Validates by a schema. Throws 400 with the reason for each field, under NICo's message for the whole body. */
export function checkBody<Value>(schema: z.ZodType<Value>, value: object, message: string): Value {
  const parsed = schema.safeParse(value, { error: formatIssue });
  if (parsed.success) return parsed.data;
  const data = Object.fromEntries(parsed.error.issues.map((one) => [one.path.join("."), one.message]));
  throw new NicoFault(400, message, data);
}

/** Null, false and empty lists request nothing. */
const asksForNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === false || (Array.isArray(value) && value.length === 0);

/**
 * The body without fields that are in the contract but not supported by this version. If one of them requests something it is refused instead
 * of ignored: throws 501.
 */
export function withoutUnsupported(value: object, fields: readonly string[]): object {
  const asked = fields.filter((field) => !asksForNothing(Reflect.get(value, field)));
  if (asked.length > 0)
    throw new NicoFault(
      501,
      `This version does not take ${asked.join(", ")} with an Instance; leave it out`,
      Object.fromEntries(asked.map((field) => [field, "is not supported"])),
    );
  return Object.fromEntries(Object.entries(value).filter(([name]) => !fields.includes(name)));
}
