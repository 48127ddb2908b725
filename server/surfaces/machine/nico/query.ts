// Query parameters: only known ones, each with its own check (docs/api.md#nico).
import { z } from "zod";
import type { Page } from "@/server/usecases/page";
import { NicoFault } from "@/server/surfaces/machine/nico/faults";

/** All values of each parameter; some may be given several times. */
export type Query = ReadonlyMap<string, readonly string[]>;

/** `known` are the parameters of the contract. Throws 400 for any other, so that a misspelt filter does not return everything. */
export function readQuery(given: unknown, known: readonly string[]): Query {
  const query = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(typeof given === "object" && given !== null ? given : {})) {
    if (!known.includes(name))
      throw new NicoFault(400, `Unknown query parameter specified in request: ${name}`, {
        [name]: "unknown query parameter",
      });
    const values = (Array.isArray(value) ? value : [value]).filter(
      (one): one is string => typeof one === "string",
    );
    query.set(name, values);
  }
  return query;
}

/** All values of `name`, each validated by `schema`; null if it was not given. Throws 400. */
export function readList<Value>(
  query: Query,
  name: string,
  schema: z.ZodType<Value>,
  what: string,
): readonly Value[] | null {
  const values = query.get(name);
  if (values === undefined) return null;
  const refuse = (why: string): never => {
    throw new NicoFault(400, `Invalid ${what} in query`, { [name]: why });
  };
  if (values.length > 100) return refuse("must have at most 100 values");
  return values.map((value) => {
    const parsed = schema.safeParse(value);
    return parsed.success ? parsed.data : refuse(parsed.error.issues[0]?.message ?? "is not valid");
  });
}

/** The only value of `name`. Throws 400. */
export function readOne<Value>(
  query: Query,
  name: string,
  schema: z.ZodType<Value>,
  what: string,
): Value | null {
  const list = readList(query, name, schema, what);
  if (list !== null && list.length !== 1)
    throw new NicoFault(400, `Invalid ${what} in query`, { [name]: "must be given once" });
  return list?.[0] ?? null;
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

const pageNumber = count(1_000_000);
const pageSize = count(100);

/** `orders`: the values of `orderBy`; `first`: the default. Throws 400. */
export function readPage<Order extends string>(
  query: Query,
  orders: z.ZodType<Order>,
  first: Order,
): Page<Order> {
  try {
    return {
      pageNumber: readOne(query, "pageNumber", pageNumber, "pagination") ?? 1,
      pageSize: readOne(query, "pageSize", pageSize, "pagination") ?? 20,
      orderBy: readOne(query, "orderBy", orders, "pagination") ?? first,
    };
  } catch (error) {
    if (!(error instanceof NicoFault)) throw error;
    throw new NicoFault(400, "Failed to validate pagination request data", error.data);
  }
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
