// What a BMC offers besides drives, and what a SKU wants of it. Read at Verifying; what is not offered is false or empty, never guessed.
import { z } from "zod";

const text = z.string().max(256);

export const platformFacts = z.strictObject({
  /** A boot card that hides its member drives, such as Dell's BOSS, by its storage controller's id. Stored under this name: docs/adr/0045. */
  bossController: text.nullable(),
  /** Serials of the drives on that card: only its controller reaches them. */
  bossDrives: z.array(text).max(64).default([]),
  /** A RAID controller whose volumes can be made and deleted. */
  raidController: text.nullable(),
  /** Serials of the drives behind a controller that the BMC can erase. */
  erasableDrives: z.array(text).max(512),
  /** BIOS settings can be read and written. */
  bios: z.boolean(),
  /** A TPM is there, and the BMC can clear it. */
  tpmClear: z.boolean(),
  /** Secure boot keys can be reset. */
  secureBoot: z.boolean(),
  /** Configuration lockdown: null where the BMC has none. */
  lockdown: z.boolean().nullable(),
  /** The BMC keeps a queue of jobs that can be cleared. */
  jobQueue: z.boolean(),
  /** Firmware can be updated through the BMC. */
  firmwareUpdate: z.boolean(),
});
export type PlatformFacts = z.infer<typeof platformFacts>;

/** As they are stored: what the version beside this one also knows is left out (docs/adr/0024-rolling-upgrade.md). */
export const storedFacts = platformFacts.strip();

/** Those of them that are read with the drives, whenever these are read again. */
export const storageFacts = z.object(
  platformFacts.pick({ bossController: true, bossDrives: true, raidController: true, erasableDrives: true })
    .shape,
);
export type StorageFacts = z.infer<typeof storageFacts>;

/** Of a BMC that was read before this was, or offers none of it. */
export const noPlatformFacts: PlatformFacts = {
  bossController: null,
  bossDrives: [],
  raidController: null,
  erasableDrives: [],
  bios: false,
  tpmClear: false,
  secureBoot: false,
  lockdown: null,
  jobQueue: false,
  firmwareUpdate: false,
};

/** Serials of the drives that only a BMC reaches: behind a controller that shows the host volumes and no drives. Pure. */
export const outOfBandSerials = (platform: PlatformFacts): readonly string[] => [
  ...platform.bossDrives,
  ...platform.erasableDrives,
];

/** Of a BIOS setting. */
export const settingValue = z.union([z.string().max(1024), z.number(), z.boolean()]);

/** Parts of a SKU; one that is left out is not checked. */
export const platformBaseline = z.strictObject({
  bios: z.record(z.string().min(1).max(128), settingValue).optional(),
  firmware: z
    .array(z.strictObject({ component: z.string().min(1).max(256), version: z.string().min(1).max(128) }))
    .max(256)
    .optional(),
  bmc: z
    .strictObject({
      /** Names of the accounts that may be enabled besides those by which Reclaim signs in; empty: none. */
      accounts: z.array(z.string().min(1).max(128)).max(64),
      /** Destinations that may be subscribed to events. */
      subscriptions: z.array(z.string().max(2048)).max(64),
      /** Public keys that accounts may have, as the BMC shows them. */
      keys: z.array(z.string().max(8192)).max(64).optional(),
      /** Whether the network between host and BMC is on. */
      hostInterface: z.boolean().optional(),
      /** Names of the entries that the firmware's boot menu may have. */
      bootEntries: z.array(z.string().max(256)).max(64).optional(),
      /** By secure-boot database (`db`, `KEK`): fingerprints of the certificates and texts of the signatures that it must hold, and no others. */
      secureBoot: z.record(z.string().min(1).max(64), z.array(z.string().max(8192)).max(512)).optional(),
    })
    .optional(),
  lockdown: z.boolean().optional(),
});
export type PlatformBaseline = z.infer<typeof platformBaseline>;
