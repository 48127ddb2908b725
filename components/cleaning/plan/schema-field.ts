// Maps the JSON Schemas of arguments to kinds of form fields.
import type { z } from "zod";
import { formatCount } from "@/server/domain/numbers";

type Schema = z.core.JSONSchema.BaseSchema;
export type Json = z.core.util.JSONType;
export type JsonObject = Record<string, Json>;

export type FieldKind =
  | { readonly kind: "text" }
  | { readonly kind: "number"; readonly whole: boolean }
  | { readonly kind: "flag" }
  | { readonly kind: "choice"; readonly choices: readonly string[] }
  /** A text, a number or a boolean, parsed from the typed text. */
  | { readonly kind: "scalar" }
  | { readonly kind: "texts" }
  | { readonly kind: "objects"; readonly fields: readonly Field[] }
  /** No field fits the schema; JSON is typed instead. */
  | { readonly kind: "json" };

export interface Field {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** "integer, 0 to 3600": the accepted input. */
  readonly hint: string;
  readonly kind: FieldKind;
}

const isSchema = (value: Schema | boolean | undefined): value is Schema => typeof value === "object";

/** The values of an enumeration, if all are strings. */
function choicesOf({ enum: values }: Schema): readonly string[] | null {
  if (!Array.isArray(values)) return null;
  const texts = values.filter((value) => typeof value === "string");
  return texts.length === values.length ? texts : null;
}

const isScalar = (type: Schema["type"]): boolean =>
  type === "string" || type === "number" || type === "integer" || type === "boolean";

function kindOf(schema: Schema): FieldKind {
  const choices = choicesOf(schema);
  if (choices !== null) return { kind: "choice", choices };
  if (Array.isArray(schema.type)) return schema.type.every(isScalar) ? { kind: "scalar" } : { kind: "json" };
  if (schema.anyOf !== undefined)
    return schema.anyOf.every(({ type }) => isScalar(type)) ? { kind: "scalar" } : { kind: "json" };
  switch (schema.type) {
    case "string":
      return { kind: "text" };
    case "integer":
    case "number":
      return { kind: "number", whole: schema.type === "integer" };
    case "boolean":
      return { kind: "flag" };
    case "array":
      return listKind(schema);
    default:
      return { kind: "json" };
  }
}

function listKind({ items }: Schema): FieldKind {
  if (items === undefined || Array.isArray(items) || typeof items !== "object" || !("type" in items))
    return { kind: "json" };
  if (items.type === "string") return { kind: "texts" };
  if (items.type !== "object" || items.properties === undefined) return { kind: "json" };
  const required = new Set(items.required ?? []);
  const fields = Object.entries(items.properties).flatMap(([name, schema]) =>
    isSchema(schema)
      ? [fieldOf({ name, description: schema.description ?? "", required: required.has(name), schema })]
      : [],
  );
  return { kind: "objects", fields };
}

/** "0 to 3600", "at least 1", "more than 0, at most 1"; null if unbounded. */
function formatRange({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): string | null {
  if (minimum !== undefined && maximum !== undefined)
    return `${formatCount(minimum)} to ${formatCount(maximum)}`;
  const words = [
    minimum === undefined ? null : `at least ${formatCount(minimum)}`,
    exclusiveMinimum === undefined ? null : `more than ${exclusiveMinimum}`,
    maximum === undefined ? null : `at most ${formatCount(maximum)}`,
    exclusiveMaximum === undefined ? null : `less than ${exclusiveMaximum}`,
  ].filter((word) => word !== null);
  return words.length === 0 ? null : words.join(", ");
}

function typeText(schema: Schema, kind: FieldKind): string {
  switch (kind.kind) {
    case "text":
      return schema.format ?? "text";
    case "number":
      return [kind.whole ? "integer" : "number", formatRange(schema)]
        .filter((word) => word !== null)
        .join(", ");
    case "flag":
      return "yes or no";
    case "choice":
      return "one of these";
    case "scalar":
      return "text, number, or true or false";
    case "texts":
      return "one per line";
    case "objects":
      return "a list";
    case "json":
      return "JSON";
  }
}

/** The field for one argument. Pure. */
export function fieldOf({
  name,
  description,
  required,
  schema,
}: {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema;
}): Field {
  const kind = kindOf(schema);
  return {
    name,
    description,
    required,
    kind,
    hint: `${typeText(schema, kind)}${required ? ", required" : ""}`,
  };
}

/** Parses a typed number. Text that is not a number is returned as it is, for the check to report; empty text gives undefined. Pure. */
export function numberOf(text: string): Json | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : text;
}

/** Parses a text, a number or a boolean. Pure. */
export function scalarOf(text: string): Json | undefined {
  if (text === "true" || text === "false") return text === "true";
  return numberOf(text);
}

/** The non-empty lines of a text; undefined if there are none. Pure. */
export function linesOf(text: string): Json | undefined {
  const lines = text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return lines.length === 0 ? undefined : lines;
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The object with one member set or removed. Pure. */
export function withMember(object: JsonObject, name: string, value: Json | undefined): JsonObject {
  if (value === undefined) return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
  return { ...object, [name]: value };
}

/** Formats `settings.0.checksum` as `settings[0].checksum`. Pure. */
export const formatPath = (path: string): string => path.replace(/\.(\d+)/g, "[$1]");
