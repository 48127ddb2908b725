// Maps fields of the host record to the database: each schema carries its column and type in PostgreSQL (docs/adr/0040-the-host-record-once.md).
import { z } from "zod";
import { isState } from "@/server/domain/lifecycle/states";
import type { State } from "@/server/domain/lifecycle/states";

/** `time`: `timestamptz` in the table, ms in the record. `counter`: `bigint` in the table, text in the record, because it may exceed 2^53. */
export type ColumnType =
  | "uuid"
  | "text"
  | "text[]"
  | "int"
  | "bigint"
  | "counter"
  | "float8"
  | "boolean"
  | "jsonb"
  | "time";

export interface Column {
  readonly type: ColumnType;
  /** Set if it differs from the field's name in snake case (times: without the unit). */
  readonly name?: string;
}

const columns = z.registry<Column>();

function stored<S extends z.ZodType>(schema: S, column: Column): S {
  columns.add(schema, column);
  return schema;
}

/** A read-only list. */
export const list = <S extends z.ZodType>(of: S): z.ZodType<readonly z.output<S>[]> => z.array(of);

export const uuid = () => stored(z.string(), { type: "uuid" });
export const text = () => stored(z.string(), { type: "text" });
export const texts = () => stored(list(z.string()), { type: "text[]" });
export const int = () => stored(z.number(), { type: "int" });
export const bigint = () => stored(z.number(), { type: "bigint" });
export const counter = () => stored(z.string(), { type: "counter" });
export const float = () => stored(z.number(), { type: "float8" });
export const flag = () => stored(z.boolean(), { type: "boolean" });
/** One value of a list. */
export const oneOf = <const T extends readonly string[]>(words: T) => stored(z.enum(words), { type: "text" });
/** Several values of a list. */
export const someOf = <const T extends readonly string[]>(words: T) =>
  stored(list(z.enum(words)), { type: "text[]" });
/** A time by the database's clock; `name`: its column. */
export const time = (name?: string) =>
  stored(z.number(), name === undefined ? { type: "time" } : { type: "time", name });
export const json = <S extends z.ZodType>(schema: S): S => stored(schema, { type: "jsonb" });

/** A document that was validated when it was stored. It is not checked again. */
export const trusted = <T>() => z.custom<T>((value) => typeof value === "object" && value !== null);

/** A state known to this version. Any other is an error and never falls back to a default (docs/adr/0024-rolling-upgrade.md). */
export const state = () =>
  stored(
    z.string().transform((value, context): State => {
      if (isState(value)) return value;
      context.addIssue(`state ${value} is not known to this version`);
      return z.NEVER;
    }),
    { type: "text" },
  );

export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The column of a field; null if it is computed. */
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

/** A parser's result as deeply read-only. */
export type Frozen<T> = { readonly [K in keyof T]: Member<T[K]> };
type Member<T> = T extends readonly (infer E)[] ? readonly Readonly<E>[] : Readonly<T>;
