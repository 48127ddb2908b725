// What a person should do next: groups that need them, in order, each with who has it.
import type { NextLine, NextList } from "@/server/contract/next/next-answers";
import { canOwn, isSnoozed } from "@/server/usecases/cleaning/failures/failure-groups";
import { reachOf } from "@/server/domain/access/access";
import { roleTable } from "@/server/domain/access/roles";
import { inOrder } from "@/server/domain/next/group";
import { kindsOf, nextKindTable } from "@/server/domain/next/kinds";
import type { NextKind } from "@/server/domain/next/kinds";
import type { Database } from "@/server/db/prisma";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { providerGroups } from "@/server/usecases/next/provider-groups";
import type { SeenGroup } from "@/server/usecases/next/provider-groups";
import { readNextFacts } from "@/server/usecases/next/read-facts";
import type { NextFacts } from "@/server/usecases/next/read-facts";
import { tenantGroups } from "@/server/usecases/next/tenant-groups";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";
import { lastClosed } from "@/server/usecases/next/watch-next";
import { mayRepair } from "@/server/usecases/repair/repair-scope";
import { perDatabase } from "@/server/usecases/timed-cache";

interface Looked {
  readonly at: Date;
  readonly facts: NextFacts;
}

/** Shared by all people of the provider, who ask every few seconds. */
const cacheOf = perDatabase<Looked>("nextFacts", { ttlMs: 2_000, max: 20 });

const lookedAt = (database: Database, siteId: string | null): Promise<Looked> =>
  cacheOf(database).get(siteId ?? "", async () => ({
    at: new Date(),
    facts: await readNextFacts(database, siteId),
  }));

interface Seen {
  readonly at: Date;
  readonly groups: readonly SeenGroup[];
}

async function seenBy(backend: Backend, actor: Actor, siteId: string | null): Promise<Outcome<Seen>> {
  if (roleTable[actor.role].ofTenant) {
    const groups = await tenantGroups(backend, actor);
    return groups.ok ? done({ at: new Date(), groups: groups.value }) : groups;
  }
  const { at, facts } = await lookedAt(backend.database, siteId);
  return done({ at, groups: await providerGroups(backend.database, actor, facts) });
}

/** People's notes on the groups. Only the provider's people have any. */
async function withNotes(
  database: Database,
  actor: Actor,
  groups: readonly SeenGroup[],
): Promise<readonly NextLine[]> {
  const notes = roleTable[actor.role].ofTenant
    ? []
    : await database.groupNote.findMany({ where: { digest: { in: groups.map(({ key }) => key) } } });
  const byKey = new Map(notes.map((note) => [note.digest, note]));
  const now = new Date();
  return groups.map((group): NextLine => {
    const note = byKey.get(group.key);
    return {
      ...group,
      ownerId: note?.ownerId ?? null,
      ownerName: note?.ownerName ?? null,
      ownedSince: note?.ownedSince ?? null,
      note: note?.note ?? "",
      snoozedUntil: note?.snoozedUntil ?? null,
      snoozeReason: note?.snoozeReason ?? null,
      snoozed: isSnoozed(note, group.size, now),
    };
  });
}

/** Kinds that this person is told of. */
const watchedKinds = (actor: Actor): readonly NextKind[] =>
  kindsOf(actor.role).filter((kind) => (kind !== "repair" && kind !== "held") || mayRepair(actor));

export async function listNext(
  backend: Backend,
  actor: Actor,
  { site }: { readonly site?: string | undefined },
): Promise<Outcome<NextList>> {
  const scope = scopeOf(actor, "next.read");
  if (!scope.ok) return scope;
  const { database } = backend;
  const ofTenant = roleTable[actor.role].ofTenant;
  const sites = ofTenant
    ? []
    : await database.site.findMany({ orderBy: { name: "asc" }, select: { id: true, name: true } });
  const siteId = site === undefined ? null : sites.find(({ name }) => name === site)?.id;
  if (siteId === undefined) return notFound("site", site ?? "");
  const seen = await seenBy(backend, actor, siteId);
  if (!seen.ok) return seen;
  const mayOwn = reachOf(actor.role, "failure.note") === "any";
  const [lines, last, people] = await Promise.all([
    withNotes(database, actor, inOrder(seen.value.groups)),
    ofTenant ? new Map<string, Date>() : lastClosed(database),
    mayOwn
      ? database.person.findMany({
          where: canOwn,
          orderBy: { name: "asc" },
          select: { id: true, name: true },
        })
      : [],
  ]);
  return done({
    at: seen.value.at,
    groups: lines.filter(({ snoozed }) => !snoozed),
    snoozed: lines.filter(({ snoozed }) => snoozed),
    watched: watchedKinds(actor).map((kind) => ({
      kind,
      words: nextKindTable[kind].words,
      groups: lines.filter((line) => line.kind === kind).length,
      last: last.get(kind) ?? null,
    })),
    sites: sites.map(({ name }) => name),
    people,
    mayOwn,
  });
}

/** The number at the page's name. */
export async function countNext(
  backend: Backend,
  actor: Actor,
): Promise<Outcome<{ readonly groups: number }>> {
  const scope = scopeOf(actor, "next.read");
  if (!scope.ok) return scope;
  const seen = await seenBy(backend, actor, null);
  if (!seen.ok) return seen;
  const lines = await withNotes(backend.database, actor, seen.value.groups);
  return done({ groups: lines.filter(({ snoozed, mayAct }) => !snoozed && mayAct).length });
}
