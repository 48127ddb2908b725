// Acknowledges security events. One that repeats afterwards is a new event.
import { sql } from "kysely";
import { security } from "@/server/contract/access/security-events";
import { queryRows } from "@/server/db/sql";
import { defineAct } from "@/server/usecases/define-act";
import { done } from "@/server/usecases/problem";

interface Open {
  readonly id: string;
  readonly kind: string;
  readonly hostId: string | null;
  readonly address: string;
  readonly count: number;
  readonly isOpen: boolean;
}

export const acknowledgeSecurityEvents = defineAct({
  ...security.acknowledge,
  names: ({ ids }) => ({ kind: "security event", id: ids.join(", ") }),
  find: async ({ tx }, { ids }) => {
    const rows = await queryRows(
      tx,
      sql<Open>`
      SELECT id::text, kind, host_id::text AS "hostId", address, count::float8 AS count, acknowledged_at IS NULL AS "isOpen"
      FROM security_event WHERE id = ANY(${[...ids]}::uuid[]) ORDER BY id FOR UPDATE`,
    );
    // One that does not exist is refused: a person who mistyped an id must not believe that it was acknowledged.
    return rows.length < new Set(ids).size
      ? null
      : { id: rows.map(({ id }) => id).join(", "), belongs: { tenantId: null }, value: rows };
  },
  run: async ({ tx, by }, rows, { note }) => {
    const open = rows.filter(({ isOpen }) => isOpen);
    if (open.length > 0)
      await queryRows(
        tx,
        sql`UPDATE security_event SET acknowledged_at = now(), acknowledged_by = ${by.name}::text, note = ${note}::text
        WHERE id = ANY(${open.map(({ id }) => id)}::uuid[])`,
      );
    return done({
      value: { acknowledged: open.length },
      changes: open.map(({ id, kind, hostId, address, count }) => ({
        targetId: id,
        tenantId: null,
        before: null,
        after: { kind, hostId, address, count, note },
      })),
    });
  },
});
