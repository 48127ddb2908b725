// Who has a group of things that need a person, what they noted, and until when it is snoozed (docs/next.md#who-has-what).
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import { next } from "@/server/contract/next/next";
import type { Transaction } from "@/server/db/prisma";
import type { AuditFacts } from "@/server/db/audit";
import { acted, defineAct, unchanged } from "@/server/usecases/define-act";
import type { ActContext } from "@/server/usecases/define-act";
import { canOwn } from "@/server/usecases/cleaning/failures/failure-groups";
import { snoozeRefusal } from "@/server/usecases/cleaning/failures/note-failure";
import { providerGroups } from "@/server/usecases/next/provider-groups";
import type { SeenGroup } from "@/server/usecases/next/provider-groups";
import { readNextFacts } from "@/server/usecases/next/read-facts";
import { notFound, refused } from "@/server/usecases/problem";

type Note = NonNullable<Awaited<ReturnType<Transaction["groupNote"]["findUnique"]>>>;

interface Noted {
  readonly group: SeenGroup;
  /** Null: nobody has noted anything yet. */
  readonly before: Note | null;
}

const names = ({ key }: { readonly key: string }) => ({ kind: "group", id: key });

/** A group that the person sees now: what does not need a person any more cannot be taken. */
async function find({ tx, actor }: ActContext, { key }: { readonly key: string }) {
  // Two who take it at once: the second one sees the first.
  await queryRows(tx, sql`SELECT pg_advisory_xact_lock(hashtextextended(${`next ${key}`}, 0))::text`);
  const groups = await providerGroups(tx, actor, await readNextFacts(tx, null));
  const group = groups.find((each) => each.key === key);
  if (group === undefined) return null;
  const before = await tx.groupNote.findUnique({ where: { digest: key } });
  return { id: key, belongs: { tenantId: null }, value: { group, before } satisfies Noted };
}

/** Writes what changes; the rest of the note stays. */
async function write(
  { tx, actor }: ActContext,
  { group, before }: Noted,
  change: Partial<
    Pick<
      Note,
      "ownerId" | "ownerName" | "ownedSince" | "note" | "snoozedUntil" | "snoozedHosts" | "snoozeReason"
    >
  >,
  facts: { readonly before: AuditFacts; readonly after: AuditFacts },
) {
  const { key: digest, title, size } = group;
  const row = { message: title, ...change, updatedAt: new Date(), updatedBy: actor.personId };
  await tx.groupNote.upsert({ where: { digest }, create: { digest, ...row }, update: row });
  return {
    targetId: digest,
    tenantId: null,
    before: before === null ? null : facts.before,
    after: { group: title, size, ...facts.after },
  };
}

export const assignNext = defineAct({
  ...next.assign,
  names,
  find,
  run: async (context, noted, { ownerId, note, from }) => {
    const { before } = noted;
    if (from !== undefined && from !== (before?.ownerId ?? null) && ownerId !== (before?.ownerId ?? null))
      return refused("conflict", `${before?.ownerName ?? "Nobody"} has it by now.`);
    const owner =
      ownerId === null
        ? null
        : await context.tx.person.findFirst({ where: { id: ownerId, ...canOwn }, select: { name: true } });
    if (ownerId !== null && owner === null) return notFound("person", ownerId);
    const name = owner?.name ?? null;
    const isSame = ownerId === (before?.ownerId ?? null);
    if (isSame && (note === undefined || note === (before?.note ?? ""))) return unchanged({ owner: name });
    const said = note === undefined ? {} : { note };
    const change = {
      ownerId,
      ownerName: name,
      ...(isSame ? {} : { ownedSince: ownerId === null ? null : new Date() }),
      ...said,
    };
    return acted({
      value: { owner: name },
      ...(await write(context, noted, change, {
        before: { owner: before?.ownerName ?? null },
        after: { owner: name, ...said },
      })),
    });
  },
});

export const noteNext = defineAct({
  ...next.note,
  names,
  find,
  run: async (context, noted, { note }) => {
    const before = noted.before?.note ?? "";
    if (before === note) return unchanged({ saved: true as const });
    return acted({
      value: { saved: true as const },
      ...(await write(context, noted, { note }, { before: { note: before }, after: { note } })),
    });
  },
});

export const snoozeNext = defineAct({
  ...next.snooze,
  names,
  find,
  run: async (context, noted, { until, reason }) => {
    const refusal = snoozeRefusal(until, "until");
    if (refusal !== null) return refusal;
    const { before, group } = noted;
    const change = { snoozedUntil: until, snoozedHosts: group.size, snoozeReason: reason };
    return acted({
      value: { saved: true as const },
      ...(await write(context, noted, change, {
        before: { snoozedUntil: before?.snoozedUntil?.toISOString() ?? null },
        after: { snoozedUntil: until.toISOString(), reason },
      })),
    });
  },
});

export const wakeNext = defineAct({
  ...next.wake,
  names,
  find,
  run: async (context, noted) => {
    const snoozedUntil = noted.before?.snoozedUntil ?? null;
    if (snoozedUntil === null) return unchanged({ saved: true as const });
    const change = { snoozedUntil: null, snoozedHosts: null, snoozeReason: null };
    return acted({
      value: { saved: true as const },
      ...(await write(context, noted, change, {
        before: { snoozedUntil: snoozedUntil.toISOString() },
        after: { snoozedUntil: null },
      })),
    });
  },
});
