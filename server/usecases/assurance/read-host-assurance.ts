// The current facts that procedures depend on, for hosts: the same facts and the same rule as in the gate (docs/adr/0102).
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { assurance, assuranceOfInstance } from "@/server/db/hot/host/assurance-query";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { storedPolicy } from "@/server/domain/cleaning/policy/policy";
import { hostView } from "@/server/domain/hosts/record/view";
import { storedState } from "@/server/domain/lifecycle/states";
import type { StoredState } from "@/server/domain/lifecycle/states";
import type { Procedure } from "@/server/domain/assurance/procedures/procedure";
import { standingsOf } from "@/server/domain/assurance/procedures/standing";
import type { ProcedureStanding } from "@/server/domain/assurance/procedures/standing";

interface Row {
  readonly host_id: string;
  readonly name: string;
  readonly serial: string | null;
  readonly site_id: string;
  readonly site: string;
  readonly place: string | null;
  readonly state: string;
  readonly since: Date;
  readonly limit_at: Date | null;
  readonly fake: boolean;
  readonly leased: boolean;
  readonly sku: string | null;
  readonly kind: string | null;
  readonly plan_made: boolean;
  readonly reclamation_id: string | null;
  readonly started_at: Date | null;
  readonly instance_id: string | null;
  readonly instance_tenant: string | null;
  readonly instance_since: Date | null;
  readonly repairs: boolean;
  readonly policy: unknown;
  readonly facts: unknown;
  readonly drain_needed: boolean;
  readonly now: Date;
}

export interface AssuredHost {
  readonly id: string;
  readonly name: string;
  readonly serial: string | null;
  readonly siteId: string;
  readonly site: string;
  readonly place: string | null;
  readonly state: StoredState;
  readonly since: Date;
  readonly limitAt: Date | null;
  readonly overLimit: boolean;
  readonly nowMs: number;
  /** What a new record would belong to, and since when work counts; null if nothing can be recorded. */
  readonly holder:
    | { readonly kind: "reclamation"; readonly id: string; readonly sinceMs: number }
    | { readonly kind: "instance"; readonly id: string; readonly tenantId: string; readonly sinceMs: number }
    | null;
  /** Why nothing can be recorded. */
  readonly refusal: string | null;
  readonly procedures: readonly Procedure[];
  readonly standings: readonly ProcedureStanding[];
}

const factsSchema = hostView.shape.assurance.unwrap();

function holderOf(row: Row): AssuredHost["holder"] {
  if (row.fake || row.leased) return null;
  const { instance_id: instanceId, instance_tenant: tenantId } = row;
  if (row.reclamation_id !== null && row.started_at !== null)
    return row.kind === "manualCleaning" || row.kind === "decommission"
      ? null
      : { kind: "reclamation", id: row.reclamation_id, sinceMs: row.started_at.getTime() };
  return row.repairs && instanceId !== null && tenantId !== null && row.instance_since !== null
    ? { kind: "instance", id: instanceId, tenantId, sinceMs: row.instance_since.getTime() }
    : null;
}

function refusalOf(row: Row): string | null {
  if (row.fake) return "There is no machine behind this host.";
  if (row.leased) return "A repair system has the host.";
  return holderOf(row) === null
    ? "The host has no open reclamation for a record, and no repair tenant holds it."
    : null;
}

function hostOf(row: Row): AssuredHost {
  const facts = factsSchema.parse(row.facts);
  const { procedures } = storedPolicy.parse(row.policy);
  const nowMs = row.now.getTime();
  const asksNothing = holderOf(row) === null || (row.kind === "recheck" && !row.plan_made);
  return {
    id: row.host_id,
    name: row.name,
    serial: row.serial,
    siteId: row.site_id,
    site: row.site,
    place: row.place,
    state: storedState(row.state),
    since: row.since,
    limitAt: row.limit_at,
    overLimit: row.limit_at !== null && row.limit_at < row.now,
    nowMs,
    holder: holderOf(row),
    refusal: refusalOf(row),
    procedures,
    standings: asksNothing ? [] : standingsOf(procedures, facts, row.sku, nowMs, row.drain_needed),
  };
}

/** `where` is on a host `h` and its run `r`. Hosts that have been longest in their state come first. */
export async function readAssuredHosts(
  reader: SqlReader,
  where: RawBuilder<unknown>,
  limit: number,
): Promise<readonly AssuredHost[]> {
  const rows = await queryRows(
    reader,
    sql<Row>`
    SELECT h.id::text AS host_id, h.name, h.serial, s.id::text AS site_id, s.name AS site, nullif(concat_ws(' / ', h.rack, h.slot), '') AS place, r.state, r.state_since AS since, r.limit_at,
      h.hardware_type = 'fake' AS fake, r.outside_lease IS NOT NULL AS leased, k.name AS sku, c.kind, coalesce(c.plan_epoch > 0, false) AS plan_made,
      c.id::text AS reclamation_id, c.started_at, n.id::text AS instance_id, n.tenant_id::text AS instance_tenant, n.created_at AS instance_since,
      EXISTS (SELECT 1 FROM repair p WHERE p.instance_id = n.id) AS repairs,
      -- As the gates of the reclamation were evaluated last: the memory is proven by no step of its plan.
      EXISTS (SELECT 1 FROM gate g WHERE g.reclamation_id = c.id AND g.gate = 'memoryOverwritten' AND g.status = 'unsatisfied')
        AND NOT EXISTS (SELECT 1 FROM step_run t WHERE t.reclamation_id = c.id AND t.plan_epoch = c.plan_epoch AND 'memoryOverwritten' = ANY(t.proves)) AS drain_needed,
      coalesce(c.policy, y.body) AS policy, clock_timestamp() AS now,
      CASE WHEN c.id IS NULL THEN ${sql.raw(assuranceOfInstance)} ELSE ${sql.raw(assurance)} END AS facts
    FROM host_run r JOIN host h ON h.id = r.host_id JOIN site s ON s.id = h.site_id
      JOIN site_policy y ON y.site_id = s.id AND y.version = s.policy_version
      LEFT JOIN sku k ON k.id = h.sku_id
      LEFT JOIN instance n ON n.host_id = h.id AND n.ended_at IS NULL
      -- One that is over in a moment: whoever claimed the host for repair has it.
      LEFT JOIN reclamation c ON c.host_id = h.id AND c.ended_at IS NULL AND (n.id IS NULL OR c.instance_id = n.id)
    WHERE ${where} ORDER BY r.state_since, h.id LIMIT ${limit}`,
  );
  return rows.map(hostOf);
}
