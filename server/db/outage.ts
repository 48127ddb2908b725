// Temporary database failures, such as a full disk, no free connection or a restart. The request itself is not at fault.

/** SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html), Node's and Prisma's codes, and what they mean in words. */
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

/** Why the database is temporarily unavailable, in words for people; null: the error is of another kind. Also looks at the error's causes. */
export function outageOf(error: unknown): string | null {
  let at: unknown = error;
  for (let depth = 0; depth < 6 && typeof at === "object" && at !== null; depth += 1) {
    const given: object = at;
    // Prisma's adapter keeps PostgreSQL's code as `originalCode`. An error without one, as from a raw statement, is recognised by its `kind`.
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

/** The error of a raw statement carries the driver's error in `meta`. */
function driverError(error: object): unknown {
  const meta = member(error, "meta");
  return typeof meta === "object" && meta !== null ? member(meta, "driverAdapterError") : undefined;
}
