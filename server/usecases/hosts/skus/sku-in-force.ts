// What a host's SKU wants of it: the SKU's components, with the firmware of a rollout that let the host in (docs/adr/0148-firmware-rollouts.md).
import { sql } from "kysely";
import { componentsInForce, firmwareInForce } from "@/server/db/firmware-in-force";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import type { FirmwareImage } from "@/server/domain/hosts/platform/rollout";

export interface SkuInForce {
  /** As stored; a SKU may have content that this release does not accept. */
  readonly components: unknown;
  readonly images: readonly FirmwareImage[];
}

/** Null: the host has no SKU. */
export async function readSkuInForce(reader: SqlReader, hostId: string): Promise<SkuInForce | null> {
  const [row] = await queryRows(
    reader,
    sql<SkuInForce>`
    SELECT ${sql.raw(componentsInForce)} AS components, coalesce(w.images, '[]') AS images
    FROM host h JOIN sku u ON u.id = h.sku_id LEFT JOIN LATERAL ${sql.raw(firmwareInForce)} w ON true WHERE h.id = ${hostId}::uuid`,
  );
  return row ?? null;
}
