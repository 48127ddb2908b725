// A person states that no backup was restored, for a server that could not tell because its state directory was new or lost.
import { sql } from "kysely";
import { execute } from "@/server/db/sql";
import { tellWithin } from "@/server/db/hot/signal";
import { databaseName, lockDatabase } from "@/server/usecases/database/database-row";
import { database as contract } from "@/server/contract/database";
import { acted, defineAct } from "@/server/usecases/define-act";
import { refused } from "@/server/usecases/problem";

export const databaseIsCurrent = defineAct({
  ...contract.isCurrent,
  names: () => ({ kind: "database", id: databaseName }),
  find: ({ tx }) => lockDatabase(tx),
  run: async ({ tx }, database, { reason }) => {
    if (database.stoppedCause === null)
      return refused("notAllowedNow", "Allocation is not stopped. There is nothing to do.");
    // safety: restore: nobody states what a mark disproves
    if (database.stoppedCause !== "noMark")
      return refused(
        "notAllowedNow",
        "A server's high-water mark shows that this database is not the one served before. Run reclaim admin after-restore without --database-is-current.",
      );
    // Servers without a mark adopt the database while it counts as confirmed.
    await execute(
      tx,
      sql`
      UPDATE database_state SET stopped_at = NULL, stopped_cause = NULL, stopped_message = NULL, confirmed_until = now() + interval '60 seconds' WHERE id = 1`,
    );
    await tellWithin(tx, { wake: true, feed: [] });
    return acted({
      value: { epoch: database.epoch },
      targetId: databaseName,
      tenantId: null,
      before: { cause: database.stoppedCause },
      after: { epoch: database.epoch, reason },
    });
  },
});
