// What each command prints as JSON and YAML: the answers of the contract, without the members that only the console's pages use
// (docs/cli.md).
import { z } from "zod";
import { rows } from "@/cli/commands/rows";
import { pageMembers } from "@/cli/output/printed";

/** Incremented when a member is removed, renamed or changes its meaning; not for new members. */
export const outputVersion = 1;

/** By command. */
export const shapes: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  rows.flatMap(({ path, shape }) => (shape === null ? [] : [[path, shape] as const])),
);

const withProperties = z.looseObject({
  properties: z.record(z.string(), z.unknown()),
  required: z.array(z.string()).default([]),
});

/** Removes page members at every depth. */
function withoutPageMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPageMembers);
  if (typeof value !== "object" || value === null) return value;
  const parsed = withProperties.safeParse(value);
  const members = parsed.success
    ? {
        ...value,
        properties: Object.fromEntries(
          Object.entries(parsed.data.properties).filter(([name]) => !pageMembers.has(name)),
        ),
        required: parsed.data.required.filter((name) => !pageMembers.has(name)),
      }
    : value;
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, withoutPageMembers(member)]),
  );
}

/** JSON Schema (2020-12) of a command's output; null if it prints no data. */
export function outputSchema(command: string): unknown {
  const shape = shapes[command];
  if (shape === undefined) return null;
  const schema = z.toJSONSchema(shape, {
    io: "output",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === "date")
        Object.assign(jsonSchema, { type: "string", format: "date-time" });
    },
  });
  return withoutPageMembers(schema);
}
