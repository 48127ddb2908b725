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
    const [row] = await queryRows(
      tx,
      sql<Labelled>`
        SELECT h.labels, (SELECT i.tenant_id::text FROM instance i WHERE i.host_id = h.id AND i.ended_at IS NULL) AS "heldBy"
        FROM host h WHERE h.id = ${hostId}::uuid FOR UPDATE OF h`,
    );
    return row === undefined ? null : { id: hostId, belongs: { tenantId: null }, value: row };
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
