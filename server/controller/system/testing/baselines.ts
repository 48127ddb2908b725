// Baselines with which the simulated machines return where a site requires them.
import type { Machine } from "@/server/testing/fleet-control";
import type { PlatformBaseline } from "@/server/domain/hosts/inventory/platform";

/** What the captured machines of a vendor are like, without the BMC of the Lenovo and the generic one, whose lists are short. */
export const baselines: Readonly<Record<Machine["vendor"], PlatformBaseline>> = {
  dell: {
    bios: { ProcVirtualization: "Enabled" },
    bmc: {
      ...{
        accounts: ["root"],
        subscriptions: ["127.0.0.1"],
        hostInterface: false,
        secureBoot: { PK: [], KEK: [], db: [] },
      },
      bootEntries: [
        "PCIe SSD in Slot 2 in Bay 1: EFI Fixed Disk Boot Device 1",
        ...["HTTP Device 1: NIC in Slot 5 Port 1", "Unavailable: Linux Default", "Unavailable: ubuntu"],
      ],
    },
  },
  lenovo: {
    bmc: {
      ...{ accounts: ["USERID", "Egxadmin", "dcops"], subscriptions: [] },
      bootEntries: ["HardDisk", "Network", "CD_DVDRom", "USBStorage", "ubuntu"],
    },
  },
  generic: { bios: { BootMode: "UEFI" } },
};
