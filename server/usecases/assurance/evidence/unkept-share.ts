// How many bytes a tenant may have stored that no record rests on; those are deleted only after a week.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";
import { refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

const maxMib = 500;

/** The provider is not limited, and a file that the tenant has stored already adds nothing. */
export async function unkeptShare(
  database: Database,
  tenantId: string | null,
  { sha256, bytes }: { readonly sha256: string; readonly bytes: number },
): Promise<Outcome<null>> {
  if (tenantId === null) return { ok: true, value: null };
  const [row] = await queryRows(
    database,
    sql<{ readonly unkept: number; readonly stored: boolean }>`
      SELECT coalesce(sum(bytes), 0)::float8 AS unkept,
        EXISTS (SELECT 1 FROM evidence_file WHERE sha256 = ${sha256} AND tenant_id = ${tenantId}::uuid) AS stored
      FROM evidence_file WHERE tenant_id = ${tenantId}::uuid AND kept_at IS NULL AND held_at IS NULL`,
  );
  return row?.stored === true || (row?.unkept ?? 0) + bytes <= maxMib * 1024 * 1024
    ? { ok: true, value: null }
    : refused(
        "conflict",
        `A tenant has at most ${maxMib} MiB of files that no record uses. Unused files are removed after a week.`,
      );
}
