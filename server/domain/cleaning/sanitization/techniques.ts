// The known erase techniques, and the level of each under a standard: one versioned table (docs/design/sanitization.md#techniques-and-levels).
import type { Media, Transport } from "@/server/domain/hosts/inventory/inventory";

export const techniques = [
  "nvme-sanitize-crypto",
  "nvme-sanitize-block",
  "nvme-sanitize-overwrite",
  "nvme-format-crypto",
  "nvme-format-user-data",
  "nvme-format-none",
  "delete-namespace",
  "blkdiscard",
  "ata-sanitize-crypto",
  "ata-sanitize-block",
  "ata-secure-erase-enhanced",
  "ata-secure-erase",
  "overwrite",
  "scsi-sanitize-crypto",
  "scsi-sanitize-block",
  "scsi-format",
  "dell-boss-decommission",
  "redfish-drive-secure-erase",
  "raid-kit-format",
] as const;
export type Technique = (typeof techniques)[number];

export const standards = ["ieee-2883", "sp-800-88r1"] as const;
export type Standard = (typeof standards)[number];

export const levels = ["none", "clear", "purge"] as const;
export type Level = (typeof levels)[number];

/** Increased whenever a level below changes, and stored with each result judged by it. */
export const techniqueTableVersion = 2;

interface TechniqueRow {
  readonly "ieee-2883": Level;
  readonly "sp-800-88r1": Level;
  /** Counts only with an approved exception for that device, whatever its level. */
  readonly exceptionOnly?: true;
  /** Continues across resets and cannot be stopped, so no power action may interrupt it. */
  readonly unstoppable: boolean;
  /**
   * Goes on over a reset of the host, and its drive says so afterwards (NVMe Base Specification, sanitize operations). Others may be broken off, or
   * leave a drive that is locked (docs/adr/0020-a-boot-is-proven.md).
   */
  readonly overReset?: true;
  /** Performed by the BMC, which reads nothing back. */
  readonly byBmc?: true;
}

export const techniqueTable = {
  "nvme-sanitize-crypto": { "ieee-2883": "purge", "sp-800-88r1": "none", unstoppable: true, overReset: true },
  "nvme-sanitize-block": { "ieee-2883": "purge", "sp-800-88r1": "none", unstoppable: true, overReset: true },
  "nvme-sanitize-overwrite": {
    "ieee-2883": "purge",
    "sp-800-88r1": "none",
    unstoppable: true,
    overReset: true,
  },
  "nvme-format-crypto": {
    "ieee-2883": "purge",
    "sp-800-88r1": "purge",
    exceptionOnly: true,
    unstoppable: true,
  },
  "nvme-format-user-data": { "ieee-2883": "clear", "sp-800-88r1": "purge", unstoppable: true },
  "nvme-format-none": { "ieee-2883": "none", "sp-800-88r1": "none", unstoppable: true },
  "delete-namespace": { "ieee-2883": "none", "sp-800-88r1": "none", unstoppable: false },
  blkdiscard: { "ieee-2883": "none", "sp-800-88r1": "none", unstoppable: false },
  "ata-sanitize-crypto": { "ieee-2883": "purge", "sp-800-88r1": "purge", unstoppable: true },
  "ata-sanitize-block": { "ieee-2883": "purge", "sp-800-88r1": "purge", unstoppable: true },
  "ata-secure-erase-enhanced": { "ieee-2883": "purge", "sp-800-88r1": "purge", unstoppable: true },
  "ata-secure-erase": { "ieee-2883": "clear", "sp-800-88r1": "clear", unstoppable: true },
  overwrite: { "ieee-2883": "clear", "sp-800-88r1": "clear", unstoppable: false },
  "scsi-sanitize-crypto": { "ieee-2883": "purge", "sp-800-88r1": "purge", unstoppable: true },
  "scsi-sanitize-block": { "ieee-2883": "purge", "sp-800-88r1": "purge", unstoppable: true },
  // FORMAT UNIT need not write any block: QEMU's disks report success and keep every byte.
  "scsi-format": { "ieee-2883": "none", "sp-800-88r1": "none", unstoppable: true },
  "dell-boss-decommission": { "ieee-2883": "purge", "sp-800-88r1": "purge", unstoppable: true, byBmc: true },
  "redfish-drive-secure-erase": {
    "ieee-2883": "purge",
    "sp-800-88r1": "purge",
    unstoppable: true,
    byBmc: true,
  },
  "raid-kit-format": { "ieee-2883": "clear", "sp-800-88r1": "purge", unstoppable: true },
} satisfies Record<Technique, TechniqueRow>;

/** The level of a technique under a standard. A pure table lookup; the same command can have a different level under each standard. */
export function levelOf(technique: Technique, standard: Standard): Level {
  return techniqueTable[technique][standard];
}

/** Whether no standard counts it as sanitization. A drive erased by it never counts, whatever an earlier table said. */
export const neverCounts = (technique: Technique): boolean =>
  standards.every((standard) => levelOf(technique, standard) === "none");

/** Whether a technique may count without an approved exception (docs/design/sanitization.md#techniques-and-levels). */
export function countsWithoutException(technique: Technique): boolean {
  const row: TechniqueRow = techniqueTable[technique];
  return row.exceptionOnly !== true;
}

/** Whether a technique is performed by a BMC. */
export function isOfBmc(technique: Technique): boolean {
  const row: TechniqueRow = techniqueTable[technique];
  return row.byBmc === true;
}

/** Whether an erase by this technique goes on over a reset of the host. */
export function goesOnOverReset(technique: Technique): boolean {
  const row: TechniqueRow = techniqueTable[technique];
  return row.overReset === true;
}

/** The command set of a drive. */
export type EraseBus = "nvme" | "ata" | "scsi" | "raid-kit";

/** Whether a technique belongs to a command set. A policy's other techniques do not apply to such a drive. */
export const isSpokenOn = (technique: Technique, bus: EraseBus): boolean =>
  technique === "overwrite" ? bus === "ata" || bus === "scsi" : technique.startsWith(`${bus}-`);

/** The techniques of a command set that can count as an erase, in the order of the table. */
export const techniquesOfBus = (bus: EraseBus): readonly Technique[] =>
  techniques.filter((technique) => isSpokenOn(technique, bus) && !neverCounts(technique));

const busOfTransport: Readonly<Record<Transport, EraseBus | null>> = {
  nvme: "nvme",
  sata: "ata",
  sas: "scsi",
  usb: null,
  virtual: null,
};

/** A drive's command set; null: unknown, or one without erase commands here. */
export const busOf = (media: Media, transport: Transport | null): EraseBus | null =>
  media === "raid-kit" ? "raid-kit" : transport === null ? null : busOfTransport[transport];

/** Whether `level` is at least `minimum`. */
export function reaches(level: Level, minimum: Level): boolean {
  return levels.indexOf(level) >= levels.indexOf(minimum);
}
