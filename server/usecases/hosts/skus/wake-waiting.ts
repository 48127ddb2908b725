// Wakes hosts that wait for a SKU when one was created, changed or deleted (docs/skus.md#matching).
import { sql } from "kysely";
import { waitsForSku } from "@/server/domain/lifecycle/states";
import { execute } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";

/** Makes the hosts due, in the order that every statement uses for hosts. The caller notifies the controller: `tell` with `wake`. */
export const wakeWaitingForSku = (tx: SqlReader): Promise<unknown> =>
  execute(
    tx,
    sql`
    UPDATE host_run r SET due_at = least(coalesce(r.due_at, 'infinity'), now()), wake_seq = r.wake_seq + 1
    FROM (SELECT host_id FROM host_run WHERE state = ANY(${[...waitsForSku]}) ORDER BY host_id FOR UPDATE) w
    WHERE r.host_id = w.host_id`,
  );
