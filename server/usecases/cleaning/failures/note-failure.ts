// Owner, note and snooze of a group of failures.
import { failures } from "@/server/contract/cleaning/failures";
import { acted, defineAct } from "@/server/usecases/define-act";
import { readFailedGroups } from "@/server/usecases/cleaning/failures/failed-hosts";
import { canOwn } from "@/server/usecases/cleaning/failures/failure-groups";
import { notFound, refused } from "@/server/usecases/problem";

/** 90 days: longer would amount to forgetting. */
const longestSnoozeMs = 90 * 86_400_000;

/** Why nothing can be snoozed until then; null: it can. @param field the member of the input */
export function snoozeRefusal(until: Date, field: string) {
  const ahead = until.getTime() - Date.now();
  return ahead <= 0 || ahead > longestSnoozeMs
    ? refused("invalid", "A snooze must end in the future, within 90 days.", field)
    : null;
}

export const noteFailure = defineAct({
  ...failures.note,
  names: ({ digest }) => ({ kind: "group of failures", id: digest }),
  find: async ({ tx }, { digest }) => {
    const group = (await readFailedGroups(tx)).find((each) => each.digest === digest);
    return group === undefined ? null : { id: digest, belongs: { tenantId: null }, value: group };
  },
  run: async ({ tx, actor }, group, { digest, ownerId, note, snoozedUntil }) => {
    const refusal = snoozedUntil === null ? null : snoozeRefusal(snoozedUntil, "snoozedUntil");
    if (refusal !== null) return refusal;
    const before = await tx.groupNote.findUnique({ where: { digest } });
    // The current owner stays until somebody else is chosen, even if they could no longer be chosen.
    const owner =
      ownerId === null
        ? null
        : await tx.person.findFirst({
            where: { id: ownerId, ...(before?.ownerId === ownerId ? {} : canOwn) },
            select: { name: true },
          });
    if (ownerId !== null && owner === null) return notFound("person", ownerId);
    const row = {
      message: group.pattern,
      ownerId,
      ownerName: owner?.name ?? null,
      ...(ownerId === (before?.ownerId ?? null) ? {} : { ownedSince: ownerId === null ? null : new Date() }),
      note,
      snoozedUntil,
      // The reason was for that time.
      ...(snoozedUntil?.getTime() === before?.snoozedUntil?.getTime() ? {} : { snoozeReason: null }),
      snoozedHosts: snoozedUntil === null ? null : group.hosts.length,
      updatedAt: new Date(),
      updatedBy: actor.personId,
    };
    await tx.groupNote.upsert({ where: { digest }, create: { digest, ...row }, update: row });
    const facts = (of: {
      readonly ownerName: string | null;
      readonly note: string;
      readonly snoozedUntil: Date | null;
    }) => ({ owner: of.ownerName, note: of.note, snoozedUntil: of.snoozedUntil?.toISOString() ?? null });
    return acted({
      value: { saved: true as const },
      targetId: digest,
      tenantId: null,
      before: before === null ? null : facts(before),
      after: { pattern: group.pattern, hosts: group.hosts.length, ...facts(row) },
    });
  },
});
