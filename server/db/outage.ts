// When the database does not do what it is asked for a reason that passes: a full disk, no connection left, a restart. What was asked is not at fault.

/** SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html), Node's and Prisma's codes, and what it means in words. */
const causes: readonly { readonly code: RegExp; readonly message: string }[] = [
  { code: /^53100$/, message: "the database's disk is full: free space on it, or enlarge it" },
  { code: /^53200$/, message: "the database is out of memory" },
  {
    code: /^(?:53300|P2037|53400|53000|TooManyConnections)$/,
    message: "the database is at one of its limits, such as its number of connections",
  },
  { code: /^(?:25006|57P0[1-5])$/, message: "the database is stopping, starting or read-only" },
  {
    code: /^(?:08\w{3}|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|P1001|P1002|P1008|P1017|P2024|DatabaseNotReachable|ConnectionClosed|SocketTimeout)$/,
    message: "the database cannot be reached",
  },
];

const lostConnection =
  /Connection terminated|timeout exceeded when trying to connect|Cannot use a pool after|Client has encountered a connection error/;

const member = (error: object, name: string): unknown => Reflect.get(error, name);

/** Why the database does not answer as it should for now, in words for people; null: the error is of another kind. Looks at what an error was caused by, too. */
export function outageOf(error: unknown): string | null {
  let at: unknown = error;
  for (let depth = 0; depth < 6 && typeof at === "object" && at !== null; depth += 1) {
    const given: object = at;
    // Prisma's adapter keeps PostgreSQL's own code as `originalCode`; an error without one is told by its `kind` alone, as of a raw statement.
    const codes = [member(given, "originalCode"), member(given, "code"), member(given, "kind")].filter(
      (code) => typeof code === "string",
    );
    const cause = causes.find(({ code: pattern }) => codes.some((code) => pattern.test(code)));
    if (cause !== undefined) return cause.message;
    if (given instanceof Error && lostConnection.test(given.message)) return "the database cannot be reached";
    at = member(given, "cause") ?? driverError(given);
  }
  return null;
}

/** A raw statement's error carries the driver's in `meta`. */
function driverError(error: object): unknown {
  const meta = member(error, "meta");
  return typeof meta === "object" && meta !== null ? member(meta, "driverAdapterError") : undefined;
}
