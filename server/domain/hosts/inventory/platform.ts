// What a BMC offers besides drives, and what a SKU requires of it. Read at Verifying. What is not offered is false or empty, never guessed.
import { z } from "zod";

const text = z.string().max(256);

export const platformFacts = z.strictObject({
  /** Storage controller id of a boot card that hides its member drives, such as Dell's BOSS. Stored under this name: docs/design/hardware.md#interfaces. */
  bossController: text.nullable(),
  /** Serials of the drives on that card, which only its controller reaches. */
  bossDrives: z.array(text).max(64).default([]),
  /** A RAID controller whose volumes can be created and deleted. */
  raidController: text.nullable(),
  /** Serials of drives behind a controller, which the BMC can erase. */
  erasableDrives: z.array(text).max(512),
  /** BIOS settings can be read and written. */
  bios: z.boolean(),
  /** There is a TPM, and the BMC can clear it. */
  tpmClear: z.boolean(),
  /** Secure boot keys can be reset. */
  secureBoot: z.boolean(),
  /** Configuration lockdown; null: the BMC has none. */
  lockdown: z.boolean().nullable(),
  /** The BMC has a job queue that can be cleared. */
  jobQueue: z.boolean(),
  /** Firmware can be updated through the BMC. */
  firmwareUpdate: z.boolean(),
});
export type PlatformFacts = z.infer<typeof platformFacts>;

/** As stored, without what another running version also knows (docs/adr/0024-rolling-upgrade.md). */
export const storedFacts = platformFacts.strip();

/** The facts that are read together with the drives, whenever those are read again. */
export const storageFacts = z.object(
  platformFacts.pick({ bossController: true, bossDrives: true, raidController: true, erasableDrives: true })
    .shape,
);
export type StorageFacts = z.infer<typeof storageFacts>;

/** For a BMC that was read before these facts existed, or that offers none. */
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

/** Serials of the drives that only a BMC reaches, because their controller shows the host volumes instead of drives. Pure. */
export const outOfBandSerials = (platform: PlatformFacts): readonly string[] => [
  ...platform.bossDrives,
  ...platform.erasableDrives,
];

/** A BIOS setting. */
export const settingValue = z.union([z.string().max(1024), z.number(), z.boolean()]);

/** What components measured: by their Id in Redfish's ComponentIntegrity, then by index. */
export const measurementsByComponent = z.record(
  z.string().min(1).max(128),
  z.record(
    z.string().regex(/^[1-9][0-9]{0,2}$/, "must be the index of a measurement, from 1 to 255"),
    z
      .string()
      .max(512)
      .regex(/^(sha256:)?([0-9a-f]{2})*$/, "must be a measured value in lower-case hexadecimal digits"),
  ),
);
export type MeasurementsByComponent = z.infer<typeof measurementsByComponent>;

/** A SKU's baseline. Parts that are left out are not checked. */
export const platformBaseline = z.strictObject({
  bios: z.record(z.string().min(1).max(128), settingValue).optional(),
  firmware: z
    .array(z.strictObject({ component: z.string().min(1).max(256), version: z.string().min(1).max(128) }))
    .max(256)
    .optional(),
  bmc: z
    .strictObject({
      /** Names of the accounts that may be enabled in addition to Reclaim's own; empty: none. */
      accounts: z.array(z.string().min(1).max(128)).max(64),
      /** Destinations that may be subscribed to events. */
      subscriptions: z.array(z.string().max(2048)).max(64),
      /** Public keys that accounts may have, as the BMC shows them. */
      keys: z.array(z.string().max(8192)).max(64).optional(),
      /** Whether the network between host and BMC is on. */
      hostInterface: z.boolean().optional(),
      /** Names of the entries allowed in the firmware's boot menu. */
      bootEntries: z.array(z.string().max(256)).max(64).optional(),
      /** By secure-boot database (`db`, `KEK`): exactly the certificate fingerprints and signature texts that it must contain. */
      secureBoot: z.record(z.string().min(1).max(64), z.array(z.string().max(8192)).max(512)).optional(),
      /** Exactly the network protocols that the BMC has on, by their names in Redfish's ManagerNetworkProtocol. */
      protocols: z.array(z.string().min(1).max(64)).max(64).optional(),
      /** Names of the entries with which the boot order begins. */
      bootOrder: z.array(z.string().max(256)).min(1).max(64).optional(),
      /** Whether the firmware's setup has a password. */
      uefiPassword: z.boolean().optional(),
      /** The mode of the DPU, such as `DpuMode`. */
      dpuMode: z.string().min(1).max(64).optional(),
      /** By component (`HGX_IRoT_GPU_0`) and index: what it must have measured of itself, signed by it in the same reading (SPDM). */
      measurements: measurementsByComponent.optional(),
    })
    .optional(),
  lockdown: z.boolean().optional(),
});
export type PlatformBaseline = z.infer<typeof platformBaseline>;
