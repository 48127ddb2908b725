// Grants and revokes what tenants may do at a site, for the acts that log it. The caller has locked the tenants' rows.
import { sql } from "kysely";
import { execute, queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import type { TenantGrantKind } from "@/server/domain/access/tenant-grants";
import type { Transaction } from "@/server/db/prisma";

export interface WantedGrant {
  readonly org: string;
  readonly kind: TenantGrantKind;
}

/** Waits for claims in progress, and makes new ones wait (usecases/instances/quota). Null if there is no such tenant. */
export async function lockTenant(tx: SqlReader, org: string): Promise<string | null> {
  const [row] = await queryRows(
    tx,
    sql<{ id: string }>`SELECT id::text FROM tenant WHERE org = ${org} FOR NO KEY UPDATE`,
  );
  return row?.id ?? null;
}

/** Sets one grant of a tenant at a site. Returns whether that is a change. */
export async function writeGrant(
  tx: Transaction,
  {
    tenantId,
    siteId,
    kind,
    by,
  }: Readonly<Record<"tenantId" | "siteId" | "by", string>> & Pick<WantedGrant, "kind">,
  given: boolean,
): Promise<boolean> {
  if (given) {
    const { count } = await tx.tenantGrant.createMany({
      data: { tenantId, siteId, kind, givenBy: by },
      skipDuplicates: true,
    });
    return count > 0;
  }
  const { count } = await tx.tenantGrant.deleteMany({ where: { tenantId, siteId, kind } });
  return count > 0;
}

/** Sets all grants at a site; any other is revoked. */
export async function replaceGrants(
  tx: Transaction,
  siteId: string,
  wanted: readonly WantedGrant[],
  by: string,
): Promise<void> {
  const rows = sql`unnest(${wanted.map(({ org }) => org)}::text[], ${wanted.map(({ kind }) => kind)}::text[]) AS w(org, kind)`;
  await execute(
    tx,
    sql`DELETE FROM tenant_grant g USING tenant t WHERE g.site_id = ${siteId}::uuid AND t.id = g.tenant_id
      AND NOT EXISTS (SELECT 1 FROM ${rows} WHERE w.org = t.org AND w.kind = g.kind)`,
  );
  await execute(
    tx,
    sql`INSERT INTO tenant_grant (tenant_id, site_id, kind, given_by)
    SELECT t.id, ${siteId}::uuid, w.kind, ${by} FROM ${rows} JOIN tenant t ON t.org = w.org ON CONFLICT DO NOTHING`,
  );
}
