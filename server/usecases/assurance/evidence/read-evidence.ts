// Evidence files as people read them: the list, and the content of one. Each download is logged.
import { sql } from "kysely";
import { writeAudit } from "@/server/db/audit";
import { queryRows } from "@/server/db/sql";
import type { EvidenceFileLine } from "@/server/contract/assurance/evidence";
import type { Actor, Request } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { beyond, pagesByTime } from "@/server/usecases/cursor";
import { begun, checked } from "@/server/usecases/assurance/evidence/pieces";
import { storeAt, whereItAnswers } from "@/server/usecases/assurance/evidence/store-of";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";
import type { Scope } from "@/server/usecases/read";

/** A tenant reads the files that it uploaded. */
const ownFiles = (scope: Scope) =>
  scope.kind === "tenant" ? sql`f.tenant_id = ${scope.tenantId}::uuid` : sql`true`;

interface ListRow extends Omit<EvidenceFileLine, "hold"> {
  readonly id: string;
  readonly heldAt: Date | null;
  readonly heldBy: string | null;
  readonly heldReason: string | null;
}

const pages = pagesByTime("evidence");

/** Newest first. */
export async function listEvidence(
  { database }: Backend,
  actor: Actor,
  query: { readonly sha256?: string | undefined; readonly cursor: string | null; readonly limit: number },
): Promise<Outcome<{ readonly rows: readonly EvidenceFileLine[]; readonly nextCursor: string | null }>> {
  const scope = scopeOf(actor, "evidence.read");
  if (!scope.ok) return scope;
  const start = pages.start(query.cursor);
  if (!start.ok) return start;
  const rows = await queryRows(
    database,
    sql<ListRow>`
    SELECT f.id::text, f.sha256, f.name, f.type, f.bytes, t.name AS tenant, f.uploaded_by_name AS "uploadedBy", f.uploaded_at AS "uploadedAt",
      f.kept_at AS "keptAt", f.held_at AS "heldAt", f.held_by AS "heldBy", f.held_reason AS "heldReason"
    FROM evidence_file f LEFT JOIN tenant t ON t.id = f.tenant_id
    WHERE ${ownFiles(scope.value)} AND ${beyond(sql`(f.uploaded_at, f.id)`, "<", start.value)} AND (${query.sha256 ?? null}::text IS NULL OR f.sha256 = ${query.sha256 ?? null})
    ORDER BY f.uploaded_at DESC, f.id DESC LIMIT ${query.limit + 1}`,
  );
  const { page, nextCursor } = pages.page(rows, query.limit, ({ uploadedAt, id }) => [uploadedAt, id]);
  return done({
    rows: page.map(({ id: _id, heldAt, heldBy, heldReason, ...row }) => ({
      ...row,
      // A hold belongs to the provider, and its reason may concern another tenant.
      hold:
        heldAt === null || scope.value.kind === "tenant"
          ? null
          : { at: heldAt, by: heldBy ?? "", reason: heldReason ?? "" },
    })),
    nextCursor,
  });
}

export interface EvidenceContent {
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
  /** Throws at the end if the content does not match the digest. */
  readonly pieces: AsyncIterable<Uint8Array>;
}

/** The same answer for a file that does not exist and for another tenant's. */
export async function readEvidence(
  backend: Backend,
  actor: Actor,
  request: Request,
  { sha256 }: { readonly sha256: string },
): Promise<Outcome<EvidenceContent>> {
  const scope = scopeOf(actor, "evidence.read");
  if (!scope.ok) return scope;
  const { database } = backend;
  const [row] = await queryRows(
    database,
    sql<{
      readonly name: string;
      readonly type: string;
      readonly bytes: number;
      readonly place: string;
      readonly tenantId: string | null;
    }>`
    SELECT f.name, f.type, f.bytes, b.place, f.tenant_id::text AS "tenantId"
    FROM evidence_file f JOIN evidence_blob b ON b.sha256 = f.sha256
    WHERE f.sha256 = ${sha256} AND ${ownFiles(scope.value)} ORDER BY f.tenant_id NULLS FIRST, f.id LIMIT 1`,
  );
  if (row === undefined) return notFound("file", sha256.slice(0, 64));
  const pieces = await whereItAnswers(() => begun(storeAt(backend, row.place).read(sha256)));
  if (!pieces.ok) return pieces;
  try {
    await writeAudit(database, {
      actor: { kind: actor.kind, id: actor.kind === "local" ? null : actor.personId, name: actor.name },
      action: "evidence.read",
      targetId: sha256,
      tenantId: row.tenantId,
      requestId: request.requestId,
      address: request.address,
      outcome: "done",
      before: null,
      after: { name: row.name },
    });
  } catch (error) {
    await pieces.value.return?.();
    throw error;
  }
  const { name, type, bytes } = row;
  return done({ name, type, bytes, pieces: checked(sha256, pieces.value) });
}
