// Descriptions of a SKU's components and baseline.
import { formatBytes } from "@/components/ui/format/bytes";
import { formatCounted, formatList } from "@/server/domain/numbers";
import { classText, notCompared, skuPartKinds, skuPartWords } from "@/server/domain/hosts/parts/sku-parts";
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

/** "8 × GPU NVIDIA H100, 80 GiB" for each class; kinds of which there are none are named, too. */
export function formatParts({ parts }: Pick<Components, "parts">): string {
  const classes = skuPartKinds.flatMap((kind) => {
    const own = parts?.[kind];
    if (own === undefined) return [];
    return own.length === 0
      ? [`no ${skuPartWords[kind].many}`]
      : own.map((each) => `${each.count} × ${classText(kind, each)}`);
  });
  return classes.length === 0 ? "none named" : classes.join("; ");
}

/** Kinds of parts that a host of the SKU may have or lack. */
export function formatNotCompared({ parts }: Pick<Components, "parts">): string {
  const kinds = notCompared(parts).map((kind) => skuPartWords[kind].many);
  return kinds.length === 0 ? "nothing" : formatList(kinds);
}
