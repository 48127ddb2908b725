// What people did with a group, newest first: from the audit log, for those who see the group. Nothing for tenants.
import { sql } from "kysely";
import type { NextEvent } from "@/server/contract/next/next-answers";
import { queryRows } from "@/server/db/sql";
import { roleTable } from "@/server/domain/access/roles";
import { formatGroupEvent, groupActions } from "@/server/domain/next/history";
import type { GroupAction } from "@/server/domain/next/history";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { providerGroups } from "@/server/usecases/next/provider-groups";
import { readNextFacts } from "@/server/usecases/next/read-facts";
import { tenantGroups } from "@/server/usecases/next/tenant-groups";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

const shown = 20;

interface Row {
  readonly at: Date;
  readonly action: GroupAction;
  readonly by: string | null;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

export async function groupHistory(
  backend: Backend,
  actor: Actor,
  { key }: { readonly key: string },
): Promise<Outcome<readonly NextEvent[]>> {
  const scope = scopeOf(actor, "next.read");
  if (!scope.ok) return scope;
  const { database } = backend;
  const { ofTenant } = roleTable[actor.role];
  const groups = ofTenant
    ? await tenantGroups(backend, actor)
    : done(await providerGroups(database, actor, await readNextFacts(database, null)));
  if (!groups.ok) return groups;
  if (!groups.value.some((group) => group.key === key)) return notFound("group", key);
  // Only the provider's people take, note and snooze, and a key may be the same for all.
  if (ofTenant) return done([]);
  const [rows, known] = await Promise.all([
    queryRows(
      database,
      sql<Row>`
      SELECT at, action, actor_name AS by, before, after FROM audit_event
      WHERE target_id = ${key} AND action = ANY(${[...groupActions]}) AND outcome = 'done' ORDER BY at DESC, id DESC LIMIT ${shown}`,
    ),
    database.nextGroup.findUnique({ where: { key } }),
  ]);
  const events = rows.map(({ at, action, by, before, after }) => ({
    at,
    by,
    words: formatGroupEvent(action, by ?? "", { before: before ?? {}, after: after ?? {} }),
  }));
  const opened = known === null ? [] : [{ at: known.openedAt, by: null, words: "opened" }];
  return done([...events, ...opened].toSorted((a, b) => b.at.getTime() - a.at.getTime()));
}
