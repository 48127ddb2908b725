// The Prisma client of a process, and what everything but the hot statements is written against.
import { createHash } from "node:crypto";
import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "@/server/db/generated/prisma/client";
import type { Prisma } from "@/server/db/generated/prisma/client";

export type Database = PrismaClient;

/** What runs inside a transaction. */
export type Transaction = Prisma.TransactionClient;

/** Reads work on both. */
export type Reader = Database | Transaction;

export interface DatabaseOptions {
  /** Most connections at once. */
  readonly max: number;
  readonly applicationName: string;
}

/** Connects when first used. The owner calls `$disconnect()`. */
export function createDatabase(databaseUrl: string, { max, applicationName }: DatabaseOptions): Database {
  const adapter = new PrismaPg(
    { connectionString: databaseUrl, max, application_name: applicationName, idleTimeoutMillis: 60_000, connectionTimeoutMillis: 10_000, keepAlive: true },
    // An idle connection that breaks is replaced by the pool; what runs on it fails by itself.
    { onPoolError: () => undefined, onConnectionError: () => undefined, statementNameGenerator: statementNames() },
  );
  return new PrismaClient({ adapter, transactionOptions: { maxWait: 10_000, timeout: 15_000 } });
}

/** Texts beyond this number (lists of varying length make ever new ones) are not kept prepared. */
const mostPrepared = 500;

/** Names statements by their text, so that each is parsed and planned once per connection and not once per request. */
function statementNames(): (query: { readonly sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (names.size >= mostPrepared) return "";
    const name = `prisma_${createHash("sha256").update(sql, "utf8").digest("base64url").slice(0, 22)}`;
    names.set(sql, name);
    return name;
  };
}
