// The inventory of a BMC that reports no drives, ports or firmware.
import { noPlatformFacts } from "@/server/domain/hosts/inventory/platform";
import { nothingToWatch } from "@/server/domain/hosts/ready-watch/reading";
import type { InventoryInterface, SystemReading } from "@/server/hardware/interfaces";

const bare = { storage: [], unresolved: [], platform: noPlatformFacts };

export const bareInventory = (
  read: (hostId: string) => Promise<SystemReading>,
): Pick<InventoryInterface, "collect" | "storage" | "watch"> => ({
  collect: async ({ hostId }) => ({
    ok: true,
    value: {
      inventory: {
        ...bare,
        system: await read(hostId),
        macs: [],
        firmware: [],
        bios: null,
        bmcSettings: null,
        boot: null,
      },
      leftOut: [],
    },
  }),
  watch: async ({ hostId }) => ({
    ok: true,
    value: { system: await read(hostId), watched: nothingToWatch },
  }),
  storage: async ({ hostId }) => ({ ok: true, value: { ...bare, system: await read(hostId) } }),
});
