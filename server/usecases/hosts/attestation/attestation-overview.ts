// Measured boot of all hosts: by state, what waits for a bundle, and the bundles (docs/attestation.md#bundles).
import { sql } from "kysely";
import type { AttestationOverview, BundleLine } from "@/server/contract/hosts/attestation";
import { queryRows } from "@/server/db/sql";
import { bundleStanding, orderedValues, valuesDigest } from "@/server/domain/attestation/bundle";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { readBundles } from "@/server/usecases/hosts/attestation/bundle-rows";
import { readPending } from "@/server/usecases/hosts/attestation/pending-rows";
import type { StoredBundle } from "@/server/usecases/hosts/attestation/bundle-rows";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

const asked = sql`FROM host h JOIN site s ON s.id = h.site_id JOIN site_policy y ON y.site_id = s.id AND y.version = s.policy_version`;

const lineOf = ({
  values,
  state,
  changedAt,
  changedBy,
  changedReason,
  ...row
}: StoredBundle): BundleLine => ({
  id: row.id,
  name: row.name,
  site: row.site,
  manufacturer: row.manufacturer,
  model: row.model,
  standing: bundleStanding(state, row),
  values: [...orderedValues(values)],
  hosts: row.hosts,
  requestedBy: row.requestedBy,
  requestedAt: row.requestedAt,
  reason: row.reason,
  approvalId: row.approvalId,
  approvedBy: row.decision === "approved" ? row.decidedBy : null,
  changed:
    changedAt === null || changedBy === null || changedReason === null
      ? null
      : { at: changedAt, by: changedBy, reason: changedReason },
});

export async function attestationOverview(
  { database }: Backend,
  actor: Actor,
): Promise<Outcome<AttestationOverview>> {
  const scope = scopeOf(actor, "site.read");
  if (!scope.ok) return scope;
  const [states, pending, bundles] = await Promise.all([
    queryRows(
      database,
      sql<AttestationOverview["states"][number]>`
      SELECT coalesce(m.state, 'notAsked') AS state, count(*)::int AS hosts ${asked} LEFT JOIN host_measurement m ON m.host_id = h.id
      WHERE h.hardware_type <> 'fake' AND y.body ->> 'attestation' IN ('observe', 'required') GROUP BY 1 ORDER BY 2 DESC, 1`,
    ),
    readPending(database, sql`true`),
    readBundles(database, sql`true`),
  ]);
  return done({
    states,
    pending: pending.map(({ values, hostId, hostName, held: _held, ...group }) => ({
      ...group,
      digest: valuesDigest(values),
      host: { id: hostId, name: hostName },
    })),
    bundles: bundles.map(lineOf),
  });
}
