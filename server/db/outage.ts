// Temporary database failures, such as a full disk, no free connection or a restart. The request itself is not at fault.

export interface Outage {
  /** In words for people. */
  readonly message: string;
  /** What shows that it is over: any answer of the database, or only something that it stored. */
  readonly endsWith: "answer" | "write";
}

const unreachable: Outage = { message: "the database cannot be reached", endsWith: "answer" };

/** SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html), Node's and Prisma's codes, and what they mean. */
const causes: readonly { readonly code: RegExp; readonly outage: Outage }[] = [
  {
    code: /^53100$/,
    outage: { message: "the database's disk is full: free space on it, or enlarge it", endsWith: "write" },
  },
  { code: /^53200$/, outage: { message: "the database is out of memory", endsWith: "write" } },
  {
    code: /^(?:53300|P2037|53400|53000|TooManyConnections)$/,
    outage: {
      message: "the database is at one of its limits, such as its number of connections",
      endsWith: "write",
    },
  },
  { code: /^25006$/, outage: { message: "the database is read-only", endsWith: "write" } },
  { code: /^57P0[1-5]$/, outage: { message: "the database is stopping or starting", endsWith: "answer" } },
  {
    code: /^(?:08\w{3}|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|P1001|P1002|P1008|P1017|P2024|DatabaseNotReachable|ConnectionClosed|SocketTimeout)$/,
    outage: unreachable,
  },
];

const lostConnection =
  /Connection terminated|timeout exceeded when trying to connect|Cannot use a pool after|Client has encountered a connection error/;

const member = (error: object, name: string): unknown => Reflect.get(error, name);

/** Why the database is temporarily unavailable, in words for people; null: the error is of another kind. Also looks at the error's causes. */
export const outageOf = (error: unknown): string | null => findOutage(error)?.message ?? null;

/** The same, with what shows its end. */
export function findOutage(error: unknown): Outage | null {
  let at: unknown = error;
  for (let depth = 0; depth < 6 && typeof at === "object" && at !== null; depth += 1) {
    const given: object = at;
    // Prisma's adapter keeps PostgreSQL's code as `originalCode`. An error without one, as from a raw statement, is recognised by its `kind`.
    const codes = [member(given, "originalCode"), member(given, "code"), member(given, "kind")].filter(
      (code) => typeof code === "string",
    );
    const cause = causes.find(({ code: pattern }) => codes.some((code) => pattern.test(code)));
    if (cause !== undefined) return cause.outage;
    if (given instanceof Error && lostConnection.test(given.message)) return unreachable;
    at = member(given, "cause") ?? driverError(given);
  }
  return null;
}

/** The error of a raw statement carries the driver's error in `meta`. */
function driverError(error: object): unknown {
  const meta = member(error, "meta");
  return typeof meta === "object" && meta !== null ? member(meta, "driverAdapterError") : undefined;
}
