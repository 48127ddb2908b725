// Stores an uploaded evidence file under its SHA-256, with the type detected from its content, and logs the act.
import { createHash } from "node:crypto";
import { sql } from "kysely";
import { z } from "zod";
import type { EvidenceReceipt } from "@/server/contract/assurance/evidence";
import { announceBlob, completeBlob } from "@/server/db/evidence/blob-store";
import { queryRows } from "@/server/db/sql";
import { evidenceName } from "@/server/domain/assurance/evidence/file-name";
import { evidenceType, isEvidenceType } from "@/server/domain/assurance/evidence/file-type";
import type { Actor, Request } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { auditRefusal, defineAct } from "@/server/usecases/define-act";
import { storeAt, storeOf, whereItAnswers } from "@/server/usecases/assurance/evidence/store-of";
import { unkeptShare } from "@/server/usecases/assurance/evidence/unkept-share";
import { refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

const stored = z.strictObject({
  sha256: z.string(),
  name: z.string(),
  type: z.string().refine(isEvidenceType),
  bytes: z.int(),
});

/** Writes the row of a file whose content is stored. A second upload keeps the first name. */
export const noteEvidence = defineAct({
  action: "evidence.upload",
  right: "evidence.write",
  input: stored,
  names: ({ sha256 }) => ({ kind: "file", id: sha256 }),
  find: async ({ tx, actor }, { sha256 }) => {
    const [blob] = await queryRows(
      tx,
      sql`SELECT 1 FROM evidence_blob WHERE sha256 = ${sha256} AND complete FOR SHARE`,
    );
    return blob === undefined
      ? null
      : { id: sha256, belongs: { tenantId: actor.tenantId }, value: actor.tenantId };
  },
  run: async ({ tx, actor }, tenantId, { sha256, name, type, bytes }) => {
    // Of two concurrent uploads, the later one finds the earlier one's row.
    const [added] = await queryRows(
      tx,
      sql`INSERT INTO evidence_file (sha256, name, type, bytes, tenant_id, uploaded_by, uploaded_by_name)
      VALUES (${sha256}, ${name}, ${type}, ${bytes}, ${tenantId}::uuid, ${actor.personId}::uuid, ${actor.name}) ON CONFLICT DO NOTHING RETURNING 1`,
    );
    if (added === undefined) {
      const [known] = await queryRows(
        tx,
        sql<EvidenceReceipt>`SELECT sha256, name, type, bytes FROM evidence_file WHERE sha256 = ${sha256} AND tenant_id IS NOT DISTINCT FROM ${tenantId}::uuid`,
      );
      return known === undefined
        ? refused("conflict", "The file has just been removed. Upload it again.")
        : { ok: true, value: { value: known, changes: [] } };
    }
    return {
      ok: true,
      value: {
        value: { sha256, name, type, bytes },
        changes: [{ targetId: sha256, tenantId, before: null, after: { name, type, bytes } }],
      },
    };
  },
});

export interface OfferedFile {
  /** Given by the sender: may be a path, or anything. */
  readonly name: string;
  readonly declaredType: string | null;
  readonly bytes: Uint8Array;
}

/** Whether the actor may upload files; checked before the upload is read. */
export function mayBring(actor: Actor): Outcome<true> {
  const scope = scopeOf(actor, "evidence.write");
  if (!scope.ok) return scope;
  return actor.readOnly === true
    ? refused("forbidden", "This token is read-only and may not do evidence.upload.")
    : { ok: true, value: true };
}

export async function putEvidence(
  backend: Backend,
  actor: Actor,
  request: Request,
  file: OfferedFile,
): Promise<Outcome<EvidenceReceipt>> {
  const may = mayBring(actor);
  const told = evidenceType(file.bytes, file.declaredType);
  const bytes = file.bytes.length;
  const sha256 = createHash("sha256").update(file.bytes).digest("hex");
  const share = may.ok ? await unkeptShare(backend.database, actor.tenantId, { sha256, bytes }) : may;
  if (!share.ok || !told.ok) {
    const problem = !share.ok ? share : refused("invalid", told.ok ? "" : told.why, "file");
    await auditRefusal(backend, actor, request, {
      action: "evidence.upload",
      targetId: null,
      problem: problem.problem,
    });
    return problem;
  }
  const { type } = told;
  const { database } = backend;
  const blob = await announceBlob(database, { sha256, bytes, place: storeOf(backend).place });
  if (!blob.complete) {
    const put = await whereItAnswers(() => storeAt(backend, blob.place).put(sha256, file.bytes));
    if (!put.ok) return put;
    await completeBlob(database, sha256);
  }
  return noteEvidence(backend, actor, request, { sha256, name: evidenceName(file.name, type), type, bytes });
}
