// Bundles as they are stored, with their approvals (docs/adr/0150-measured-boot.md).
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { BundleState, PcrValues } from "@/server/domain/attestation/measurement";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";

export interface StoredBundle {
  readonly id: string;
  readonly siteId: string;
  readonly site: string;
  readonly name: string;
  readonly manufacturer: string;
  readonly model: string;
  readonly values: PcrValues;
  readonly state: BundleState;
  readonly reason: string;
  readonly requestedBy: string;
  readonly requestedAt: Date;
  readonly approvalId: string;
  readonly decision: string | null;
  readonly decidedBy: string | null;
  readonly voided: boolean;
  readonly changedAt: Date | null;
  readonly changedBy: string | null;
  readonly changedReason: string | null;
  readonly hosts: number;
}

/** Those that `where` selects of `attestation_bundle b`, its `approval a` and its `site s`; the newest first. */
export const readBundles = (
  reader: SqlReader,
  where: RawBuilder<unknown>,
  { locked = false }: { readonly locked?: boolean } = {},
): Promise<readonly StoredBundle[]> =>
  queryRows(
    reader,
    sql<StoredBundle>`
    SELECT b.id::text, b.site_id::text AS "siteId", s.name AS site, b.name, b.manufacturer, b.model, b.pcrs AS values, b.state, b.reason,
      a.asked_by_name AS "requestedBy", b.created_at AS "requestedAt", a.id::text AS "approvalId", a.decision, a.decided_by_name AS "decidedBy",
      a.voided_at IS NOT NULL AS voided, b.changed_at AS "changedAt", b.changed_by AS "changedBy", b.changed_reason AS "changedReason",
      (SELECT count(*)::int FROM host_measurement m WHERE m.bundle_id = b.id) AS hosts
    FROM attestation_bundle b JOIN approval a ON a.id = b.approval_id JOIN site s ON s.id = b.site_id
    WHERE ${where} ORDER BY b.created_at DESC, b.id ${locked ? sql`FOR UPDATE OF b` : sql``}`,
  );
