// The agent's last inventory of a host, in Ironic's format.
import type { NodeInventory } from "@/server/usecases/hosts/nodes/reading/node-hardware";

const bytesIn = (count: string): number => Number(BigInt(count));

/** As Ironic's agent reports it; sizes in bytes. */
export const inventoryView = ({
  inventory: { system, cpus, memoryBytes, storage, nics },
  bmcAddress,
}: NodeInventory) => ({
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
