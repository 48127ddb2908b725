// Replaces the labels of a host. Nothing decides by them but the end of a repair (docs/design/health-and-repair.md#repair-tenants).
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import { host as contract } from "@/server/contract/host";
import { defineAct } from "@/server/usecases/define-act";
import {
  heldByAnother,
  mayKnowLabels,
  mayLabelHosts,
  notPrivileged,
} from "@/server/usecases/hosts/labels/who-labels";
import { labelLines, readLabels } from "@/server/usecases/instances/labels";
import { done } from "@/server/usecases/problem";

interface Labelled {
  readonly labels: unknown;
  /** The tenant that has it now. */
  readonly heldBy: string | null;
}

export const setHostLabels = defineAct({
  ...contract.setLabels,
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
      select: { tenantId: true },
    });
    const value: Labelled = { labels: host.labels, heldBy: held?.tenantId ?? null };
    return { id: hostId, belongs: { tenantId: null }, value };
  },
  run: async ({ tx, actor }, { labels: stored, heldBy }, { hostId, labels }) => {
    if (!mayLabelHosts(actor)) return notPrivileged;
    if (!mayKnowLabels(actor, heldBy)) return heldByAnother;
    const [before, after] = [labelLines(readLabels(stored)), labelLines(labels)];
    if (JSON.stringify(before) === JSON.stringify(after))
      return done({ value: { changed: false }, changes: [] });
    await tx.host.update({ where: { id: hostId }, data: { labels } });
    return done({
      value: { changed: true },
      changes: [{ targetId: hostId, tenantId: null, before: { labels: before }, after: { labels: after } }],
      tell: { feed: [{ hostId, tenantId: null, what: "settings" }] },
    });
  },
});
