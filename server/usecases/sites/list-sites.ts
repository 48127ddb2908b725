// The sites by name: all of them for the provider's people, and for a tenant those at which it may have hosts.
import { sql } from "kysely";
import { reachOf } from "@/server/domain/access/access";
import { queryRows } from "@/server/db/sql";
import type { SiteLocation } from "@/server/domain/sites/document";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";

interface SiteLine {
  readonly id: string;
  readonly name: string;
  /** As its document says; null: it does not. */
  readonly location: SiteLocation | null;
  readonly createdAt: Date;
  /** When its settings last changed. */
  readonly updatedAt: Date;
}

/** A reader without a tenant, who is not the provider's, sees none. */
export const listSites = (
  { database }: Backend,
  { role, tenantId }: Pick<Actor, "role" | "tenantId">,
): Promise<readonly SiteLine[]> =>
  queryRows(
    database,
    sql<SiteLine>`
    SELECT s.id::text, s.name, s.location, s.created_at AS "createdAt", coalesce((SELECT max(v.at) FROM site_version v WHERE v.site_id = s.id), s.created_at) AS "updatedAt"
    FROM site s WHERE ${reachOf(role, "host.list") === "any"}::boolean OR EXISTS (SELECT 1 FROM tenant_grant g WHERE g.site_id = s.id AND g.tenant_id = ${tenantId}::uuid)
    ORDER BY s.created_at DESC, s.id`,
  );
