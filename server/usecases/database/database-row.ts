// The row that describes the database itself, for the acts of a provider admin after a restore.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { StopCause } from "@/server/domain/database/high-water";
import type { Transaction } from "@/server/db/prisma";
import type { Target } from "@/server/usecases/define-act";

export interface DatabaseRow {
  readonly epoch: number;
  readonly seenEpoch: number;
  readonly stoppedCause: StopCause | null;
  readonly stoppedMessage: string | null;
}

/** Name of the database in the audit log. */
export const databaseName = "database";

/** Locks the row until the transaction ends. */
export async function lockDatabase(tx: Transaction): Promise<Target<DatabaseRow> | null> {
  const rows = await queryRows(
    tx,
    sql<DatabaseRow>`
    SELECT epoch, seen_epoch AS "seenEpoch", stopped_cause AS "stoppedCause", stopped_message AS "stoppedMessage" FROM database_state WHERE id = 1 FOR UPDATE`,
  );
  const row = rows[0];
  return row === undefined ? null : { id: databaseName, belongs: { tenantId: null }, value: row };
}
