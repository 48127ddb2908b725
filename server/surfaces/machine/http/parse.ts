// Checks input against its schema: returns the value, or a problem that names the field.
import type { z } from "zod";
import type { MachineProblem } from "@/server/surfaces/machine/http/problems";
import { formatIssue } from "@/server/domain/schema-text";

export type Parsed<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: MachineProblem };

/** `whole`: the name of the input, for errors that no single member causes. */
export function parse<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  whole: string,
): Parsed<z.output<Schema>> {
  const result = schema.safeParse(input, { error: formatIssue });
  if (result.success) return { ok: true, value: result.data };
  const issue = result.error.issues[0];
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  const path = [...(issue?.path ?? []), ...(unknown === undefined ? [] : [unknown])].map(String).join(".");
  const field = path === "" ? whole : path;
  return {
    ok: false,
    problem: { code: "invalid", field, detail: `${field}: ${issue?.message ?? "is not valid"}` },
  };
}
