// The Prisma client of a process. Everything except the hot statements uses it.
import { PrismaPg } from "@prisma/adapter-pg";
import type { Pool } from "pg";
import { createPool } from "@/server/db/connection";
import { PrismaClient } from "@/server/db/generated/prisma/client";
import type { Prisma } from "@/server/db/generated/prisma/client";
import { statementNames } from "@/server/db/statement-names";
import { perProcess } from "@/server/process/process-state";

export type Database = PrismaClient;

/** What runs inside a transaction. */
export type Transaction = Prisma.TransactionClient;

/** Reads work on both. */
export type Reader = Database | Transaction;

export interface DatabaseOptions {
  /** Maximum connections. */
  readonly max: number;
  readonly applicationName: string;
}

/** Connects when first used. The owner calls `$disconnect()`. */
export function createDatabase(databaseUrl: string, { max, applicationName }: DatabaseOptions): Database {
  const pool = createPool({ connectionString: databaseUrl, max, application_name: applicationName });
  const nameOf = statementNames("prisma");
  const adapter = new PrismaPg(pool, {
    disposeExternalPool: true,
    onPoolError: () => undefined,
    onConnectionError: () => undefined,
    statementNameGenerator: ({ sql }) => nameOf(sql),
  });
  const database = new PrismaClient({ adapter, transactionOptions: { maxWait: 10_000, timeout: 15_000 } });
  pools().set(database, pool);
  return database;
}

/** Kept per process, because a client that one bundle made is used in others. */
const pools = perProcess("databasePools", () => new WeakMap<object, Pool>());

/** The pool of a client that `createDatabase` made; undefined for a transaction or another client. */
export const findPool = (client: object): Pool | undefined => pools().get(client);

/** The pool of a client that `createDatabase` made. Throws for any other. */
export function poolOf(database: Database): Pool {
  const pool = findPool(database);
  if (pool === undefined) throw new Error("this client was not made by createDatabase");
  return pool;
}
