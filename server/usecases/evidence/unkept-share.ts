// How many bytes a tenant may have stored that no record rests on; those are deleted only after a week.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";
import { refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

const maxMib = 500;

/** The provider is not limited. */
export async function unkeptShare(
  database: Database,
  tenantId: string | null,
  bytes: number,
): Promise<Outcome<null>> {
  if (tenantId === null) return { ok: true, value: null };
  const [row] = await queryRows(
    database,
    sql<{ readonly unkept: number }>`SELECT coalesce(sum(bytes), 0)::float8 AS unkept FROM evidence_file
    WHERE tenant_id = ${tenantId}::uuid AND kept_at IS NULL AND held_at IS NULL`,
  );
  return (row?.unkept ?? 0) + bytes <= maxMib * 1024 * 1024
    ? { ok: true, value: null }
    : refused(
        "conflict",
        `A tenant has at most ${maxMib} MiB of files that no record uses. Unused files are removed after a week.`,
      );
}
