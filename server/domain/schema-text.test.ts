// The messages for invalid values: always a sentence about the value, and never the validator's own text.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { formatDocument, faultLines, formatIssue } from "@/server/domain/schema-text";

const textOf = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value, { error: formatIssue }).error?.issues.map(({ message }) => message);

describe("formatIssue", () => {
  it.each([
    ["a type", z.string(), 5, "must be text, not a number"],
    ["a list", z.array(z.string()), "x", "must be a list, not text"],
    ["an object", z.strictObject({}), [], "must be an object, not a list"],
    ["null", z.boolean(), null, "must be true or false, not null"],
    ["nothing", z.string(), undefined, "is required"],
    ["a whole number", z.int(), "5", "must be a number, not text"],
    ["a broken number", z.int(), 1.5, "must be a whole number"],
    ["a choice", z.enum(["uefi", "bios"]), "x", 'must be "uefi" or "bios"'],
    ["a choice that is not there", z.enum(["uefi", "bios"]), undefined, "is required"],
    ["a number too small", z.int().min(1), 0, "must be at least 1"],
    ["a number that is the limit", z.number().gt(0), 0, "must be more than 0"],
    ["a number too big", z.number().max(1), 2, "must be at most 1"],
    ["a text too short", z.string().min(1), "", "must have at least 1 character"],
    ["a text too long", z.string().max(2), "abc", "must have at most 2 characters"],
    ["a list too short", z.array(z.string()).min(2), [], "must have at least 2 entries"],
    ["members", z.strictObject({}), { colour: 1 }, "has no member colour"],
    ["a union", z.union([z.string(), z.number()]), true, "has none of the forms that are allowed"],
    ["a form", z.guid(), "x", "must be a valid UUID"],
    ["the schema's own words", z.string({ error: "is not my text" }), 5, "is not my text"],
    ["a refinement", z.string().refine(() => false, "is not that"), "x", "is not that"],
  ] as const)("%s", (_what, schema, value, words) => expect(textOf(schema, value)).toEqual([words]));
});

describe("formatDocument", () => {
  const linesOf = (schema: z.ZodType, value: unknown) => {
    const { error } = schema.safeParse(value, { error: formatDocument });
    return error === undefined ? "" : faultLines(error);
  };
  it.each([
    ["a choice", z.enum(["uefi", "bios"]), "x", 'must be "uefi" or "bios", not "x"'],
    ["a choice of another type", z.literal(1), [], "must be 1, not a list"],
    ["a number", z.int().min(1), 0, "must be at least 1, not 0"],
    ["a text", z.string().max(2), "abc", "must have at most 2 characters, not 3"],
    ["a text without quotes", z.string(), 5, "must be text, not a number: put it in quotes"],
    ["a type", z.number(), "5", "must be a number, not text"],
    ["nothing", z.enum(["a"]), undefined, "is required"],
  ] as const)("%s: what is allowed, and what was found", (_what, schema, value, words) =>
    expect(linesOf(schema, value)).toBe(words),
  );
  it("names each place", () =>
    expect(linesOf(z.strictObject({ a: z.array(z.number()), b: z.string() }), { a: ["x"] })).toBe(
      "a.0: must be a number, not text\nb: is required",
    ));
});
