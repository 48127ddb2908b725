// A transaction that ends by its result: an error value rolls back as an exception would, but is returned.
import { DatabaseError } from "pg";
import { withTransaction } from "@/server/db/connection";
import { Prisma } from "@/server/db/generated/prisma/client";
import { poolOf } from "@/server/db/prisma";
import type { Database, Transaction } from "@/server/db/prisma";
import { sqlOn } from "@/server/db/sql";
import type { Sql } from "@/server/db/sql";

/** Carries an error value out of Prisma's callback, whose only way to roll back is to throw. */
class Rollback<E> extends Error {
  constructor(readonly problem: E) {
    super("rolled back");
  }
}

export type Result<T, E> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: E };

/** Commits if `work` returns a value; rolls back if it returns a problem or throws. */
export async function inTransaction<T, E>(
  database: Database,
  work: (tx: Transaction) => Promise<Result<T, E>>,
): Promise<Result<T, E>> {
  // A set per call, so that the rollback of a nested transaction is not mistaken for this one's.
  const mine = new Set<Rollback<E>>();
  try {
    const value = await database.$transaction(async (tx) => {
      const result = await work(tx);
      if (result.ok) return result.value;
      const rollback = new Rollback(result.problem);
      mine.add(rollback);
      throw rollback;
    });
    return { ok: true, value };
  } catch (error) {
    for (const rollback of mine) if (rollback === error) return { ok: false, problem: rollback.problem };
    throw error;
  }
}

/** The same for statements of the builder only, bypassing Prisma: for clients that ask about hundreds of hosts (docs/design/datapath.md). */
export async function inSqlTransaction<T, E>(
  database: Database,
  work: (tx: Sql) => Promise<Result<T, E>>,
): Promise<Result<T, E>> {
  return withTransaction(
    poolOf(database),
    (client) => work(sqlOn(client)),
    (result) => result.ok,
  );
}

/** Whether the database refused a row because one with the same key exists. The transaction is lost then, so return a problem. */
export function isUniqueViolation(error: unknown): boolean {
  if (error instanceof DatabaseError) return error.code === "23505";
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return false;
  // P2010 is a raw statement, whose own code is only in the message.
  return error.code === "P2002" || (error.code === "P2010" && /\b23505\b|duplicate key/.test(error.message));
}
