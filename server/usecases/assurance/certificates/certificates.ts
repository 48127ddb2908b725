// Certificates as people read them. A tenant reads its receipts; certificates are for the provider only.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { z } from "zod";
import type {
  CertificateLine,
  certificateSearch,
  certificates,
} from "@/server/contract/assurance/certificates";
import { readEventProof } from "@/server/db/audit-log/event-proof";
import { readProof } from "@/server/db/audit-log/log-rows";
import { poolOf } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";
import { consistencyRanges } from "@/server/domain/audit-log/proofs";
import { parseProof } from "@/server/domain/audit-log/tlog-proof";
import { bundleForm } from "@/server/domain/assurance/certificates/bundle";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { beyond, pagesByTime } from "@/server/usecases/cursor";
import { done, notFound, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";
import type { Scope } from "@/server/usecases/read";

const pages = pagesByTime("certificates");

/** A tenant sees its own receipts, the provider all certificates. */
const visible = (scope: Scope) =>
  scope.kind === "tenant" ? sql`k.kind = 'receipt' AND k.tenant_id = ${scope.tenantId}::uuid` : sql`true`;

/** Same as `receiptOf`: an earlier release used this type for every receipt, whatever certificate it was made from. */
const called = sql`CASE WHEN k.type = 'receipt' THEN coalesce((
    SELECT CASE w.type WHEN 'demo' THEN 'demo' WHEN 'withExceptions' THEN 'receiptWithExceptions' WHEN 'notSanitized' THEN 'receiptNotSanitized' END
    FROM certificate w WHERE w.reclamation_id = k.reclamation_id AND w.kind = 'certificate'), k.type) ELSE k.type END`;

/** As of a return: one that a release before standings ended is not proven. */
const standingOf = sql`CASE WHEN c.id IS NOT NULL THEN coalesce(c.standing, 'notProven') END`;

type Search = Partial<Pick<z.output<typeof certificates.list.input>, keyof typeof certificateSearch>>;

const gone = (where: RawBuilder<unknown>) =>
  sql`h.id IS NULL AND EXISTS (SELECT 1 FROM gone_host g WHERE g.host_id = k.host_id AND ${where})`;

/** A tenant is not told by which of the provider's names a receipt can be found. */
function searchedFor(
  { host, tenant, site, sku, instance, standing, since, until }: Search,
  isProvider: boolean,
): RawBuilder<unknown> {
  const parts = [
    host === undefined
      ? null
      : sql`${isProvider} AND (k.host_id::text = ${host}::text OR h.name = ${host}::text OR c.host_serial = ${host}::text
        OR EXISTS (SELECT 1 FROM gone_host g WHERE g.host_id = k.host_id AND g.name = ${host}::text))`,
    tenant === undefined
      ? null
      : sql`${isProvider} AND (t.name = ${tenant}::text OR t.org = ${tenant}::text)`,
    site === undefined
      ? null
      : sql`${isProvider} AND (s.name = ${site}::text OR ${gone(sql`g.site = ${site}::text`)})`,
    sku === undefined
      ? null
      : sql`${isProvider} AND (u.name = ${sku}::text OR ${gone(sql`g.sku = ${sku}::text`)})`,
    instance === undefined ? null : sql`(i.name = ${instance}::text OR i.id::text = ${instance}::text)`,
    standing === undefined ? null : sql`${standingOf} = ${standing}::text`,
    since === undefined ? null : sql`k.made_at >= ${since}::timestamptz`,
    until === undefined ? null : sql`k.made_at < ${until}::timestamptz`,
  ].filter((part) => part !== null);
  return sql.join([sql`true`, ...parts], sql` AND `);
}

interface ListRequest extends Search {
  readonly hostId?: string | undefined;
  readonly reclamationId?: string | undefined;
  readonly instanceId?: string | undefined;
  /** Only these; defaults to all. */
  readonly ids?: readonly string[] | undefined;
  readonly cursor: string | null;
  readonly limit: number;
}

export async function listCertificates(
  { database }: Backend,
  actor: Actor,
  { hostId = undefined, reclamationId, instanceId, ids, cursor, limit, ...search }: ListRequest,
): Promise<Outcome<{ readonly rows: readonly CertificateLine[]; readonly nextCursor: string | null }>> {
  const scope = scopeOf(actor, "certificate.read");
  if (!scope.ok) return scope;
  const start = pages.start(cursor);
  if (!start.ok) return start;
  const isProvider = scope.value.kind !== "tenant";
  const rows = await queryRows(
    database,
    sql<CertificateLine>`
    SELECT k.id::text, k.kind, ${called} AS type, k.host_id::text AS "hostId", CASE WHEN ${isProvider} THEN h.name END AS host,
      k.reclamation_id::text AS "reclamationId", coalesce(k.instance_id, c.instance_id)::text AS "instanceId",
      i.name AS instance, CASE WHEN ${isProvider} THEN t.name END AS tenant, CASE WHEN ${isProvider} THEN 'R-' || c.number END AS number, ${standingOf} AS standing, k.sha256, k.made_at AS "madeAt", k.signed_at AS "signedAt"
    FROM certificate k LEFT JOIN host h ON h.id = k.host_id LEFT JOIN reclamation c ON c.id = k.reclamation_id
      LEFT JOIN instance i ON i.id = coalesce(k.instance_id, c.instance_id) LEFT JOIN tenant t ON t.id = i.tenant_id
      LEFT JOIN site s ON s.id = h.site_id LEFT JOIN sku u ON u.id = h.sku_id
    WHERE ${visible(scope.value)} AND ${searchedFor(search, isProvider)}
      AND (${ids ?? null}::uuid[] IS NULL OR k.id = ANY(${ids ?? null}::uuid[]))
      AND (${hostId ?? null}::uuid IS NULL OR k.host_id = ${hostId ?? null}::uuid)
      AND (${reclamationId ?? null}::uuid IS NULL OR k.reclamation_id = ${reclamationId ?? null}::uuid)
      AND (${instanceId ?? null}::uuid IS NULL OR coalesce(k.instance_id, c.instance_id) = ${instanceId ?? null}::uuid)
      AND ${beyond(sql`(k.made_at, k.id)`, "<", start.value)}
    ORDER BY k.made_at DESC, k.id DESC LIMIT ${limit + 1}`,
  );
  const { page, nextCursor } = pages.page(rows, limit, ({ madeAt, id }) => [madeAt, id]);
  return done({ rows: page, nextCursor });
}

/** The bundle with a current proof, and the hashes from the checkpoint that somebody kept to the proof's. */
async function withConsistency(
  { database, auditPolicy }: Backend,
  text: string,
  eventId: string,
  keptSize: number,
): Promise<string | null> {
  const pool = poolOf(database);
  const fresh = await readEventProof(pool, eventId, auditPolicy);
  const checkpoint = fresh === null ? null : parseProof(fresh.proof)?.checkpoint;
  if (fresh === null || checkpoint == null || keptSize > checkpoint.size) return null;
  const hashes = await readProof(pool, consistencyRanges(keptSize, checkpoint.size));
  const bundle = bundleForm.parse(JSON.parse(text));
  return JSON.stringify({
    ...bundle,
    proof: fresh.proof,
    consistency: { size: keptSize, hashes: hashes.map((hash) => Buffer.from(hash).toString("base64")) },
  });
}

export async function getCertificate(
  backend: Backend,
  actor: Actor,
  { id, keptSize }: { readonly id: string; readonly keptSize?: number | undefined },
): Promise<Outcome<{ readonly bundle: string }>> {
  const scope = scopeOf(actor, "certificate.read");
  if (!scope.ok) return scope;
  const [row] = await queryRows(
    backend.database,
    sql<{ readonly bundle: string | null; readonly eventId: string | null }>`
    SELECT k.bundle, k.event_id::text AS "eventId" FROM certificate k WHERE k.id = ${id}::uuid AND ${visible(scope.value)}`,
  );
  if (row === undefined) return notFound("certificate", id);
  const { bundle, eventId } = row;
  if (bundle === null || eventId === null)
    return refused("notAllowedNow", "The certificate is not signed yet. Retry in a few seconds.");
  if (keptSize === undefined) return done({ bundle });
  const proven = await withConsistency(backend, bundle, eventId, keptSize);
  return proven === null
    ? refused("notAllowedNow", "The log has no signed checkpoint that covers the one that you kept.")
    : done({ bundle: proven });
}
