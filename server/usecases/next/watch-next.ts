// Finds groups that opened or closed since the last look, and tells the provider's webhooks (docs/next.md#webhooks). One that came and went between two
// looks is not told.
import { sql } from "kysely";
import type { Database, Transaction } from "@/server/db/prisma";
import { execute, queryRows } from "@/server/db/sql";
import type { NextGroup } from "@/server/domain/next/group";
import { announce } from "@/server/usecases/break-fix/announce";
import { allGroups } from "@/server/usecases/next/provider-groups";
import { readNextFacts } from "@/server/usecases/next/read-facts";

/** How long a closed group is known, for when there was one last. */
const keepDays = 90;

interface Known {
  readonly key: string;
  readonly kind: string;
  readonly title: string;
}

/** One looks at a time. Returns how many opened or closed. */
export async function watchNext(database: Database): Promise<number> {
  return database.$transaction(async (tx) => {
    const [lock] = await queryRows(
      tx,
      sql<{ mine: boolean }>`SELECT pg_try_advisory_xact_lock(hashtext('reclaim next')) AS mine`,
    );
    if (lock?.mine !== true) return 0;
    const groups = allGroups(await readNextFacts(tx, null));
    const open = await tx.nextGroup.findMany({ where: { closedAt: null } });
    const before = new Set(open.map(({ key }) => key));
    const now = new Set(groups.map(({ key }) => key));
    const opened = groups.filter(({ key }) => !before.has(key));
    const closed = open.filter(({ key }) => !now.has(key));
    for (const group of opened) await tellOpened(tx, group);
    for (const group of closed) await tellClosed(tx, group);
    await limitSnoozes(tx, groups);
    await tx.nextGroup.deleteMany({
      where: { closedAt: { lt: new Date(Date.now() - keepDays * 86_400_000) } },
    });
    return opened.length + closed.length;
  });
}

/**
 * A snooze ends when its group grows beyond its size at that time. So that one that has shrunk, or was gone, does not hide what came since, the size is
 * lowered with it.
 */
const limitSnoozes = (tx: Transaction, groups: readonly NextGroup[]): Promise<unknown> =>
  execute(
    tx,
    sql`
    UPDATE failure_note f SET snoozed_hosts = coalesce(g.size, 0)
    FROM failure_note n LEFT JOIN jsonb_to_recordset(${JSON.stringify(groups.map(({ key, size }) => ({ key, size })))}::jsonb) AS g(key text, size int) ON g.key = n.digest
    WHERE f.digest = n.digest AND n.snoozed_until > now() AND n.snoozed_hosts > coalesce(g.size, 0)`,
  );

async function tellOpened(tx: Transaction, group: NextGroup): Promise<void> {
  const { key, kind, title, why, next, size, hosts, tenants, effect, since, due, act } = group;
  await tx.nextGroup.upsert({
    where: { key },
    create: { key, kind, title },
    update: { kind, title, openedAt: new Date(), closedAt: null },
  });
  const { href: path, command } = act;
  await announce(tx, {
    kind: "next.opened",
    provider: { key, kind, title, why, next, size, hosts, tenants, effect, since, due, path, command },
    tenants: [],
  });
}

async function tellClosed(tx: Transaction, { key, kind, title }: Known): Promise<void> {
  await tx.nextGroup.update({ where: { key }, data: { closedAt: new Date() } });
  await announce(tx, { kind: "next.closed", provider: { key, kind, title }, tenants: [] });
}

/** When there was a group of each kind last; kinds that had none lately are left out. */
export async function lastClosed(database: Database): Promise<ReadonlyMap<string, Date>> {
  const rows = await queryRows(
    database,
    sql<{ kind: string; last: Date }>`
    SELECT kind, max(closed_at) AS last FROM next_group WHERE closed_at IS NOT NULL GROUP BY kind`,
  );
  return new Map(rows.map(({ kind, last }) => [kind, last]));
}
