// Lines of returns: who had the machine, how it stands, what was erased, and the signed file.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { ReturnLine } from "@/server/contract/assurance/proof";
import type { Database } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";
import { saysOf } from "@/server/domain/assurance/proof/basis-text";
import { standings } from "@/server/domain/assurance/standing";
import type { Standing } from "@/server/domain/assurance/standing";
import { returns } from "@/server/usecases/assurance/proof/returns-sql";
import type { Scope } from "@/server/usecases/read";

interface Row {
  readonly id: string;
  readonly reclamationId: string | null;
  readonly number: string | null;
  readonly kind: string;
  readonly at: Date;
  readonly endedAt: Date | null;
  readonly hostId: string;
  readonly hostName: string | null;
  readonly serial: string | null;
  readonly site: string | null;
  readonly sku: string | null;
  readonly rack: string | null;
  readonly tenantId: string | null;
  readonly tenantName: string | null;
  readonly org: string | null;
  readonly instanceId: string | null;
  readonly instanceName: string | null;
  readonly standing: string;
  readonly erased: number;
  readonly expected: number;
  readonly missing: number;
  readonly satisfied: number;
  readonly applying: number;
  readonly fileId: string | null;
  readonly seq: string | null;
  readonly signedAt: Date | null;
}

export interface FoundReturn {
  readonly line: ReturnLine;
  readonly rack: string | null;
}

/** What the signed statement says of its drives; without one, the frozen list, of which nothing counts yet. */
const drives = sql`LATERAL (
    SELECT coalesce(w.said -> 'devices', '[]') AS said, jsonb_array_length(coalesce(w.said -> 'missing', c.devices -> 'missing', '[]')) AS missing,
      jsonb_array_length(coalesce(c.devices -> 'expected', '[]')) + jsonb_array_length(coalesce(c.devices -> 'answered', '[]')) AS listed
    FROM (SELECT k.statement::jsonb -> 'predicate' AS said FROM (SELECT 1) one LEFT JOIN certificate k ON k.reclamation_id = r.reclamation_id AND k.kind = 'certificate') w) v`;

const columns = sql`
    r.id::text, r.reclamation_id::text AS "reclamationId", r.number::text AS number, r.kind, r.at, r.ended_at AS "endedAt",
    r.host_id::text AS "hostId", coalesce(h.name, o.name) AS "hostName", coalesce(c.host_serial, h.serial, o.serial) AS serial,
    coalesce(s.name, o.site) AS site, coalesce(u.name, o.sku) AS sku, coalesce(h.rack, o.rack) AS rack,
    r.tenant_id::text AS "tenantId", t.name AS "tenantName", t.org, r.instance_id::text AS "instanceId", i.name AS "instanceName", r.standing,
    (SELECT count(*) FROM jsonb_array_elements(v.said) d WHERE d ->> 'result' = 'sanitized')::int AS erased,
    (greatest(jsonb_array_length(v.said), v.listed) + v.missing)::int AS expected, v.missing::int AS missing,
    g.satisfied, g.applying, f.id::text AS "fileId", l.seq::text AS seq, f.signed_at AS "signedAt"`;

/** A gate that does not apply to the hardware does not count; one that was left out does. */
const joins = (kind: "certificate" | "receipt") => sql`
    LEFT JOIN reclamation c ON c.id = r.reclamation_id LEFT JOIN host h ON h.id = r.host_id
    LEFT JOIN LATERAL (SELECT * FROM gone_host g WHERE g.host_id = r.host_id AND h.id IS NULL ORDER BY g.gone_at DESC, g.id DESC LIMIT 1) o ON true
    LEFT JOIN site s ON s.id = h.site_id LEFT JOIN sku u ON u.id = h.sku_id
    LEFT JOIN tenant t ON t.id = r.tenant_id LEFT JOIN instance i ON i.id = r.instance_id
    LEFT JOIN certificate f ON f.reclamation_id = r.reclamation_id AND f.kind = ${kind} LEFT JOIN audit_leaf l ON l.event_id = f.event_id
    CROSS JOIN ${drives}
    CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE g.status = 'satisfied')::int AS satisfied,
      count(*) FILTER (WHERE g.status NOT LIKE 'not required%')::int AS applying FROM gate g WHERE g.reclamation_id = r.reclamation_id) g`;

const isStanding = (text: string): text is Standing => standings.some((standing) => standing === text);

/** A standing of another release counts as no proof. */
const readStanding = (text: string): Standing => (isStanding(text) ? text : "notProven");

function lineOf(row: Row, isTenant: boolean): ReturnLine {
  const { id, reclamationId, number, kind, at, endedAt, site, sku, fileId, seq, signedAt } = row;
  const standing = readStanding(row.standing);
  const counts = { erased: row.erased, expected: row.expected };
  return {
    ...{ id, kind, at, endedAt, site, sku, standing, counts },
    reclamation: reclamationId === null ? null : { id: reclamationId, name: `R-${number ?? ""}` },
    host: { id: row.hostId, name: isTenant ? null : row.hostName, serial: row.serial },
    tenant:
      row.tenantId === null
        ? null
        : { id: row.tenantId, name: row.tenantName ?? row.tenantId, org: row.org ?? "" },
    instance:
      row.instanceId === null ? null : { id: row.instanceId, name: row.instanceName ?? row.instanceId },
    says: saysOf({
      ...{
        standing,
        drives: counts,
        missing: row.missing,
        open: endedAt === null,
        began: reclamationId !== null,
      },
      gates: { satisfied: row.satisfied, applying: row.applying },
    }),
    file: fileId === null ? null : { id: fileId, number: seq === null ? null : `C-${seq}`, signedAt },
  };
}

/** Newest first. @param where conditions on `r` */
export async function readReturns(
  database: Database,
  scope: Scope,
  where: RawBuilder<unknown>,
  limit: number,
): Promise<readonly FoundReturn[]> {
  const isTenant = scope.kind === "tenant";
  const rows = await queryRows(
    database,
    sql<Row>`
    SELECT ${columns} FROM (SELECT r.* FROM ${returns} WHERE ${where} ORDER BY r.at DESC, r.id DESC LIMIT ${limit}) r
    ${joins(isTenant ? "receipt" : "certificate")} ORDER BY r.at DESC, r.id DESC`,
  );
  return rows.map((row) => ({ line: lineOf(row, isTenant), rack: isTenant ? null : row.rack }));
}
