// Hosts that a repair tenant holds, with the repair status in their labels, which a release would report now.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { HeldRow } from "@/server/contract/repair/answers";
import { repairStatusLabel } from "@/server/domain/repair/completion";
import { repairNote } from "@/server/domain/repair/repairs";
import { healthTemplates } from "@/server/domain/repair/health/templates";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { readLabels } from "@/server/usecases/instances/labels";
import { instancesById } from "@/server/usecases/instances/list-instances";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { issueOfRow, repairedOf, toRepaired } from "@/server/usecases/repair/repair-rows";
import type { RepairedColumns } from "@/server/usecases/repair/repair-rows";
import { ownRepairs, repairScope } from "@/server/usecases/repair/repair-scope";

interface HeldRecord extends RepairedColumns {
  readonly host_id: string;
  readonly host: string;
  readonly site: string;
  readonly rack: string | null;
  readonly sku: string | null;
  readonly instance_id: string;
  readonly tenant: string;
  readonly claimed_at: Date;
  readonly labels: unknown;
  readonly issue_category: string | null;
  readonly issue_summary: string | null;
  readonly issue_details: string | null;
  readonly requested: boolean;
  readonly reported: boolean;
}

/** Repairs in progress are few: at most as many as repair tenants can hold. */
const most = 1_000;

/** Repairs `p` with their instances `i`. */
export const heldRepairs = sql`repair p JOIN instance i ON i.id = p.instance_id`;

/** Condition on those: the host is still held for the repair. */
export const isHeld = sql`p.released_at IS NULL AND i.release_requested_at IS NULL AND i.ended_at IS NULL`;

const has = (source: string) =>
  sql`EXISTS (SELECT 1 FROM health_report q WHERE q.host_id = p.host_id AND q.source = ${sql.lit(source)} AND q.mode = 'merge')`;

export async function listHeld(backend: Backend, actor: Actor): Promise<Outcome<readonly HeldRow[]>> {
  const scope = repairScope(actor);
  if (!scope.ok) return scope;
  const records = await queryRows(
    backend.database,
    sql<HeldRecord>`
    SELECT h.id::text AS host_id, h.name AS host, s.name AS site, h.rack, k.name AS sku, i.id::text AS instance_id, t.name AS tenant, p.claimed_at, h.labels,
      p.issue_category, p.issue_summary, p.issue_details, d.total, d.recent,
      ${has(healthTemplates["request-repair"].source)} AS requested, ${has(healthTemplates["tenant-reported-issue"].source)} AS reported
    FROM ${heldRepairs} JOIN tenant t ON t.id = i.tenant_id JOIN host h ON h.id = p.host_id JOIN site s ON s.id = h.site_id
      LEFT JOIN sku k ON k.id = h.sku_id LEFT JOIN ${repairedOf}
    WHERE ${isHeld} AND ${ownRepairs(scope.value)}
    ORDER BY p.claimed_at, p.id LIMIT ${most}`,
  );
  const instances = await instancesById(
    backend,
    actor,
    records.map(({ instance_id }) => instance_id),
  );
  return done(
    records.flatMap((record) => {
      const instance = instances.get(record.instance_id);
      if (instance === undefined) return [];
      const labels = readLabels(record.labels);
      const { outcome, ticket, summary } = repairNote(labels);
      return [
        {
          hostId: record.host_id,
          host: record.host,
          site: record.site,
          rack: record.rack,
          sku: record.sku,
          instanceId: record.instance_id,
          instance: instance.name,
          status: instance.status,
          tenant: record.tenant,
          claimedAt: record.claimed_at,
          repairStatus: labels[repairStatusLabel] ?? null,
          outcome,
          ticket,
          note: summary,
          issue: issueOfRow(record),
          requested: record.requested,
          reported: record.reported,
          repaired: toRepaired(record),
          release: instance.release,
        },
      ];
    }),
  );
}
