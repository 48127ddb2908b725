// What the demo asks of its hosts' platform: as the captured BMCs of its vendors show it.
import type { PlatformBaseline } from "@/server/domain/hosts/inventory/platform";

/** As each simulated BMC shows it when nobody has been at it; all but the mode of the DPU is from its capture. */
export const capturedPlatforms = {
  dell: {
    bios: { ProcVirtualization: "Enabled", SriovGlobalEnable: "Enabled", TpmSecurity: "On" },
    firmware: [
      { component: "BIOS", version: "1.8.2" },
      { component: "Integrated Dell Remote Access Controller", version: "6.00.30.00" },
    ],
    bmc: {
      accounts: ["root"],
      subscriptions: ["127.0.0.1"],
      hostInterface: false,
      secureBoot: { PK: [], KEK: [], db: [] },
      bootEntries: [
        "PCIe SSD in Slot 2 in Bay 1: EFI Fixed Disk Boot Device 1",
        "HTTP Device 1: NIC in Slot 5 Port 1",
        "Unavailable: Linux Default",
        "Unavailable: ubuntu",
      ],
      protocols: ["DHCP", "DHCPv6", "HTTP", "HTTPS", "IPMI", "KVMIP", "SNMP", "SSH", "VirtualMedia"],
      bootOrder: ["HTTP Device 1: NIC in Slot 5 Port 1"],
      uefiPassword: true,
      dpuMode: "DpuMode",
    },
  },
  lenovo: {
    bios: { Processors_TurboMode: "Enabled" },
    firmware: [
      { component: "Firmware:BMC", version: "20E-1.40" },
      { component: "Firmware:UEFI", version: "12A-1.02" },
    ],
    bmc: {
      accounts: ["USERID", "Egxadmin", "dcops"],
      subscriptions: [],
      bootEntries: ["HardDisk", "Network", "CD_DVDRom", "USBStorage", "ubuntu"],
      protocols: [
        "DHCPv6",
        "HTTP",
        "HTTPS",
        "IPMI",
        "KVMIP",
        "SNMP (not told)",
        "SSDP",
        "SSH",
        "VirtualMedia",
      ],
    },
  },
  generic: {
    bios: { BootMode: "UEFI", IoVirtualization: "Enabled" },
    firmware: [
      { component: "BMC", version: "2.14.0" },
      { component: "BIOS", version: "3.2" },
    ],
  },
} satisfies Record<string, PlatformBaseline>;

type Vendor = keyof typeof capturedPlatforms;

/** Asks also for Reclaim's own account and a locked Dell, and not for the subscriptions that somebody made before the capture. */
export function demoPlatform(vendor: Vendor): PlatformBaseline {
  const captured: PlatformBaseline = capturedPlatforms[vendor];
  const { bmc } = captured;
  return {
    ...captured,
    ...(bmc === undefined
      ? {}
      : { bmc: { ...bmc, accounts: [...bmc.accounts, "reclaim"], subscriptions: [] } }),
    ...(vendor === "dell" ? { lockdown: true } : {}),
  };
}
