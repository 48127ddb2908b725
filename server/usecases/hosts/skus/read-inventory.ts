// Hosts with what was found in them.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { policy } from "@/server/domain/cleaning/policy/policy";
import { baselineSource, withoutAccounts } from "@/server/domain/hosts/inventory/baseline";
import type { BaselineSource } from "@/server/domain/hosts/inventory/baseline";
import type { HardwareInventory } from "@/server/domain/hosts/inventory/inventory";
import { isObject } from "@/server/domain/json";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { ownAccounts } from "@/server/usecases/hosts/own-accounts";
import { foundOf } from "@/server/usecases/hosts/one/found-of";

export interface ReadHost {
  readonly id: string;
  readonly name: string;
  /** Null if no agent has taken an inventory. */
  readonly found: HardwareInventory | null;
  readonly source: BaselineSource;
  readonly biosReadAt: Date | null;
  /** The tenant that had the host when its BMC was read, and since then did not return it clean; null: none. */
  readonly heldBy: string | null;
}

interface FoundRow {
  readonly id: string;
  readonly name: string;
  readonly agent: unknown;
  readonly bmc: unknown;
  readonly bios: unknown;
  readonly bmcSettings: unknown;
  readonly biosReadAt: Date | null;
  /** The accounts that Reclaim signs in with. */
  readonly own: readonly string[] | null;
  readonly devices: unknown;
  readonly rules: unknown;
  readonly heldBy: string | null;
}

/** Without a time of the reading, a tenant that has not returned the host yet counts. */
const heldBy = sql`(SELECT t.name FROM instance n JOIN tenant t ON t.id = n.tenant_id
  WHERE n.host_id = h.id AND n.created_at <= coalesce(b.bios_read_at, now())
    AND NOT EXISTS (SELECT FROM reclamation z WHERE z.host_id = h.id AND z.outcome = 'ready'
      AND z.ended_at > n.created_at AND z.ended_at <= coalesce(b.bios_read_at, now()))
  ORDER BY n.created_at DESC, n.id LIMIT 1)`;

/** A policy that this version cannot read excludes no media. */
const excludedMedia = policy.shape.sanitization.shape.excludedMedia;

async function readInventories(
  reader: SqlReader,
  which: RawBuilder<unknown>,
  most: number,
  withBios: boolean,
): Promise<readonly ReadHost[]> {
  const rows = await queryRows(
    reader,
    sql<FoundRow>`
    SELECT h.id::text, h.name, a.body AS agent, b.body AS bmc, c.devices,
      ${withBios ? sql`b.bios` : sql`NULL`} AS bios, b.bios_read_at AS "biosReadAt",
      ${withBios ? sql`b.bmc_settings` : sql`NULL`} AS "bmcSettings", ${withBios ? ownAccounts : sql`NULL`} AS own,
      p.body #> '{sanitization,excludedMedia}' AS rules, ${withBios ? heldBy : sql`NULL`} AS "heldBy"
    FROM host h JOIN site s ON s.id = h.site_id
      JOIN site_policy p ON p.site_id = s.id AND p.version = s.policy_version
      LEFT JOIN host_inventory a ON a.host_id = h.id AND a.source = 'agent'
      LEFT JOIN host_inventory b ON b.host_id = h.id AND b.source = 'bmc'
      LEFT JOIN LATERAL (SELECT r.devices FROM reclamation r WHERE r.host_id = h.id
        ORDER BY r.started_at DESC, r.number DESC LIMIT 1) c ON true
    WHERE ${which} ORDER BY h.name LIMIT ${most}`,
  );
  return rows.map(({ id, name, agent, bmc, bios, bmcSettings, biosReadAt, own, devices, rules, heldBy }) => ({
    id,
    name,
    found: foundOf({ agent, bmc, devices, rules: excludedMedia.safeParse(rules).data }),
    source: withoutAccounts(
      baselineSource.parse({ ...(isObject(bmc) ? bmc : {}), bios, bmcSettings }),
      own ?? [],
    ),
    biosReadAt,
    heldBy,
  }));
}

export const readHostInventory = async (reader: SqlReader, hostId: string): Promise<ReadHost | null> =>
  (await readInventories(reader, sql`h.id = ${hostId}::uuid`, 1, true))[0] ?? null;

/** Without BIOS attributes and BMC settings. */
export const readFoundHosts = async (
  reader: SqlReader,
  ids: readonly string[],
): Promise<readonly ReadHost[]> =>
  ids.length === 0 ? [] : readInventories(reader, sql`h.id = ANY(${[...ids]}::uuid[])`, ids.length, false);

/** Condition on `host h`. A host of type `fake` has no inventory and no SKU. */
export const withoutSku = sql`h.sku_id IS NULL AND h.hardware_type <> 'fake'`;

export async function countHostsWithoutSku(reader: SqlReader): Promise<number> {
  const [row] = await queryRows(
    reader,
    sql<{ n: number }>`SELECT count(*)::int AS n FROM host h WHERE ${withoutSku}`,
  );
  return row?.n ?? 0;
}
