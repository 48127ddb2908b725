// The versions of one procedure of a site, and on how many hosts it would be due now.
import { sql } from "kysely";
import type { z } from "zod";
import type {
  ProcedurePreview,
  ProcedureVersion,
  procedures as contract,
} from "@/server/contract/assurance/procedures";
import { queryRows } from "@/server/db/sql";
import { procedure } from "@/server/domain/assurance/procedures/procedure";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { personNames } from "@/server/usecases/person-names";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

const maxVersions = 100;

interface VersionRow {
  readonly version: number;
  readonly at: Date;
  readonly by: string | null;
  readonly text: unknown;
}

/** Provider's people only. The policy versions in which the procedure's text changed, newest first. */
export async function procedureHistory(
  { database }: Backend,
  actor: Actor,
  { siteId, name }: { readonly siteId: string; readonly name: string },
): Promise<Outcome<readonly ProcedureVersion[]>> {
  const scope = scopeOf(actor, "assurance.read");
  if (!scope.ok) return scope;
  const rows = await queryRows(
    database,
    sql<VersionRow>`
    SELECT v.version, v.at, v.by, v.text FROM (
      SELECT y.version, y.created_at AS at, y.created_by::text AS by, e.text, lag(e.text) OVER (ORDER BY y.version) AS before
      FROM site_policy y LEFT JOIN LATERAL (
        SELECT p AS text FROM jsonb_array_elements(CASE WHEN jsonb_typeof(y.body -> 'procedures') = 'array' THEN y.body -> 'procedures' ELSE '[]' END) p
        WHERE p ->> 'name' = ${name} LIMIT 1) e ON true
      WHERE y.site_id = ${siteId}::uuid) v
    WHERE v.text IS DISTINCT FROM v.before ORDER BY v.version DESC LIMIT ${maxVersions}`,
  );
  if (rows.length === 0) return notFound("procedure", name);
  const names = await personNames(
    database,
    rows.map(({ by }) => by),
  );
  return done(
    rows.map(({ version, at, by, text }) => ({
      policyVersion: version,
      at,
      byName: by === null ? null : (names.get(by) ?? null),
      procedure: text === null ? null : procedure.parse(text),
    })),
  );
}

/** Provider's people only. Does not count `afterFailures`: failures cannot be predicted. */
export async function previewProcedure(
  { database }: Backend,
  actor: Actor,
  { siteId, when }: z.output<typeof contract.preview.input>,
): Promise<Outcome<ProcedurePreview>> {
  const scope = scopeOf(actor, "assurance.read");
  if (!scope.ok) return scope;
  const [row] = await queryRows(
    database,
    sql<ProcedurePreview>`
    SELECT count(*)::int AS hosts, count(*) FILTER (WHERE f.sku OR f.tenant OR f.repaired OR ${when.always})::int AS due,
      count(*) FILTER (WHERE f.sku)::int AS "ofSkus", count(*) FILTER (WHERE f.tenant)::int AS "ofTenants",
      count(*) FILTER (WHERE f.repaired)::int AS "inRepair", count(*) FILTER (WHERE f.open)::int AS "inReclamation"
    FROM host h CROSS JOIN LATERAL (SELECT
      EXISTS (SELECT FROM sku k WHERE k.id = h.sku_id AND k.name = ANY(${[...when.skus]}::text[])) AS sku,
      EXISTS (SELECT FROM instance n JOIN tenant t ON t.id = n.tenant_id WHERE n.host_id = h.id AND n.ended_at IS NULL AND t.org = ANY(${[...when.tenants]}::text[])) AS tenant,
      ${when.afterRepair} AND EXISTS (SELECT FROM instance n JOIN repair p ON p.instance_id = n.id WHERE n.host_id = h.id AND n.ended_at IS NULL) AS repaired,
      EXISTS (SELECT FROM reclamation c WHERE c.host_id = h.id AND c.ended_at IS NULL AND c.kind <> 'manualCleaning') AS open) f
    WHERE h.site_id = ${siteId}::uuid`,
  );
  return row === undefined ? notFound("site", siteId) : done(row);
}
