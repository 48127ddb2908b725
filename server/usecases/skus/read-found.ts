// Hosts with what was found in them: one, or those without a SKU.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { policy } from "@/server/domain/cleaning/policy";
import { baselineSource } from "@/server/domain/inventory/baseline";
import type { BaselineSource } from "@/server/domain/inventory/baseline";
import type { HardwareInventory } from "@/server/domain/inventory/inventory";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { foundOf } from "@/server/usecases/hosts/one/found-of";

export interface HostFound {
  readonly id: string;
  readonly name: string;
  /** Null: no agent has taken an inventory. */
  readonly found: HardwareInventory | null;
  readonly source: BaselineSource;
}

interface FoundRow {
  readonly id: string;
  readonly name: string;
  readonly agent: unknown;
  readonly bmc: unknown;
  readonly devices: unknown;
  readonly rules: unknown;
}

/** Media rules of a policy that this version cannot read exclude nothing. */
const excludedMedia = policy.shape.sanitization.shape.excludedMedia;

async function readFound(
  reader: SqlReader,
  which: RawBuilder<unknown>,
  most: number,
): Promise<readonly HostFound[]> {
  const rows = await queryRows(
    reader,
    sql<FoundRow>`
    SELECT h.id::text, h.name, a.body AS agent, b.body AS bmc, c.devices,
      p.body #> '{sanitization,excludedMedia}' AS rules
    FROM host h JOIN site s ON s.id = h.site_id
      JOIN site_policy p ON p.site_id = s.id AND p.version = s.policy_version
      LEFT JOIN host_inventory a ON a.host_id = h.id AND a.source = 'agent'
      LEFT JOIN host_inventory b ON b.host_id = h.id AND b.source = 'bmc'
      LEFT JOIN LATERAL (SELECT r.devices FROM reclamation r WHERE r.host_id = h.id
        ORDER BY r.started_at DESC LIMIT 1) c ON true
    WHERE ${which} ORDER BY h.name LIMIT ${most}`,
  );
  return rows.map(({ id, name, agent, bmc, devices, rules }) => ({
    id,
    name,
    found: foundOf({ agent, bmc, devices, rules: excludedMedia.safeParse(rules).data }),
    source: baselineSource.catch({ firmware: [], platform: { lockdown: null } }).parse(bmc),
  }));
}

export const readFoundHost = async (reader: SqlReader, hostId: string): Promise<HostFound | null> =>
  (await readFound(reader, sql`h.id = ${hostId}::uuid`, 1))[0] ?? null;

/** A host of type `fake` has no inventory and no SKU. */
const withoutSku = sql`h.sku_id IS NULL AND h.hardware_type <> 'fake'`;

/** By name. */
export const readHostsWithoutSku = (reader: SqlReader, most: number): Promise<readonly HostFound[]> =>
  readFound(reader, withoutSku, most);

export async function countHostsWithoutSku(reader: SqlReader): Promise<number> {
  const [row] = await queryRows(
    reader,
    sql<{ n: number }>`SELECT count(*)::int AS n FROM host h WHERE ${withoutSku}`,
  );
  return row?.n ?? 0;
}
