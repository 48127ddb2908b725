// Replaces the labels of a host. Nothing depends on them except the end of a repair (docs/repair.md#what-a-repair-tenants-release-does).
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import { host as contract } from "@/server/contract/hosts/host";
import { acted, unchanged, defineAct } from "@/server/usecases/define-act";
import { labelRefusal } from "@/server/usecases/hosts/labels/who-labels";
import type { LabelledHost } from "@/server/usecases/hosts/labels/who-labels";
import { labelLines, readLabels } from "@/server/usecases/instances/labels";
import { notFound } from "@/server/usecases/problem";

interface Labelled extends LabelledHost {
  readonly labels: unknown;
}

export const setHostLabels = defineAct({
  ...contract.setLabels,
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: async ({ tx }, { hostId }) => {
    const [host] = await queryRows(
      tx,
      sql<{
        labels: unknown;
        siteId: string;
      }>`SELECT labels, site_id::text AS "siteId" FROM host WHERE id = ${hostId}::uuid FOR UPDATE`,
    );
    const none = { id: hostId, belongs: { tenantId: null }, value: null };
    if (host === undefined) return none;
    // A separate statement: one that waited for the lock would not see a claim that was committed meanwhile.
    const held = await tx.instance.findFirst({
      where: { hostId, endedAt: null },
      select: { tenantId: true },
    });
    const leased = (await tx.hostRun.count({ where: { hostId, outsideLease: { not: null } } })) > 0;
    const value: Labelled = { id: hostId, ...host, heldBy: held?.tenantId ?? null, leased };
    return { ...none, value };
  },
  run: async ({ tx, actor }, found: Labelled | null, { hostId, labels }) => {
    const refusal = labelRefusal(actor, found, hostId);
    if (refusal !== null) return refusal;
    if (found === null) return notFound("host", hostId);
    const [before, after] = [labelLines(readLabels(found.labels)), labelLines(labels)];
    if (JSON.stringify(before) === JSON.stringify(after)) return unchanged({ changed: false });
    await tx.host.update({ where: { id: hostId }, data: { labels } });
    return acted({
      value: { changed: true },
      targetId: hostId,
      tenantId: null,
      before: { labels: before },
      after: { labels: after },
      tell: { feed: [{ hostId, tenantId: null, what: "settings" }] },
    });
  },
});
