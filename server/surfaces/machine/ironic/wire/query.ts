// Query arguments: only known ones, each with its own check (docs/api-ironic.md#versions-and-errors).
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { fault } from "@/server/surfaces/machine/ironic/wire/errors";

/** By name; each was given once. */
export type Query = ReadonlyMap<string, string>;

const raw = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

/** Throws 400 for an argument that is not in `known`, so that a misspelt filter does not return everything, and for one that is given twice. */
export function readQuery(request: FastifyRequest, known: readonly string[]): Query {
  const given = Object.entries(raw.parse(request.query));
  const unexpected = given.map(([name]) => name).filter((name) => !known.includes(name));
  if (unexpected.length > 0) throw fault(400, `Unexpected arguments: ${unexpected.join(", ").slice(0, 200)}`);
  const query = new Map<string, string>();
  for (const [name, value] of given) {
    if (typeof value !== "string") throw fault(400, `Expected one value for ${name}`);
    if (/[\u0000\ud800-\udfff]/u.test(value)) throw fault(400, `Expected string for ${name}`);
    query.set(name, value);
  }
  return query;
}

const yes = new Set(["1", "t", "true", "on", "y", "yes"]);
const no = new Set(["0", "f", "false", "off", "n", "no"]);

/** Ironic's strict boolean of a text; null if it is not one. */
export function booleanOf(text: string): boolean | null {
  const word = text.trim().toLowerCase();
  return yes.has(word) ? true : no.has(word) ? false : null;
}

/** Undefined if it was not given. Throws 400. */
export function readFlag(query: Query, name: string): boolean | undefined {
  const text = query.get(name);
  if (text === undefined) return undefined;
  const value = booleanOf(text);
  if (value === null)
    throw fault(
      400,
      `Invalid ${name}: Unrecognized value '${text.slice(0, 50)}', acceptable values are: ${[...no, ...yes]
        .sort()
        .map((word) => `'${word}'`)
        .join(", ")}`,
    );
  return value;
}

const uuid = z.guid();

/** Undefined if it was not given. Throws 400. */
export function readUuid(query: Query, name: string): string | undefined {
  const text = query.get(name);
  if (text !== undefined && !uuid.safeParse(text).success)
    throw fault(400, `Expected UUID for ${name}: ${text.slice(0, 50)}`);
  return text?.toLowerCase();
}

/** The maximum page size, and the default. */
export const maxItems = 1_000;

/** The page size. Throws 400 for anything but a number, and for 0 or less; more than the maximum is reduced to it. */
export function readLimit(query: Query): number {
  const text = query.get("limit");
  if (text === undefined) return maxItems;
  if (!/^\s*[+-]?\d{1,15}\s*$/.test(text))
    throw fault(400, `Expected an integer for limit: ${text.slice(0, 50)}`);
  const limit = Number(text);
  if (limit <= 0) throw fault(400, "Limit must be positive");
  return Math.min(limit, maxItems);
}
