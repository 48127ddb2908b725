// The SQL of returns: every reclamation that leads to proof, and every release that never began one, so that nothing is left out because nothing was done.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { monthRange } from "@/server/domain/assurance/proof/month";
import type { ReturnKind } from "@/server/domain/assurance/proof/kinds";
import type { Standing } from "@/server/domain/assurance/standing";
import type { Scope } from "@/server/usecases/read";
import type { Matches } from "@/server/usecases/assurance/proof/match-text";

/** What a search, an index and a pack select by. */
export interface Selection {
  readonly tenantId: string | null;
  readonly month?: string | undefined;
  readonly site?: string | undefined;
  readonly sku?: string | undefined;
  readonly standing?: Standing | undefined;
  readonly kind?: ReturnKind | undefined;
  readonly exception?: boolean | undefined;
  /** What the text refers to; null: no text was given. */
  readonly matches: Matches | null;
}

/** What a reclamation stands for while it is open, or if a release of before standings ended it: nothing is proven. */
const standingOf = sql`coalesce(c.standing, 'notProven')`;

/** As `r`. A manual cleaning leads to Manageable and proves nothing, so it is no return. */
export const returns = sql`(
    SELECT c.id, c.id AS reclamation_id, c.number, c.kind, c.host_id, c.tenant_id, c.instance_id, c.started_at AS at, c.ended_at, ${standingOf} AS standing
    FROM reclamation c WHERE c.kind <> 'manualCleaning'
    UNION ALL
    SELECT i.id, NULL::uuid, NULL::bigint, 'release', i.host_id, i.tenant_id, i.id, coalesce(i.release_requested_at, i.ended_at), NULL::timestamptz, 'notProven'
    FROM instance i WHERE (i.release_requested_at IS NOT NULL OR i.ended_at IS NOT NULL)
      AND NOT EXISTS (SELECT FROM reclamation c WHERE c.host_id = i.host_id AND c.instance_id = i.id AND c.kind <> 'manualCleaning')) r`;

/** Of a row `r` with a `host_id`; also of hosts that have left. */
export const atSite = (name: string) => sql`r.host_id IN (
    SELECT h.id FROM host h JOIN site s ON s.id = h.site_id WHERE s.name = ${name}::text
    UNION ALL SELECT g.host_id FROM gone_host g WHERE g.site = ${name}::text AND NOT EXISTS (SELECT FROM host h WHERE h.id = g.host_id))`;

export const ofSku = (name: string) => sql`r.host_id IN (
    SELECT h.id FROM host h JOIN sku u ON u.id = h.sku_id WHERE u.name = ${name}::text
    UNION ALL SELECT g.host_id FROM gone_host g WHERE g.sku = ${name}::text AND NOT EXISTS (SELECT FROM host h WHERE h.id = g.host_id))`;

/** Exceptions are few, so they are read first; one that was asked for and not used does not count. */
const excepted = sql`coalesce(r.reclamation_id IN (
    SELECT x.reclamation_id FROM gate_exception x JOIN gate g ON g.reclamation_id = x.reclamation_id AND g.gate = x.gate AND g.status = 'excepted'), false)`;

const matching = ({ reclamations, instances, hosts, tenants }: Matches) =>
  sql`(r.id = ANY(${[...reclamations, ...instances]}::uuid[]) OR r.instance_id = ANY(${instances}::uuid[])
    OR r.host_id = ANY(${hosts}::uuid[]) OR r.tenant_id = ANY(${tenants}::uuid[]))`;

/** A tenant sees its own returns. */
export const visible = (scope: Scope): RawBuilder<unknown> =>
  scope.kind === "tenant" ? sql`r.tenant_id = ${scope.tenantId}::uuid` : sql`true`;

/** All conditions on `r`, joined. */
export function conditionsOf(
  scope: Scope,
  { tenantId, month, site, sku, standing, kind, exception, matches }: Selection,
): RawBuilder<unknown> {
  const range = month === undefined ? null : monthRange(month);
  const all = [
    visible(scope),
    tenantId === null ? null : sql`r.tenant_id = ${tenantId}::uuid`,
    range === null ? null : sql`r.at >= ${range.from}::timestamptz AND r.at < ${range.until}::timestamptz`,
    site === undefined ? null : atSite(site),
    sku === undefined ? null : ofSku(sku),
    standing === undefined ? null : sql`r.standing = ${standing}::text`,
    kind === undefined ? null : sql`r.kind = ${kind}::text`,
    exception === undefined ? null : exception ? excepted : sql`NOT ${excepted}`,
    matches === null ? null : matching(matches),
  ].filter((each) => each !== null);
  return sql.join(all, sql` AND `);
}
