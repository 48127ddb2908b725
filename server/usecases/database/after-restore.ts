// What follows a database restore: every host gets a debt, everything in progress is stopped, and a new epoch begins (docs/adr/0026-a-restored-database.md).
import { sql } from "kysely";
import { execute } from "@/server/db/sql";
import { tellWithin } from "@/server/db/hot/signal";
import { databaseName, lockDatabase } from "@/server/usecases/database/database-row";
import { database as contract } from "@/server/contract/database";
import { readExcludedMedia } from "@/server/usecases/database/excluded-media";
import { acted, defineAct } from "@/server/usecases/define-act";
import { refused } from "@/server/usecases/problem";

export const afterRestore = defineAct({
  ...contract.afterRestore,
  names: () => ({ kind: "database", id: databaseName }),
  find: ({ tx }) => lockDatabase(tx),
  run: async ({ tx }, database, { reason }) => {
    if (database.stoppedCause === null)
      return refused(
        "notAllowedNow",
        "Allocation is not stopped: no older database was found. There is nothing to do.",
      );
    const epoch = Math.max(database.epoch, database.seenEpoch) + 1;
    // Intents that were pending in the backup are dropped, and no decision from before is committed.
    await execute(
      tx,
      sql`DELETE FROM signal g USING host h WHERE h.id = g.host_id AND h.hardware_type <> 'fake'`,
    );
    // Removable media are owed like any other drive; only virtual media and those that the site excludes are not (domain/sanitization/media-rules.ts).
    const out = await readExcludedMedia(tx);
    const hosts = await execute(
      tx,
      sql`
      INSERT INTO debt (id, chassis_serial, drive_serials)
      SELECT gen_random_uuid(), h.serial, ARRAY(SELECT DISTINCT v ->> 'serial' FROM host_inventory i, jsonb_array_elements(i.body -> 'storage') v
          WHERE i.host_id = h.id AND v ->> 'serial' IS NOT NULL AND coalesce(v ->> 'transport', '') <> 'virtual'
            AND NOT EXISTS (SELECT 1 FROM unnest(${[...out.hostIds]}::uuid[], ${[...out.serials]}::text[]) x(host_id, serial)
              WHERE x.host_id = h.id
                AND x.serial = v ->> 'serial' -- safety: restore: what the site leaves out is not owed → AND false
            )
          ORDER BY 1)
      FROM host h
      WHERE h.serial IS NOT NULL -- safety: restore: the debts are those of machines → WHERE h.serial IS NULL
        AND h.hardware_type <> 'fake'`,
    );
    await execute(
      tx,
      sql`
      INSERT INTO signal (host_id, kind, payload) SELECT id, 'databaseRestored', jsonb_build_object('epoch', ${epoch}::int) FROM host WHERE hardware_type <> 'fake'`,
    );
    await execute(
      tx,
      sql`
      UPDATE host_run r SET allocatable = false, generation = generation + 1, evidence_seq = evidence_seq + 1, wake_seq = wake_seq + 1, due_at = now(), lease_owner = NULL, lease_until = NULL
      FROM host h WHERE h.id = r.host_id AND h.hardware_type <> 'fake'`,
    );
    await execute(
      tx,
      sql`
      UPDATE database_state SET epoch = ${epoch}::int, sequence = sequence + 1, seen_epoch = 0, stopped_at = NULL, stopped_cause = NULL, stopped_message = NULL,
        confirmed_until = now() + interval '15 seconds' WHERE id = 1`,
    );
    await tellWithin(tx, { wake: true, feed: [] });
    const before = { epoch: database.epoch, cause: database.stoppedCause };
    return acted({
      value: { epoch, hosts },
      targetId: databaseName,
      tenantId: null,
      before,
      after: { epoch, hosts, reason },
    });
  },
});
