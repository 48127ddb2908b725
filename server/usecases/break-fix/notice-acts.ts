// What people do with notices: the provider announces, changes and ends them; a tenant acknowledges them (docs/repair.md#notices).
import { randomBytes, randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { z } from "zod";
import { notices as contract } from "@/server/contract/break-fix/notices";
import { queryRows } from "@/server/db/sql";
import type { Transaction } from "@/server/db/prisma";
import { noticeKinds, timesRefusal } from "@/server/domain/break-fix/notice";
import { publicRef } from "@/server/domain/break-fix/ticket";
import { acted, defineAct } from "@/server/usecases/define-act";
import type { ActContext, Target } from "@/server/usecases/define-act";
import { announceNotice } from "@/server/usecases/break-fix/announce";
import { findNotice } from "@/server/usecases/break-fix/notices";
import { done, refused } from "@/server/usecases/problem";

type NoticeTarget = z.output<typeof contract.create.input>["target"];

interface Place {
  readonly siteId: string;
  readonly rack: string | null;
  readonly hostId: string | null;
}

/** A host, a rack that has at least one host, or a site. */
async function findPlace(tx: Transaction, target: NoticeTarget): Promise<Place | null> {
  if ("hostId" in target) {
    const host = await tx.host.findUnique({
      where: { id: target.hostId },
      select: { id: true, siteId: true },
    });
    return host === null ? null : { siteId: host.siteId, rack: null, hostId: host.id };
  }
  const site = await tx.site.findUnique({ where: { name: target.site }, select: { id: true } });
  if (site === null) return null;
  const rack = "rack" in target ? target.rack : null;
  if (rack !== null && (await tx.host.count({ where: { siteId: site.id, rack } })) === 0) return null;
  return { siteId: site.id, rack, hostId: null };
}

const targetName = (target: NoticeTarget) =>
  "hostId" in target
    ? { kind: "host", id: target.hostId }
    : "rack" in target
      ? { kind: "rack", id: `${target.rack} of ${target.site}` }
      : { kind: "site", id: target.site };

export const createNotice = defineAct({
  ...contract.create,
  names: ({ target }) => targetName(target),
  find: async ({ tx }, { target }) => {
    const place = await findPlace(tx, target);
    return place === null ? null : { id: targetName(target).id, belongs: { tenantId: null }, value: place };
  },
  run: async ({ tx, actor }, place, { kind, startsAt, endsAt, message, note }) => {
    const now = new Date();
    const times = { startsAt: startsAt ?? now, endsAt };
    const refusal = timesRefusal(kind, times, now);
    if (refusal !== null) return refused("invalid", refusal, "endsAt");
    const id = randomUUID();
    const ref = publicRef("MN", randomBytes(10));
    const immediate = times.startsAt <= now;
    await tx.notice.create({
      data: { id, ref, kind, ...place, immediate, ...times, message, note, createdBy: actor.name },
    });
    await announceNotice(tx, id, "notice.created");
    return acted({
      value: { id, ref },
      targetId: ref,
      tenantId: null,
      before: null,
      after: {
        kind,
        ...place,
        startsAt: times.startsAt.toISOString(),
        endsAt: endsAt?.toISOString() ?? null,
        message,
      },
    });
  },
});

type Stored = NonNullable<Awaited<ReturnType<typeof readStored>>>;
const readStored = (tx: Transaction, id: string) => tx.notice.findUnique({ where: { id } });

/** Locks the notice, so that changes are serialized. */
async function lockNotice(
  { tx, actor }: ActContext,
  { notice }: { readonly notice: string },
): Promise<Target<Stored> | null> {
  const found = await findNotice(tx, actor, notice);
  if (!found.ok || found.value === null) return null;
  await queryRows(tx, sql`SELECT 1 FROM notice WHERE id = ${found.value.id}::uuid FOR UPDATE`);
  const stored = await readStored(tx, found.value.id);
  return stored === null ? null : { id: stored.ref, belongs: { tenantId: actor.tenantId }, value: stored };
}

const names = ({ notice }: { readonly notice: string }) => ({ kind: "notice", id: notice });
const over = refused("notAllowedNow", "The notice has ended. Create a new one.");

export const changeNotice = defineAct({
  ...contract.change,
  names,
  find: lockNotice,
  run: async ({ tx }, before, { notice: _, ...change }) => {
    if (before.endedAt !== null) return over;
    const startsAt = change.startsAt ?? before.startsAt;
    const endsAt = change.endsAt === undefined ? before.endsAt : change.endsAt;
    const kind = noticeKinds.find((each) => each === before.kind) ?? "maintenance";
    const retimed = change.startsAt !== undefined || change.endsAt !== undefined;
    const refusal = retimed ? timesRefusal(kind, { startsAt, endsAt }, new Date()) : null;
    if (refusal !== null) return refused("invalid", refusal, "endsAt");
    const { message = before.message, note = before.note } = change;
    // A notice postponed to a future time counts as announced in advance; one that already was stays so.
    const immediate = before.immediate && startsAt <= new Date();
    await tx.notice.update({
      where: { id: before.id },
      data: { startsAt, endsAt, immediate, message, note, updatedAt: new Date() },
    });
    // An acknowledgement of the old text does not cover the new one.
    if (retimed || message !== before.message) {
      await tx.noticeAck.deleteMany({ where: { noticeId: before.id } });
      await announceNotice(tx, before.id, "notice.changed");
    }
    const facts = (of: { startsAt: Date; endsAt: Date | null; message: string; note: string }) => ({
      startsAt: of.startsAt.toISOString(),
      endsAt: of.endsAt?.toISOString() ?? null,
      message: of.message,
      note: of.note,
    });
    return acted({
      value: { id: before.id, ref: before.ref },
      targetId: before.ref,
      tenantId: null,
      before: facts(before),
      after: facts({ startsAt, endsAt, message, note }),
    });
  },
});

export const endNotice = defineAct({
  ...contract.end,
  names,
  find: lockNotice,
  run: async ({ tx }, before, { as }) => {
    if (before.endedAt !== null) return over;
    const now = new Date();
    await tx.notice.update({ where: { id: before.id }, data: { ended: as, endedAt: now, updatedAt: now } });
    await announceNotice(tx, before.id, "notice.ended");
    return acted({
      value: { id: before.id, ref: before.ref },
      targetId: before.ref,
      tenantId: null,
      before: { ended: null },
      after: { ended: as },
    });
  },
});

/** Idempotent. */
export const acknowledgeNotice = defineAct({
  ...contract.acknowledge,
  names,
  find: lockNotice,
  run: async ({ tx, actor }, { id, ref, endedAt }) => {
    if (endedAt !== null) return over;
    const { tenantId } = actor;
    if (tenantId === null) return refused("forbidden", "Only tenants acknowledge notices.");
    const { count } = await tx.noticeAck.createMany({
      data: [{ noticeId: id, tenantId, by: actor.name }],
      skipDuplicates: true,
    });
    return done({
      value: { id, ref },
      changes: count === 0 ? [] : [{ targetId: ref, tenantId, before: null, after: { acknowledged: true } }],
    });
  },
});
