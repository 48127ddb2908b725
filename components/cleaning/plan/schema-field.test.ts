// Forms from schemas: each declared argument gets a field, and the typed text becomes its value.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { cleanSteps } from "@/server/domain/cleaning/steps/catalogue";
import { stepName } from "@/server/domain/cleaning/steps/step";
import {
  fieldOf,
  linesOf,
  numberOf,
  formatPath,
  scalarOf,
  withMember,
} from "@/components/cleaning/plan/schema-field";

const field = (schema: z.ZodType, required = false) =>
  fieldOf({ name: "x", description: "", required, schema: z.toJSONSchema(schema) });

describe("a field", () => {
  it.each([
    [z.string().max(5), { kind: "text" }, "text"],
    [z.url(), { kind: "text" }, "uri"],
    [z.int().min(0).max(3600), { kind: "number", whole: true }, "integer, 0 to 3,600"],
    [z.number().gt(0).max(1), { kind: "number", whole: false }, "number, more than 0, at most 1"],
    [z.boolean(), { kind: "flag" }, "yes or no"],
    [z.enum(["uefi", "bios"]), { kind: "choice", choices: ["uefi", "bios"] }, "one of these"],
    [z.union([z.string(), z.number(), z.boolean()]), { kind: "scalar" }, "text, number, or true or false"],
    [z.array(z.string()), { kind: "texts" }, "one per line"],
    [z.array(z.array(z.string())), { kind: "json" }, "JSON"],
    [z.record(z.string(), z.json()), { kind: "json" }, "JSON"],
  ] as const)("for %#", (schema, kind, hint) => {
    expect(field(schema)).toMatchObject({ kind, hint });
  });

  it("of a list of objects has their members", () => {
    const { kind, hint } = field(
      z.array(z.strictObject({ name: z.string(), wait: z.int().optional() })),
      true,
    );
    expect(hint).toBe("a list, required");
    expect(
      kind.kind === "objects" ? kind.fields.map(({ name, required }) => [name, required]) : kind,
    ).toEqual([
      ["name", true],
      ["wait", false],
    ]);
  });

  it("fits every argument of the catalogue without typed JSON", () => {
    const kinds = cleanSteps.flatMap((step) =>
      step.args.map((arg) => [
        `${stepName(step)} ${arg.name}`,
        fieldOf({ ...arg, schema: z.toJSONSchema(arg.schema) }).kind.kind,
      ]),
    );
    expect(kinds.length).toBeGreaterThan(10);
    expect(kinds.filter(([, kind]) => kind === "json")).toEqual([]);
  });
});

describe("what is typed", () => {
  it("is a number, or stays as it is for the check to refuse", () => {
    expect([numberOf("12"), numberOf(" 0.5 "), numberOf("a dozen"), numberOf(" ")]).toEqual([
      12,
      0.5,
      "a dozen",
      undefined,
    ]);
    expect([scalarOf("true"), scalarOf("false"), scalarOf("7"), scalarOf("Enabled"), scalarOf("")]).toEqual([
      true,
      false,
      7,
      "Enabled",
      undefined,
    ]);
  });

  it("is a list, by lines or commas", () => {
    expect(linesOf("A1\n B2 ,C3\n\n")).toEqual(["A1", "B2", "C3"]);
    expect(linesOf(" \n")).toBeUndefined();
  });

  it("sets a member, or takes it away", () => {
    expect(withMember({ a: 1 }, "b", 2)).toEqual({ a: 1, b: 2 });
    expect(withMember({ a: 1, b: 2 }, "a", undefined)).toEqual({ b: 2 });
  });
});

it("writes places in lists as people do", () => {
  expect(formatPath("settings.0.checksum")).toBe("settings[0].checksum");
});
