// Follows the audit log: numbered events from a number on. A caller that continues with the returned number misses none.
import { sql } from "kysely";
import type { z } from "zod";
import type { audit, AuditNews } from "@/server/contract/audit-log/audit-log";
import { readTree } from "@/server/db/audit-log/sequencer";
import { poolOf } from "@/server/db/prisma";
import type { Actor } from "@/server/usecases/actor";
import { conditionsOf, readEvents } from "@/server/usecases/audit-log/search-events";
import type { Backend } from "@/server/usecases/backend";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

/** How many numbers one request covers, which also limits the events in the answer. */
export const maxFollowed = 500;

export async function followAudit(
  { database }: Backend,
  actor: Actor,
  { from, ...search }: z.output<typeof audit.follow.input>,
): Promise<Outcome<AuditNews>> {
  const scope = scopeOf(actor, "audit.read");
  if (!scope.ok) return scope;
  const { size } = await readTree(poolOf(database));
  const next = Math.max(from, Math.min(size, from + maxFollowed));
  const rows =
    next === from
      ? []
      : await readEvents(
          database,
          [sql`l.seq >= ${from}::bigint`, sql`l.seq < ${next}::bigint`, ...conditionsOf(search)],
          sql`ORDER BY l.seq`,
        );
  return done({ rows, next, more: next < size });
}
