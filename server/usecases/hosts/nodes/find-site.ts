// The site of a new node: a conductor group is a site's name (docs/api-ironic.md).
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import type { Target } from "@/server/usecases/define-act";

interface Site {
  readonly id: string;
  readonly name: string;
}

/** Null if there is no site with this name. Its value is null if there are several and none was named. */
export async function findSite(tx: SqlReader, conductorGroup: string): Promise<Target<Site | null> | null> {
  const belongs = { tenantId: null };
  const [first, second] = await queryRows(
    tx,
    sql<Site>`
    SELECT id::text, name FROM site WHERE ${conductorGroup}::text = '' OR lower(name) = lower(${conductorGroup}::text) ORDER BY name LIMIT 2`,
  );
  if (first === undefined) return null;
  return second === undefined ? { id: first.id, belongs, value: first } : { id: "", belongs, value: null };
}
