// A generator for `prisma generate`: writes types of tables and columns for Kysely from prisma/schema (docs/adr/0040-the-host-record-once.md).
// Speaks Prisma's protocol: one JSON-RPC request per line on standard input, the response on standard error.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { createInterface } from "node:readline";

/** The TypeScript type of each column type. PostgreSQL's `numeric` is read as a string. @type {Record<string, string>} */
const columnTypes = {
  String: "string",
  Int: "number",
  Float: "number",
  BigInt: "bigint",
  Decimal: "string",
  Boolean: "boolean",
  Bytes: "Uint8Array",
  DateTime: "Date",
  Json: "unknown",
};

/**
 * @typedef {{ name: string, dbName?: string | null, kind: string, type: string, isList: boolean, isRequired: boolean, hasDefaultValue: boolean }} Field
 * @typedef {{ name: string, dbName: string | null, fields: Field[] }} Model
 */

/** @param {Field} field */
function columnOf(field) {
  const known = columnTypes[field.type];
  if (known === undefined) throw new Error(`prisma-tables: no type for columns of ${field.type}`);
  const element = field.isList ? `${known}[]` : known;
  const type = field.isRequired || known === "unknown" ? element : `${element} | null`;
  return `  readonly ${field.dbName ?? field.name}: ${field.hasDefaultValue || field.isList ? `Generated<${type}>` : type};`;
}

/**
 * A module with one type per table, and `Tables` with all of them.
 * @param {Model[]} models
 */
export function tablesOf(models) {
  const bodies = models.map(
    (model) =>
      `export interface ${model.name} {\n${model.fields
        .filter(({ kind }) => kind === "scalar")
        .map(columnOf)
        .join("\n")}\n}\n`,
  );
  const all = models.map((model) => `  readonly ${model.dbName ?? model.name}: ${model.name};`).join("\n");
  return `// Made by scripts/prisma-tables.mjs from prisma/schema.\nimport type { Generated } from "kysely";\n\n${bodies.join("\n")}\nexport interface Tables {\n${all}\n}\n`;
}

if (process.argv[1]?.endsWith("prisma-tables.mjs") === true)
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params } = JSON.parse(line);
    /** @param {object} answer */
    const answer = (answer) => process.stderr.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...answer })}\n`);
    if (method === "getManifest")
      answer({ result: { manifest: { prettyName: "types of tables", defaultOutput: "tables.ts" } } });
    if (method === "generate") {
      const path = params.generator.output.value;
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, tablesOf(params.dmmf.datamodel.models));
      answer({ result: null });
    }
  }
