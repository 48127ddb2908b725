// What the BMC and the agent last found in a host, in Ironic's words.
import { z } from "zod";
import { named } from "@/server/db/hot/pool";
import { hardwareInventory, type HardwareInventory } from "@/server/domain/inventory/inventory";
import type { IronicDeps } from "@/server/surfaces/machine/ironic/deps";

interface InventoryRow {
  readonly body: unknown;
  readonly collected_at: Date;
  readonly bmc_address: string | null;
}

const newest = named<InventoryRow, [hostId: string, source: "agent" | "bmc"]>(
  "ironic_inventory",
  "SELECT v.body, v.collected_at, h.bmc_address FROM host_inventory v JOIN host h ON h.id = v.host_id WHERE v.host_id = $1 AND v.source = $2",
);

const bytesIn = (count: string): number => Number(BigInt(count));

/** As the agent of Ironic reports it; sizes are bytes. */
const toIronic = (
  { system, cpus, memoryBytes, storage, nics }: HardwareInventory,
  bmcAddress: string | null,
) => ({
  interfaces: nics.map(({ name, mac, model }) => ({ name, mac_address: mac, product: model ?? null })),
  cpu: {
    model_name: cpus[0]?.model ?? null,
    count: cpus.reduce((sum, { cores }) => sum + cores, 0),
    socket_count: cpus.length,
  },
  disks: storage.map(({ serial, model, manufacturer, wwn, media, capacityBytes }) => ({
    model,
    serial,
    vendor: manufacturer ?? null,
    wwn: wwn ?? null,
    size: bytesIn(capacityBytes),
    rotational: media === "hdd",
  })),
  memory: { total: bytesIn(memoryBytes), physical_mb: Math.floor(bytesIn(memoryBytes) / 2 ** 20) },
  bmc_address: bmcAddress,
  system_vendor: {
    product_name: system.product,
    serial_number: system.serial,
    manufacturer: system.manufacturer,
    firmware: { version: system.biosVersion ?? null },
  },
});

export type IronicInventory = ReturnType<typeof toIronic>;

/** Null before an agent has run on the host. */
export async function readInventory({ pool }: IronicDeps, hostId: string): Promise<IronicInventory | null> {
  const [row] = await newest(pool, hostId, "agent");
  return row === undefined ? null : toIronic(hardwareInventory.parse(row.body), row.bmc_address);
}

const firmware = z.object({
  firmware: z.array(z.object({ component: z.string(), version: z.string() })).default([]),
});

export interface FirmwareComponent {
  readonly component: string;
  readonly version: string;
  /** When the BMC said it. */
  readonly readAt: Date;
}

/** Empty before a BMC was read. */
export async function readFirmware(
  { pool }: IronicDeps,
  hostId: string,
): Promise<readonly FirmwareComponent[]> {
  const [row] = await newest(pool, hostId, "bmc");
  return row === undefined
    ? []
    : firmware
        .parse(row.body)
        .firmware.map(({ component, version }) => ({ component, version, readAt: row.collected_at }));
}
