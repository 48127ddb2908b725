// SQL derived from the schemas of the host record: what a claim selects, what a commit's lists contain and assign (docs/adr/0040-the-host-record-once.md).
import type { z } from "zod";
import { columnOf } from "@/server/domain/hosts/record/column";
import type { Column, ColumnType } from "@/server/domain/hosts/record/column";

/** A database time in ms. */
export const ms = (column: string): string => `floor(extract(epoch from ${column}) * 1000)`;

/** A list of words for `IN`. */
export const literals = (words: readonly string[]): string =>
  `(${words.map((word) => `'${word}'`).join(", ")})`;

/** Names of fields are quoted, names of columns are not. */
const quoted = (name: string): string => `"${name}"`;

/** The types after `AS` in a `jsonb_to_recordset`: how each type appears in the payload. */
const payloadTypes = {
  uuid: "uuid",
  text: "text",
  "text[]": "text[]",
  int: "int",
  bigint: "bigint",
  counter: "bigint",
  float8: "float8",
  boolean: "boolean",
  jsonb: "jsonb",
  time: "float8",
} satisfies Record<ColumnType, string>;

interface FieldColumn {
  readonly field: string;
  readonly column: Required<Column>;
}

type Fields<S extends z.ZodObject> = readonly (keyof S["shape"] & string)[];

/** The fields with a column. Throws for a field without one, unless it is listed in `computed`, whose expressions are written by hand. */
function columnsOf<S extends z.ZodObject>(schema: S, computed: Fields<S>): readonly FieldColumn[] {
  return Object.entries(schema.shape)
    .filter(([field]) => !computed.some((name) => name === field))
    .map(([field, member]) => {
      const column = columnOf(field, member);
      if (column === null) throw new Error(`the field ${field} has no column`);
      return { field, column };
    });
}

/** Quotes a reserved word of SQL. */
const nameOf = ({ name }: Required<Column>): string => (name === "where" ? quoted(name) : name);

function read(alias: string, column: Required<Column>): string {
  const expression = `${alias}.${nameOf(column)}`;
  switch (column.type) {
    case "time":
      return ms(expression);
    case "counter":
      return `${expression}::text`;
    default:
      return expression;
  }
}

const written = ({ field, column }: FieldColumn): string =>
  column.type === "time" ? `to_timestamp(i.${quoted(field)} / 1000.0)` : `i.${quoted(field)}`;

/** Arguments of `json_build_object`: each field and its column, except those in `computed`. */
export const members = <S extends z.ZodObject>(schema: S, alias: string, computed: Fields<S> = []): string =>
  columnsOf(schema, computed)
    .map(({ field, column }) => `'${field}', ${read(alias, column)}`)
    .join(", ");

/** Columns that an INSERT names. */
export const columnNames = <S extends z.ZodObject>(schema: S, computed: Fields<S> = []): string =>
  columnsOf(schema, computed)
    .map(({ column }) => nameOf(column))
    .join(", ");

/** Their values, from a row `i` of the payload. */
export const values = <S extends z.ZodObject>(schema: S, computed: Fields<S> = []): string =>
  columnsOf(schema, computed).map(written).join(", ");

/** What an UPDATE assigns, from a row `i` of the payload. */
export const assignments = <S extends z.ZodObject>(schema: S, computed: Fields<S> = []): string =>
  columnsOf(schema, computed)
    .map((entry) => `${nameOf(entry.column)} = ${written(entry)}`)
    .join(", ");

/** What an `ON CONFLICT … DO UPDATE` assigns: the values that could not be inserted. */
export const excluded = <S extends z.ZodObject>(schema: S): string =>
  columnsOf(schema, [])
    .map(({ column }) => `${nameOf(column)} = excluded.${nameOf(column)}`)
    .join(", ");

/** The fields of a payload list, with their types. */
export const payloadColumns = (schema: z.ZodObject): string =>
  columnsOf(schema, [])
    .map(({ field, column }) => `${quoted(field)} ${payloadTypes[column.type]}`)
    .join(", ");
