// Notes how a repair stands: three of the host's labels, under the lock of its row, so that no other label is lost (docs/repair.md#the-repair-tenant).
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import { repair as contract } from "@/server/contract/repair/repair";
import { hostLabels } from "@/server/domain/labels/host-labels";
import { repairStatusLabel } from "@/server/domain/repair/completion";
import { noteLabels } from "@/server/domain/repair/repairs";
import { defineAct } from "@/server/usecases/define-act";
import {
  heldByAnother,
  mayKnowLabels,
  mayLabelHosts,
  notPrivileged,
} from "@/server/usecases/hosts/labels/who-labels";
import { labelLines, readLabels } from "@/server/usecases/instances/labels";
import { done, refused } from "@/server/usecases/problem";
import { noRoom } from "@/server/usecases/repair/begin-repair";

interface Labelled {
  readonly labels: unknown;
  /** The tenant that has it for a repair; null: nobody has. */
  readonly repairedBy: string | null;
  readonly heldBy: string | null;
}

const notHeld = refused(
  "notAllowedNow",
  "Nobody repairs this host now. Claim it first: the claim takes away what an earlier repair noted.",
);

/** `text` undefined: as it was; empty: taken away. */
const noted = (name: string, text: string | undefined): Readonly<Record<string, string>> =>
  text === undefined || text.trim() === "" ? {} : { [name]: text };

export const setOutcome = defineAct({
  ...contract.setOutcome,
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: async ({ tx }, { hostId }) => {
    const [host] = await queryRows(
      tx,
      sql<{ labels: unknown }>`SELECT labels FROM host WHERE id = ${hostId}::uuid FOR UPDATE`,
    );
    if (host === undefined) return null;
    // A statement of its own: one that waits for the lock sees no claim that came meanwhile.
    const held = await tx.instance.findFirst({
      where: { hostId, endedAt: null },
      select: { id: true, tenantId: true, releaseRequestedAt: true },
    });
    const repairs =
      held !== null &&
      held.releaseRequestedAt === null &&
      (await tx.repair.count({ where: { instanceId: held.id, releasedAt: null } })) > 0;
    const value: Labelled = {
      labels: host.labels,
      heldBy: held?.tenantId ?? null,
      repairedBy: repairs ? held.tenantId : null,
    };
    return { id: hostId, belongs: { tenantId: null }, value };
  },
  run: async ({ tx, actor }, { labels: stored, heldBy, repairedBy }, input) => {
    const { hostId, outcome, ticket, summary } = input;
    if (!mayLabelHosts(actor)) return notPrivileged;
    if (!mayKnowLabels(actor, heldBy)) return heldByAnother;
    if (repairedBy === null) return notHeld;
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
    if (JSON.stringify(was) === JSON.stringify(is)) return done({ value: { changed: false }, changes: [] });
    await tx.host.update({ where: { id: hostId }, data: { labels } });
    return done({
      value: { changed: true },
      changes: [{ targetId: hostId, tenantId: null, before: { labels: was }, after: { labels: is } }],
      tell: { feed: [{ hostId, tenantId: repairedBy, what: "settings" }] },
    });
  },
});
