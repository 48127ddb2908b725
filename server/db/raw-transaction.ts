// Transactions of plain statements, without Prisma's engine in between: for what clients ask of hosts by the hundred (docs/design/datapath.md).
import { types } from "pg";
import type { Pool, PoolClient, QueryResult } from "pg";
import { withTransaction } from "@/server/db/connection";
import { Prisma } from "@/server/db/generated/prisma/client";
import { poolOf } from "@/server/db/prisma";
import type { Database } from "@/server/db/prisma";
import { statementNames } from "@/server/db/statement-names";
import type { Result } from "@/server/db/transaction";
import { perProcess } from "@/server/process/process-state";

/** The part of Prisma's client that takes statements as they are: a Prisma transaction is one too. */
export interface RawReader {
  $queryRaw<T = unknown>(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<T>;
  $queryRawUnsafe<T = unknown>(text: string, ...values: unknown[]): Promise<T>;
  $executeRaw(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<number>;
}

const int8Oid = 20;
const typed = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === int8Oid && format !== "binary" ? BigInt : types.getTypeParser(oid, format),
};
const nameOf = (text: string): string => perProcess("rawStatementNames", () => statementNames("raw"))(text);

const sqlOf = (query: TemplateStringsArray | Prisma.Sql, values: readonly unknown[]): Prisma.Sql =>
  "raw" in query ? Prisma.sql(query, ...values) : query;

function readerOn(client: Pool | PoolClient): RawReader {
  const send = (text: string, values: readonly unknown[]): Promise<QueryResult> =>
    client.query({ name: nameOf(text), text, values: [...values], types: typed });
  return {
    $queryRaw: async <T>(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) => {
      const { text, values: given } = sqlOf(query, values);
      return (await send(text, given)).rows as T;
    },
    $queryRawUnsafe: async <T>(text: string, ...values: unknown[]) => (await send(text, values)).rows as T,
    $executeRaw: async (query, ...values) => {
      const { text, values: given } = sqlOf(query, values);
      return (await send(text, given)).rowCount ?? 0;
    },
  };
}

/** Reads on any connection of the database's pool. */
export function rawReader(database: Database): RawReader {
  return readerOn(poolOf(database));
}

/** Commits when `work` gives a value, rolls back when it gives a problem or throws. */
export async function inRawTransaction<T, E>(
  database: Database,
  work: (tx: RawReader) => Promise<Result<T, E>>,
): Promise<Result<T, E>> {
  return withTransaction(
    poolOf(database),
    (client) => work(readerOn(client)),
    (result) => result.ok,
  );
}
