// docs/examples/cli-output.md is written from the shapes of the command's output; a member that changes shows here.
import type { Command } from "commander";
import { z } from "zod";
import { expect, it } from "vitest";
import { outputSchema, outputVersion, pageMembers, printed, shapes } from "@/cli/output/shapes";
import { program } from "@/docs/testing/command-line";

const node = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  items: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  additionalProperties: z.unknown().optional(),
});
type Node = z.infer<typeof node>;
const nodeOf = (value: unknown): Node => node.parse(typeof value === "object" ? value : {});

/** More words than these are told as text. */
const mostWords = 8;

/** What a value is, in a word or two; null: it has members of its own. */
function textOf(schema: Node): string | null {
  const { type, format, enum: words, properties, items, additionalProperties } = schema;
  const variants = schema.anyOf ?? schema.oneOf;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (words !== undefined)
    return words.length > mostWords ? "text" : words.map((word) => JSON.stringify(word)).join(" | ");
  if (variants !== undefined) {
    const parts = variants.map((variant) => textOf(nodeOf(variant)));
    return parts.includes(null) ? null : [...new Set(parts)].join(" | ");
  }
  if (properties !== undefined || items !== undefined || additionalProperties instanceof Object) return null;
  if (format === "date-time") return "time";
  const types = [type ?? []].flat().filter((name) => name !== "object" && name !== "array");
  return types.length === 0 ? "any" : types.map((name) => (name === "string" ? "text" : name)).join(" | ");
}

/** `[].health.words  text`: each member with its path. */
function linesOf(value: unknown, path: string, optional = false): readonly string[] {
  const schema = nodeOf(value);
  const words = textOf(schema);
  const mark = optional ? ", may be missing" : "";
  if (words !== null) return [`${path === "" ? "." : path}  ${words}${mark}`];
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined) {
    const all = variants.map((variant) => linesOf(variant, path, optional));
    const others = all.filter((lines) => lines[0] !== `${path}  null`);
    return [
      ...(others.length < all.length ? [`${path}  null, or:`] : []),
      ...others.flatMap((lines, index) => (index === 0 ? lines : ["or:", ...lines])),
    ];
  }
  if (schema.items !== undefined) return linesOf(schema.items, `${path}[]`, optional);
  if (schema.properties === undefined) return linesOf(schema.additionalProperties, `${path}.*`, optional);
  const { required = [] } = schema;
  return Object.entries(schema.properties).flatMap(([name, member]) =>
    linesOf(member, path === "" ? name : `${path}.${name}`, optional || !required.includes(name)),
  );
}

const byText = new Map<string, string[]>();
for (const name of Object.keys(shapes)) {
  const text = linesOf(outputSchema(name), "").join("\n");
  byText.set(text, [...(byText.get(text) ?? []), name]);
}

const page = [
  "# Output of the command as data",
  "",
  `What [\`reclaim\`](../cli.md) prints with \`-o json\` and \`-o yaml\`: version ${outputVersion}. Written by \`npm run test:unit -- docs -u\`. \`reclaim schema hosts list\` prints the same as JSON Schema.`,
  "",
  "Within a version no member is taken away, renamed or gets another meaning; members may be added, so ignore those that you do not know. Texts for people (`message`, `says`, `detail`) are no interface. Times are ISO 8601 in UTC. With `--columns` a list has the chosen columns instead.",
  "",
  ...[...byText].flatMap(([text, names]) => [
    `## ${names[0] ?? ""}`,
    "",
    ...(names.length > 1 ? [`Also: ${names.slice(1).join(", ")}.`, ""] : []),
    "```text",
    text,
    "```",
    "",
  ]),
].join("\n");

it("is documented, member by member", () => expect(page).toMatchFileSnapshot("../examples/cli-output.md"));

const leaves = (command: Command, path: readonly string[] = []): readonly string[] =>
  command.commands.length === 0
    ? [path.join(" ")]
    : [...command.commands.flatMap((child) => leaves(child, [...path, child.name()]))];

/** They say that it was done, or print a text. */
const withoutData = [
  "procedures save",
  "procedures remove",
  "procedures record",
  "approvals approve",
  "exceptions ask",
  "exceptions withdraw",
  "approvals reject",
  "approvals withdraw",
  "hosts save-view",
  "hosts delete-view",
  "hosts withdraw-disposition",
  "hosts health add",
  "hosts health remove",
  "health-sources remove",
  "hosts lease give",
  "hosts lease break",
  "repair-systems remove",
  "tenants create",
  "tenants change",
  "tenants give",
  "tenants take",
  "tenants disable",
  "tenants enable",
  "enrolments retry",
  "enrolments wait",
  "instances rename",
  "instances label",
  "instances repair on",
  "instances repair off",
  "instances repair escalate",
  "hosts labels set",
  "repair outcome",
  "tickets update",
  "tickets close",
  "notices change",
  "notices end",
  "notices acknowledge",
  "webhooks test",
  "webhooks resume",
  "webhooks skip",
  "webhooks remove",
  "policy priorities set",
  "policy priorities unset",
  "policy automated-clean",
  "policy limits",
  "policy erase",
  "skus create",
  "skus change",
  "skus capture-baseline",
  "skus delete",
  "runbooks apply",
  "runbooks delete",
  "brakes engage",
  "brakes lift",
  "certificates get",
  "proof pack",
  "trust add",
  "evidence get",
  "evidence hold",
  "evidence end-hold",
  "audit check",
  "audit export",
  "audit proof",
  "audit rotate-key",
  "audit acknowledge",
  "witness",
  "failures note",
  "images add",
  "images widen",
  "images make-current",
  "images withdraw",
  "node set-provision-state",
  "users change",
  "users disable",
  "users enable",
  "tokens revoke",
  "sessions end",
  "admin after-restore",
  "login",
  "logout",
  "config set",
  "config path",
  "help",
  "schema",
  "completion",
  "__complete",
];

it("has a shape for every command that prints data, and for no other", () => {
  const known = leaves(program).filter((name) => !withoutData.includes(name));
  expect(Object.keys(shapes).toSorted()).toEqual([...known].toSorted());
});

it("has nothing that is only for pages, and keeps recorded facts", () => {
  for (const name of Object.keys(shapes)) {
    const schema = JSON.stringify(outputSchema(name));
    for (const member of pageMembers) expect(schema).not.toContain(`"${member}":{`);
  }
  const facts = { live: 1 };
  expect(printed({ tone: "good", rows: [{ live: true, name: "a" }], after: facts })).toEqual({
    rows: [{ name: "a" }],
    after: facts,
  });
});
