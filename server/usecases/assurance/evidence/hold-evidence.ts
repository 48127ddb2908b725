// Legal hold of evidence files, and how records keep the files that they rest on.
import { sql } from "kysely";
import { evidence as contract } from "@/server/contract/assurance/evidence";
import { execute, queryRows } from "@/server/db/sql";
import type { Transaction } from "@/server/db/prisma";
import type { Actor } from "@/server/usecases/actor";
import { acted, defineAct } from "@/server/usecases/define-act";
import type { ActContext, Target } from "@/server/usecases/define-act";
import { refused } from "@/server/usecases/problem";

interface Held {
  readonly held: boolean;
}

/** All files with this content, whoever uploaded them. */
async function findFile(
  { tx }: ActContext,
  { sha256 }: { readonly sha256: string },
): Promise<Target<Held> | null> {
  const rows = await queryRows(
    tx,
    sql<Held>`SELECT held_at IS NOT NULL AS held FROM evidence_file WHERE sha256 = ${sha256} FOR UPDATE`,
  );
  const [row] = rows;
  return row === undefined
    ? null
    : { id: sha256, belongs: { tenantId: null }, value: { held: rows.every(({ held }) => held) } };
}

const names = ({ sha256 }: { readonly sha256: string }) => ({ kind: "file", id: sha256 });

const changed = (sha256: string, held: boolean, reason: string) =>
  acted({
    value: { sha256 },
    targetId: sha256,
    tenantId: null,
    before: { held: !held },
    after: { held, reason },
  });

export const holdEvidence = defineAct({
  ...contract.hold,
  names,
  find: findFile,
  run: async ({ tx, actor }, { held }, { sha256, reason }) => {
    if (held) return refused("conflict", "The file is already on legal hold.");
    await execute(
      tx,
      sql`UPDATE evidence_file SET held_at = now(), held_by = ${actor.name}, held_reason = ${reason} WHERE sha256 = ${sha256} AND held_at IS NULL`,
    );
    return changed(sha256, true, reason);
  },
});

export const endEvidenceHold = defineAct({
  ...contract.endHold,
  names,
  find: findFile,
  run: async ({ tx }, _file, { sha256, reason }) => {
    const count = await execute(
      tx,
      sql`UPDATE evidence_file SET held_at = NULL, held_by = NULL, held_reason = NULL WHERE sha256 = ${sha256} AND held_at IS NOT NULL`,
    );
    return count === 0
      ? refused("conflict", "The file is not on legal hold.")
      : changed(sha256, false, reason);
  },
});

export interface KeptFile {
  readonly sha256: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
}

/**
 * Keeps files permanently, because a record rests on them. Call it in the record's transaction.
 * @returns the files, or the first digest for which the actor's organisation has no file: a record cannot name another's
 */
export async function keepEvidence(
  tx: Transaction,
  { tenantId }: Pick<Actor, "tenantId">,
  digests: readonly string[],
): Promise<{ readonly files: readonly KeptFile[]; readonly missing: string | null }> {
  const files = await queryRows(
    tx,
    sql<KeptFile>`UPDATE evidence_file SET kept_at = coalesce(kept_at, now())
    WHERE sha256 = ANY(${[...digests]}::text[]) AND tenant_id IS NOT DISTINCT FROM ${tenantId}::uuid RETURNING sha256, name, type, bytes`,
  );
  const missing = digests.find((digest) => !files.some(({ sha256 }) => sha256 === digest)) ?? null;
  return { files, missing };
}
