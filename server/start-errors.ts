// The output of a program that cannot start: which setting is wrong and what to do. A stack trace only for a bug of ours.
import { ConfigError } from "@/server/config";
import { WrongKeyError } from "@/server/db/database-state";

/** Exit code if settings must change before the program can start: EX_CONFIG of sysexits.h. */
export const badSettings = 78;

interface StartError {
  readonly message: string;
  readonly code: number;
}

const codeOf = (error: Error): string | undefined => {
  const code: unknown =
    Reflect.get(error, "code") ??
    (error.cause instanceof Error ? Reflect.get(error.cause, "code") : undefined);
  return typeof code === "string" ? code : undefined;
};

/** The setting of the listener for hosts and its value, if the error is of that listener; null: of another. */
function hostsListener(
  error: Error,
  env: Readonly<Record<string, string | undefined>>,
): { readonly name: string; readonly value: string } | null {
  const name = "RECLAIM_MACHINE_LISTEN";
  const value = env[name] ?? "";
  const [address, port] = ["address", "port"].map((key) => String(Reflect.get(error, key)));
  return [`${address}:${port}`, `[${address}]:${port}`].includes(value) ? { name, value } : null;
}

/** The address of a database, without its password. */
function placeOf(databaseUrl: string | undefined): string {
  try {
    const { hostname, port, pathname } = new URL(databaseUrl ?? "");
    return `${hostname}:${port || "5432"}${pathname}`;
  } catch {
    return "its address";
  }
}

/** What to do about an error, by its code in Node, PostgreSQL (SQLSTATE) or Prisma. */
function explained(error: Error, env: Readonly<Record<string, string | undefined>>): StartError | null {
  const place = placeOf(env["DATABASE_URL"]);
  const ofHosts = hostsListener(error, env);
  const why = error.message || (error instanceof AggregateError ? String(error.errors[0]) : error.name);
  switch (codeOf(error)) {
    case "ECONNREFUSED":
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "ETIMEDOUT":
    case "EHOSTUNREACH":
    case "ENETUNREACH":
    case "P1001":
      return {
        code: 1,
        message: `DATABASE_URL: no PostgreSQL answers at ${place} (${why}). Start it, or correct the address`,
      };
    case "28P01":
    case "28000":
    case "P1000":
      return {
        code: badSettings,
        message: `DATABASE_URL: PostgreSQL at ${place} refuses the user or password (${why}). Correct them`,
      };
    case "3D000":
    case "P1003":
      return {
        code: badSettings,
        message: `DATABASE_URL: there is no database at ${place}. Create and migrate it:  npm run migrate`,
      };
    case "42P01":
    case "42703":
    case "P2021":
    case "P2022":
      return {
        code: badSettings,
        message: `DATABASE_URL: the database at ${place} lacks tables or columns of this version. Migrate it first:  npm run migrate`,
      };
    case "42501":
      return {
        code: badSettings,
        message: `DATABASE_URL: the user lacks a permission on the database at ${place} (${why}). Grant it, or use the owner of the tables`,
      };
    case "EADDRINUSE":
      return {
        code: 1,
        message: `${ofHosts?.name ?? "PORT"}: ${ofHosts?.value ?? env["PORT"] ?? "3000"} is in use by another program. Stop that one, or choose another port`,
      };
    case "EACCES":
      return {
        code: badSettings,
        message: `${ofHosts?.name ?? "PORT"}: this user may not listen there (${why}). Choose a port above 1023`,
      };
    case "EADDRNOTAVAIL":
      return {
        code: badSettings,
        message: `${ofHosts?.name ?? "RECLAIM_LISTEN"}: no interface of this machine has the address (${why}). Correct it`,
      };
    default:
      return null;
  }
}

/** Message and exit code for an error at start. Includes a stack trace only with RECLAIM_LOG_LEVEL=debug or trace. */
export function startError(error: unknown, env: Readonly<Record<string, string | undefined>>): StartError {
  if (!(error instanceof Error)) return { code: 1, message: String(error) };
  if (error instanceof ConfigError) return { code: badSettings, message: error.message };
  if (error instanceof WrongKeyError)
    return { code: badSettings, message: `RECLAIM_ENCRYPTION_KEY: ${error.message}` };
  const debug = ["debug", "trace"].includes(env["RECLAIM_LOG_LEVEL"] ?? "");
  const known = explained(error, env) ?? {
    code: 1,
    message: `${error.message || error.name} (set RECLAIM_LOG_LEVEL=debug for the stack trace)`,
  };
  return debug && error.stack !== undefined
    ? { ...known, message: `${known.message}\n${error.stack}` }
    : known;
}
