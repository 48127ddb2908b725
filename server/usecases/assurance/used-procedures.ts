// Every version of the procedures that a site ever had: a record names only the version.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { procedure } from "@/server/domain/assurance/procedures/procedure";
import type { Procedure } from "@/server/domain/assurance/procedures/procedure";

/** From all versions of the site's policy, including procedures that were removed. */
export async function usedProcedures(reader: SqlReader, siteId: string): Promise<readonly Procedure[]> {
  const rows = await queryRows(
    reader,
    sql<{ text: unknown }>`
    SELECT DISTINCT p AS text FROM site_policy y
      CROSS JOIN LATERAL jsonb_array_elements(CASE WHEN jsonb_typeof(y.body -> 'procedures') = 'array' THEN y.body -> 'procedures' ELSE '[]' END) p
    WHERE y.site_id = ${siteId}::uuid`,
  );
  return rows.map(({ text }) => procedure.parse(text));
}
