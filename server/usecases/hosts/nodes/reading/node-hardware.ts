// What the BMC and the agent last found in a host, and facts about its driver's interfaces.
import { z } from "zod";
import { named } from "@/server/db/hot/pool";
import { storedInventory } from "@/server/domain/hosts/inventory/inventory";
import type { HardwareInventory } from "@/server/domain/hosts/inventory/inventory";
import type { HotPool } from "@/server/usecases/backend";

interface InventoryRow {
  readonly body: unknown;
  readonly collected_at: Date;
  readonly bmc_address: string | null;
}

const newest = named<InventoryRow, [hostId: string, source: "agent" | "bmc"]>(
  "ironic_inventory",
  "SELECT v.body, v.collected_at, h.bmc_address FROM host_inventory v JOIN host h ON h.id = v.host_id WHERE v.host_id = $1 AND v.source = $2",
);

export interface NodeInventory {
  readonly inventory: HardwareInventory;
  readonly bmcAddress: string | null;
}

/** An agent's newest inventory; null until one has run on the host. */
export async function readNodeInventory(pool: HotPool, hostId: string): Promise<NodeInventory | null> {
  const [row] = await newest(pool, hostId, "agent");
  return row === undefined
    ? null
    : { inventory: storedInventory.parse(row.body), bmcAddress: row.bmc_address };
}

const firmware = z.object({
  firmware: z.array(z.object({ component: z.string(), version: z.string() })).default([]),
});

export interface FirmwareComponent {
  readonly component: string;
  readonly version: string;
  /** When the BMC reported it. */
  readonly readAt: Date;
}

/** Empty until the BMC was read. */
export async function readNodeFirmware(pool: HotPool, hostId: string): Promise<readonly FirmwareComponent[]> {
  const [row] = await newest(pool, hostId, "bmc");
  return row === undefined
    ? []
    : firmware
        .parse(row.body)
        .firmware.map(({ component, version }) => ({ component, version, readAt: row.collected_at }));
}

/** The facts that determine a node's interfaces. */
export interface InterfaceFacts {
  readonly hardwareType: string;
  readonly bmcAddress: string | null;
  readonly bmcUsername: string | null;
  readonly hasPassword: boolean;
  readonly macs: number;
}

const interfaceFacts = named<InterfaceFacts & Record<string, unknown>, [string]>(
  "ironic_validate",
  `
  SELECT h.hardware_type AS "hardwareType", h.bmc_address AS "bmcAddress", h.bmc_username AS "bmcUsername", h.bmc_password IS NOT NULL AS "hasPassword", coalesce(cardinality(h.macs), 0) AS macs
  FROM host h WHERE h.id = $1::uuid`,
);

/** Null if the host was deleted meanwhile. */
export const readInterfaceFacts = async (pool: HotPool, hostId: string): Promise<InterfaceFacts | null> =>
  (await interfaceFacts(pool, hostId))[0] ?? null;
