// Validation messages that follow the name of the value: "must be a list, not text".
import type { z } from "zod";

/** An issue as Zod passes it to a parse's error map, including the value. */
type Issue = Parameters<z.core.$ZodErrorMap>[0];

/** For a missing value. */
export const required = "is required";

const typeText: Readonly<Record<string, string>> = {
  array: "a list",
  bigint: "a whole number",
  boolean: "true or false",
  date: "a time",
  int: "a whole number",
  number: "a number",
  null: "null",
  object: "an object",
  record: "an object",
  string: "text",
  undefined: "left out",
};

const wordOf = (type: string): string => typeText[type] ?? `of type ${type}`;

function typeOf(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "a list";
  return wordOf(typeof value);
}

function shown(value: unknown): string {
  if (typeof value === "string") return `"${value}"`;
  return typeof value === "object" ? typeOf(value) : String(value);
}

const orList = new Intl.ListFormat("en", { type: "disjunction" });

const units: Readonly<Record<string, readonly [one: string, other: string]>> = {
  string: ["character", "characters"],
  array: ["entry", "entries"],
  set: ["entry", "entries"],
  object: ["member", "members"],
  map: ["member", "members"],
};
const plural = new Intl.PluralRules("en");

/** A limit on a size or a number. @param most whether it is a maximum */
function formatLimit(origin: string, limit: number | bigint, most: boolean, inclusive: boolean): string {
  const unit = units[origin];
  if (unit === undefined)
    return `must be ${most ? (inclusive ? "at most" : "less than") : inclusive ? "at least" : "more than"} ${limit}`;
  const words = unit[plural.select(Number(limit)) === "one" ? 0 : 1];
  return `must have at ${most ? "most" : "least"} ${limit} ${words}`;
}

/** What was found, unless the message already says so. Long text is not repeated in full. */
function foundText(issue: Issue): string {
  const { input } = issue;
  switch (issue.code) {
    case "invalid_value":
      return `, not ${shown(typeof input === "string" ? input.slice(0, 100) : input)}`;
    case "too_small":
    case "too_big":
      if (typeof input === "string" || Array.isArray(input)) return `, not ${input.length}`;
      return typeof input === "number" ? `, not ${input}` : "";
    case "invalid_type":
      return issue.expected === "string" && typeof input === "number" ? ": put it in quotes" : "";
    default:
      return "";
  }
}

/** `formatIssue` for documents that people write: also says what was found. Pure. */
export function formatDocument(issue: Issue): string | undefined {
  const words = formatIssue(issue);
  return words === undefined || issue.input === undefined ? words : `${words}${foundText(issue)}`;
}

/** All faults of a document, one per line, each with its path. Pure. */
export const faultLines = ({ issues }: z.ZodError): string =>
  issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`))
    .join("\n");

/**
 * Undefined if the schema's own message, or Zod's, is better. To be passed to a parse: `schema.safeParse(value, { error: formatIssue })`; messages
 * defined in the schema take precedence. Pure.
 */
export function formatIssue(issue: Issue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return required;
      // A number, but not an integer.
      if (typeof issue.input === "number" && /^(?:int|safeint)/.test(issue.expected))
        return "must be a whole number";
      return `must be ${wordOf(issue.expected)}, not ${typeOf(issue.input)}`;
    case "invalid_value":
      return issue.input === undefined ? required : `must be ${orList.format(issue.values.map(shown))}`;
    case "too_small":
      return formatLimit(issue.origin, issue.minimum, false, issue.inclusive !== false);
    case "too_big":
      return formatLimit(issue.origin, issue.maximum, true, issue.inclusive !== false);
    case "unrecognized_keys":
      return `has no member ${orList.format(issue.keys.map((key) => key.slice(0, 100)))}`;
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "invalid_format":
      return issue.format === "regex"
        ? "has characters that are not allowed, or is too long"
        : `must be a valid ${issue.format === "guid" ? "UUID" : issue.format}`;
    case "invalid_union":
      return issue.input === undefined ? required : "has none of the forms that are allowed";
    default:
      return undefined;
  }
}
