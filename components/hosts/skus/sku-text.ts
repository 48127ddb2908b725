// Descriptions of a SKU's components and baseline.
import { formatBytes } from "@/components/ui/format/bytes";
import { formatCounted, formatList } from "@/components/ui/format/numbers";
import type { SkuRow } from "@/server/surfaces/trpc/types";

export type Components = SkuRow["components"];

export const mediaText = { nvme: "NVMe", ssd: "SSD", hdd: "HDD", "raid-kit": "RAID kit" } as const;

/** "8 × NVMe 3.84 TB". */
export const driveText = ({ media, count, capacityBytes }: Components["storage"][number]): string =>
  `${count} × ${mediaText[media]} ${formatBytes(capacityBytes)}`;

export const formatDrives = ({ storage }: Pick<Components, "storage">): string =>
  storage.length === 0 ? "none" : formatList(storage.map(driveText));

export const formatCpu = ({ cpus }: Pick<Components, "cpus">): string => `${cpus.count} × ${cpus.model}`;

/** "BIOS settings, 12 firmware versions, lockdown"; null if the SKU has no baseline. */
export function formatBaseline({ baseline }: Components): string | null {
  if (baseline === undefined) return null;
  const { bios, firmware, bmc, lockdown } = baseline;
  const parts = [
    ...(bios === undefined ? [] : [formatCounted(Object.keys(bios).length, "BIOS setting")]),
    ...(firmware === undefined ? [] : [formatCounted(firmware.length, "firmware version")]),
    ...(bmc === undefined ? [] : ["BMC"]),
    ...(lockdown === undefined ? [] : [lockdown ? "lockdown on" : "lockdown off"]),
  ];
  return parts.length === 0 ? "empty" : formatList(parts);
}
