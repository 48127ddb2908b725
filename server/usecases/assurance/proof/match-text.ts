// What a search text refers to: hosts, instances, tenants and reclamations by name, serial number, number or id.
import { sql } from "kysely";
import { startingWith } from "@/server/db/like";
import type { Database } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";
import { issueAction } from "@/server/domain/assurance/certificates/bundle";
import { isUuid } from "@/server/domain/uuid";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import type { Scope } from "@/server/usecases/read";

/** Ids. A return matches if it is one of these, or of one of these. */
export interface Matches {
  readonly hosts: readonly string[];
  readonly instances: readonly string[];
  readonly tenants: readonly string[];
  readonly reclamations: readonly string[];
}

/** Of each kind. More are not searched, so that the answer is complete or says that it is not. */
const most = 5_000;

/** Columns of one row, each an array of ids. */
interface Match {
  readonly hosts: readonly string[];
  readonly instances: readonly string[];
  readonly tenants: readonly string[];
  readonly reclamations: readonly string[];
}

const array = (rows: ReturnType<typeof sql>) =>
  sql`ARRAY(SELECT DISTINCT m.id::text FROM (${rows}) m(id) WHERE m.id IS NOT NULL LIMIT ${most + 1})`;

/** The number in `R-42`, `C-48213` or `42`; null: none. */
const numberIn = (text: string, letter: "r" | "c"): string | null =>
  new RegExp(`^(?:${letter}-)?(\\d{1,15})$`, "i").exec(text)?.[1] ?? null;

/** By certificate: its id, or the number of its entry in the log. The entry names the reclamation. */
const byCertificate = (id: string | null, entry: string | null) => sql`
    SELECT k.reclamation_id FROM certificate k WHERE k.id = ${id}::uuid
    UNION ALL SELECT k.reclamation_id FROM audit_leaf l JOIN audit_event e ON e.id = l.event_id
      JOIN certificate k ON k.id = (e.after ->> 'certificate')::uuid
      WHERE l.seq = ${entry}::bigint AND e.action = ${issueAction} AND e.outcome = 'done'`;

/** Returns of the hosts that had a drive whose serial number begins so, while it was in them. */
const ofDrives = (prefix: string) => sql`
    SELECT c.id FROM drive d JOIN drive_stay y ON y.drive_id = d.id
      JOIN reclamation c ON c.host_id = y.host_id AND coalesce(c.ended_at, 'infinity') >= y.from_at AND c.started_at <= coalesce(y.until_at, 'infinity')
      WHERE lower(d.serial) LIKE ${prefix}
    UNION ALL SELECT v.reclamation_id FROM drive d JOIN device_result v ON v.serial = d.serial WHERE lower(d.serial) LIKE ${prefix}`;

function providerMatches(database: Database, text: string, id: string | null, prefix: string) {
  return queryRows(
    database,
    sql<Match>`SELECT
    ${array(sql`SELECT h.id FROM host h WHERE lower(h.name) LIKE ${prefix} OR lower(h.serial) LIKE ${prefix} OR h.id = ${id}::uuid
      UNION ALL SELECT g.host_id FROM gone_host g WHERE lower(g.name) LIKE ${prefix} OR lower(g.serial) LIKE ${prefix} OR g.host_id = ${id}::uuid`)} AS hosts,
    ${array(sql`SELECT i.id FROM instance i WHERE lower(i.name) LIKE ${prefix} OR i.id = ${id}::uuid`)} AS instances,
    ${array(sql`SELECT t.id FROM tenant t WHERE lower(t.name) = ${text} OR lower(t.org) = ${text} OR t.id = ${id}::uuid`)} AS tenants,
    ${array(sql`SELECT c.id FROM reclamation c WHERE c.id = ${id}::uuid OR c.number = ${numberIn(text, "r")}::bigint
      UNION ALL (${byCertificate(id, numberIn(text, "c"))}) UNION ALL (${ofDrives(prefix)})`)} AS reclamations`,
  );
}

/**
 * A tenant finds its returns by what its receipts tell it: its instances, the serial numbers of its machines, and of the drives that they had then. A drive
 * that was added later is not found by it.
 */
function tenantMatches(
  database: Database,
  tenantId: string,
  { text, id, prefix }: { readonly text: string; readonly id: string | null; readonly prefix: string },
) {
  const own = sql`${tenantId}::uuid`;
  return queryRows(
    database,
    sql<Match>`SELECT ARRAY[]::text[] AS hosts, ARRAY[]::text[] AS tenants,
    ${array(sql`SELECT i.id FROM instance i WHERE i.tenant_id = ${own} AND (lower(i.name) LIKE ${prefix} OR i.id = ${id}::uuid OR i.host_id = ${id}::uuid)`)} AS instances,
    ${array(sql`SELECT c.id FROM reclamation c WHERE c.tenant_id = ${own} AND (lower(c.host_serial) LIKE ${prefix} OR c.id = ${id}::uuid)
      UNION ALL SELECT k.reclamation_id FROM (${byCertificate(id, numberIn(text, "c"))}) m(id) JOIN certificate k ON k.reclamation_id = m.id AND k.kind = 'receipt' WHERE k.tenant_id = ${own}
      UNION ALL SELECT c.id FROM reclamation c JOIN debt b ON b.chassis_serial = c.host_serial AND b.instance_id = c.instance_id
        WHERE c.tenant_id = ${own} AND EXISTS (SELECT FROM unnest(b.drive_serials) s(serial) WHERE lower(s.serial) LIKE ${prefix})`)} AS reclamations`,
  );
}

/** Null for an empty text. A prefix is enough; case does not matter. */
export async function matchText(
  database: Database,
  scope: Scope,
  given: string,
): Promise<Outcome<Matches | null>> {
  const text = given.trim().toLowerCase();
  if (text === "") return done(null);
  const id = isUuid(text) ? text : null;
  const prefix = startingWith(text);
  const [found] =
    scope.kind === "tenant"
      ? await tenantMatches(database, scope.tenantId, { text, id, prefix })
      : await providerMatches(database, text, id, prefix);
  if (found === undefined) return done({ hosts: [], instances: [], tenants: [], reclamations: [] });
  if (Object.values(found).some((ids: readonly string[]) => ids.length > most))
    return refused(
      "invalid",
      `More than ${most} things begin with ${given.slice(0, 40)}. Type more of it.`,
      "text",
    );
  return done(found);
}
