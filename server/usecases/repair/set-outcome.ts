// Records the status of a repair in three of the host's labels, with its row locked, so that no other label is lost (docs/repair.md#the-repair-tenant).
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import { repair as contract } from "@/server/contract/repair/repair";
import { hostLabels } from "@/server/domain/hosts/labels/host-labels";
import { repairStatusLabel } from "@/server/domain/repair/completion";
import { noteLabels } from "@/server/domain/repair/repairs";
import { acted, unchanged, defineAct } from "@/server/usecases/define-act";
import { labelRefusal } from "@/server/usecases/hosts/labels/who-labels";
import type { LabelledHost } from "@/server/usecases/hosts/labels/who-labels";
import { labelLines, readLabels } from "@/server/usecases/instances/labels";
import { notFound, refused } from "@/server/usecases/problem";
import { noRoom } from "@/server/usecases/repair/begin-repair";

interface Labelled extends LabelledHost {
  readonly labels: unknown;
  /** Who has the host for a repair that is not being released. */
  readonly tenantId: string | null;
}

const notHeld = refused(
  "notAllowedNow",
  "Nobody is repairing this host. Claim it first; claiming clears the labels of an earlier repair.",
);

/** `text` undefined: unchanged; empty: removed. */
const noted = (name: string, text: string | undefined): Readonly<Record<string, string>> =>
  text === undefined || text.trim() === "" ? {} : { [name]: text };

export const setOutcome = defineAct({
  ...contract.setOutcome,
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: async ({ tx }, { hostId }) => {
    const [host] = await queryRows(
      tx,
      sql<{ labels: unknown; siteId: string }>`
      SELECT labels, site_id::text AS "siteId" FROM host WHERE id = ${hostId}::uuid FOR UPDATE`,
    );
    const none = { id: hostId, belongs: { tenantId: null }, value: null };
    if (host === undefined) return none;
    // A separate statement: one that waited for the lock would not see a claim that was committed meanwhile.
    const held = await tx.instance.findFirst({
      where: { hostId, endedAt: null },
      select: { id: true, tenantId: true, releaseRequestedAt: true },
    });
    const repaired =
      held?.releaseRequestedAt === null &&
      (await tx.repair.count({ where: { instanceId: held.id, releasedAt: null } })) > 0;
    const value: Labelled = {
      id: hostId,
      ...host,
      heldBy: held?.tenantId ?? null,
      // A repair system has no host with an instance, and a host without an instance cannot be repaired here.
      leased: false,
      tenantId: repaired ? held.tenantId : null,
    };
    return { ...none, value };
  },
  run: async ({ tx, actor }, found: Labelled | null, { hostId, outcome, ticket, summary }) => {
    const refusal = labelRefusal(actor, found, hostId);
    if (refusal !== null) return refusal;
    if (found === null) return notFound("host", hostId);
    const { labels: stored, tenantId } = found;
    if (tenantId === null) return notHeld;
    const before = readLabels(stored);
    const dropped: readonly string[] = [
      ...(ticket === undefined ? [] : [noteLabels.ticket]),
      ...(summary === undefined ? [] : [noteLabels.summary]),
    ];
    const labels = {
      ...Object.fromEntries(Object.entries(before).filter(([name]) => !dropped.includes(name))),
      [repairStatusLabel]: outcome,
      ...noted(noteLabels.ticket, ticket),
      ...noted(noteLabels.summary, summary),
    };
    if (!hostLabels.safeParse(labels).success) return noRoom;
    const [was, is] = [labelLines(before), labelLines(labels)];
    if (JSON.stringify(was) === JSON.stringify(is)) return unchanged({ changed: false });
    await tx.host.update({ where: { id: hostId }, data: { labels } });
    return acted({
      value: { changed: true },
      targetId: hostId,
      tenantId: null,
      before: { labels: was },
      after: { labels: is },
      tell: { feed: [{ hostId, tenantId, what: "settings" }] },
    });
  },
});
