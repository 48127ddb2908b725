// Baselines with which the simulated machines return where a site requires them.
import { capturedPlatforms } from "@/prisma/seed/platforms";
import type { Machine } from "@/server/testing/fleet-control";
import type { PlatformBaseline } from "@/server/domain/hosts/inventory/platform";

const { dell, lenovo } = capturedPlatforms;

/** Of what the captured machines of a vendor are like: without firmware and network protocols, and without the BMC of the generic one. */
export const baselines: Readonly<Record<Machine["vendor"], PlatformBaseline>> = {
  dell: {
    bios: { ProcVirtualization: dell.bios.ProcVirtualization },
    bmc: {
      accounts: dell.bmc.accounts,
      subscriptions: dell.bmc.subscriptions,
      hostInterface: dell.bmc.hostInterface,
      secureBoot: dell.bmc.secureBoot,
      bootEntries: dell.bmc.bootEntries,
    },
  },
  lenovo: {
    bmc: {
      accounts: lenovo.bmc.accounts,
      subscriptions: lenovo.bmc.subscriptions,
      bootEntries: lenovo.bmc.bootEntries,
    },
  },
  generic: { bios: { BootMode: "UEFI" } },
};
