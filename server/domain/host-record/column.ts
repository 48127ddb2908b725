// Where a field of the host record is stored: its column and type in PostgreSQL stand beside its schema (docs/adr/0040-the-host-record-once.md).
import { z } from "zod";
import { isState } from "@/server/domain/lifecycle/states";
import type { State } from "@/server/domain/lifecycle/states";

/** `time`: `timestamptz` in the table, ms in the record. `counter`: `bigint` in the table, text in the record, because it may exceed 2^53. */
export type ColumnType =
  "uuid" | "text" | "text[]" | "int" | "bigint" | "counter" | "float8" | "boolean" | "jsonb" | "time";

export interface Column {
  readonly type: ColumnType;
  /** Where it is another one than the field's name in snake case, for a time without its unit. */
  readonly name?: string;
}

const columns = z.registry<Column>();

function stored<S extends z.ZodType>(schema: S, column: Column): S {
  columns.add(schema, column);
  return schema;
}

/** A list that nobody changes. */
export const list = <S extends z.ZodType>(of: S): z.ZodType<readonly z.output<S>[]> => z.array(of);

export const uuid = () => stored(z.string(), { type: "uuid" });
export const text = () => stored(z.string(), { type: "text" });
export const texts = () => stored(list(z.string()), { type: "text[]" });
export const int = () => stored(z.number(), { type: "int" });
export const bigint = () => stored(z.number(), { type: "bigint" });
export const counter = () => stored(z.string(), { type: "counter" });
export const float = () => stored(z.number(), { type: "float8" });
export const flag = () => stored(z.boolean(), { type: "boolean" });
/** One of a list of words. */
export const oneOf = <const T extends readonly string[]>(words: T) => stored(z.enum(words), { type: "text" });
/** Several of a list of words. */
export const someOf = <const T extends readonly string[]>(words: T) =>
  stored(list(z.enum(words)), { type: "text[]" });
/** A moment by the database's clock; `name`: its column. */
export const time = (name?: string) =>
  stored(z.number(), name === undefined ? { type: "time" } : { type: "time", name });
export const json = <S extends z.ZodType>(schema: S): S => stored(schema, { type: "jsonb" });

/** A document that was validated when it came in: it is taken as it is. */
export const trusted = <T>() => z.custom<T>((value) => typeof value === "object" && value !== null);

/** A state that this version knows. Any other is an error, never a default (docs/adr/0024-rolling-upgrade.md). */
export const state = () =>
  stored(
    z.string().transform((value, context): State => {
      if (isState(value)) return value;
      context.addIssue(`state ${value} is not known to this version`);
      return z.NEVER;
    }),
    { type: "text" },
  );

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The column of a field; null for one that is computed. */
export function columnOf(field: string, schema: z.core.$ZodType): Required<Column> | null {
  const column = columns.get(schema);
  if (column !== undefined) {
    const name = column.name ?? snakeCase(column.type === "time" ? field.replace(/Ms$/, "") : field);
    return { type: column.type, name };
  }
  return schema instanceof z.ZodNullable || schema instanceof z.ZodOptional
    ? columnOf(field, schema.unwrap())
    : null;
}

/** What a parser returns, and nobody's to change: of each member, and of each member's own. */
export type Frozen<T> = { readonly [K in keyof T]: Member<T[K]> };
type Member<T> = T extends readonly (infer E)[] ? readonly Readonly<E>[] : Readonly<T>;
