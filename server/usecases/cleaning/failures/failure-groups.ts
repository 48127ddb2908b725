// Failed hosts grouped by cause and device model, with people's notes on each group.
import { reachOf } from "@/server/domain/access/access";
import { roles } from "@/server/domain/access/roles";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { failureFilter } from "@/server/domain/cleaning/failures/group";
import { readFailedGroups } from "@/server/usecases/cleaning/failures/failed-hosts";
import type { FailedGroup } from "@/server/usecases/cleaning/failures/failed-hosts";
import type { FailureGroup, FailureGroups } from "@/server/contract/cleaning/failures-answers";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

const newestShown = 10;

/** Values with how often each occurs, most frequent first. */
function counted<T extends string>(values: readonly T[]): readonly (readonly [T, number])[] {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
}

/** Who may own a group of failures: people who can sign in and may write notes. */
export const canOwn = {
  tenantId: null,
  disabledAt: null,
  role: { in: roles.filter((role) => reachOf(role, "failure.note") === "any") },
};

interface Note {
  readonly ownerId: string | null;
  readonly ownerName: string | null;
  readonly note: string;
  readonly snoozedUntil: Date | null;
  /** Number of hosts in the group when it was snoozed. */
  readonly snoozedHosts: number | null;
  readonly updatedAt: Date;
}

/** Until the snooze expires, or the group has more hosts than when it was snoozed. Pure. */
export function isSnoozed(
  note: Pick<Note, "snoozedUntil" | "snoozedHosts"> | undefined,
  count: number,
  now: Date,
): boolean {
  return (
    note !== undefined &&
    note.snoozedUntil !== null &&
    note.snoozedUntil > now &&
    count <= (note.snoozedHosts ?? 0)
  );
}

function toGroup(
  { digest, pattern, model, checkNext, hosts }: FailedGroup,
  note: Note | undefined,
  now: Date,
): FailureGroup {
  const [last] = hosts;
  const causes = counted(hosts.map(({ cause }) => cause));
  return {
    digest,
    pattern,
    model,
    checkNext,
    message: last.message,
    brief: last.brief,
    count: hosts.length,
    firstAt: hosts.at(-1)?.at ?? last.at,
    lastAt: last.at,
    causes: causes.map(([cause, count]) => ({ cause, count })),
    models: counted(hosts.map(({ model }) => model)).map(([model, count]) => ({ model, count })),
    skus: counted(hosts.flatMap(({ sku }) => sku ?? [])).map(([sku, count]) => ({ sku, count })),
    sites: counted(hosts.map(({ site }) => site)).map(([site]) => site),
    newest: hosts
      .slice(0, newestShown)
      .map(({ hostId, name, message, brief, at }) => ({ hostId, name, message, brief, at })),
    filter: failureFilter(digest),
    ownerId: note?.ownerId ?? null,
    ownerName: note?.ownerName ?? null,
    note: note?.note ?? "",
    notedAt: note?.updatedAt ?? null,
    snoozedUntil: note?.snoozedUntil ?? null,
    snoozed: isSnoozed(note, hosts.length, now),
  };
}

export async function failureGroups({ database }: Backend, actor: Actor): Promise<Outcome<FailureGroups>> {
  const scope = scopeOf(actor, "host.list");
  if (!scope.ok) return scope;
  const now = new Date();
  const groups = await readFailedGroups(database);
  const [notes, people] = await Promise.all([
    database.groupNote.findMany({ where: { digest: { in: groups.map(({ digest }) => digest) } } }),
    database.person.findMany({
      where: canOwn,
      orderBy: { name: "asc" },
      select: { id: true, name: true },
    }),
  ]);
  const byDigest = new Map(notes.map((note) => [note.digest, note]));
  const lines = groups.map((group) => toGroup(group, byDigest.get(group.digest), now));
  return done({
    hosts: lines.reduce((sum, { count }) => sum + count, 0),
    groups: lines.sort(
      (a, b) =>
        Number(a.snoozed) - Number(b.snoozed) || b.count - a.count || b.lastAt.getTime() - a.lastAt.getTime(),
    ),
    people,
    mayNote: reachOf(actor.role, "failure.note") === "any",
  });
}
