// Query parameters: known ones only, each with its own check (docs/api.md#nico).
import { z } from "zod";
import { nicoOk, nicoRefused, type NicoResult } from "@/server/surfaces/machine/nico/errors";

/** Every value of a parameter that may be given several times. */
export type Query = ReadonlyMap<string, readonly string[]>;

/** `known` are the parameters of the contract. Any other is an error, so that a misspelt filter does not give everything. */
export function readQuery(given: unknown, known: readonly string[]): NicoResult<Query> {
  const query = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(typeof given === "object" && given !== null ? given : {})) {
    if (!known.includes(name))
      return nicoRefused(400, `Unknown query parameter specified in request: ${name}`, {
        [name]: "unknown query parameter",
      });
    const values = (Array.isArray(value) ? value : [value]).filter(
      (one): one is string => typeof one === "string",
    );
    query.set(name, values);
  }
  return nicoOk(query);
}

/** All values of `name`, each of them right by `schema`; null when it is not given. */
export function readList<Value>(
  query: Query,
  name: string,
  schema: z.ZodType<Value>,
  what: string,
): NicoResult<readonly Value[] | null> {
  const values = query.get(name);
  if (values === undefined) return nicoOk(null);
  const parsed = z.array(schema).max(100).safeParse(values);
  return parsed.success
    ? nicoOk(parsed.data)
    : nicoRefused(400, `Invalid ${what} in query`, {
        [name]: parsed.error.issues[0]?.message ?? "is not valid",
      });
}

export function readOne<Value>(
  query: Query,
  name: string,
  schema: z.ZodType<Value>,
  what: string,
): NicoResult<Value | null> {
  const list = readList(query, name, schema, what);
  if (!list.ok) return list;
  if (list.value !== null && list.value.length !== 1)
    return nicoRefused(400, `Invalid ${what} in query`, { [name]: "must be given once" });
  return nicoOk(list.value?.[0] ?? null);
}

export interface Page<Order extends string> {
  readonly pageNumber: number;
  readonly pageSize: number;
  readonly orderBy: Order;
}

export const pageParameters = ["pageNumber", "pageSize", "orderBy"] as const;

const count = (max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, "must be a number")
    .transform(Number)
    .pipe(
      z
        .number()
        .min(1, "must be greater than or equal to: 1")
        .max(max, `must be less that or equal to: ${max}`),
    ); // sic: NICo's words

/** `orders` are the values of `orderBy`, the default first. */
export function readPage<Order extends string>(
  query: Query,
  orders: readonly [Order, ...Order[]],
): NicoResult<Page<Order>> {
  const wrong = "Failed to validate pagination request data";
  const number = readOne(query, "pageNumber", count(1_000_000), "pagination");
  const size = readOne(query, "pageSize", count(100), "pagination");
  const order = readOne(query, "orderBy", z.enum(orders), "pagination");
  for (const part of [number, size, order]) if (!part.ok) return nicoRefused(400, wrong, part.error.data);
  if (!number.ok || !size.ok || !order.ok) return nicoRefused(400, wrong);
  return nicoOk({
    pageNumber: number.value ?? 1,
    pageSize: size.value ?? 20,
    orderBy: order.value ?? orders[0],
  });
}

/** The value of the `X-Pagination` header. */
export function pagination(page: Page<string>, total: number): string {
  return JSON.stringify({
    pageNumber: page.pageNumber,
    pageSize: page.pageSize,
    total,
    orderBy: page.orderBy,
  });
}
