// What a BMC shows of a host's platform after cleaning: the parts that `platformAtBaseline` compares (docs/adr/0143-platform-at-baseline.md).
import { z } from "zod";
import type { BiosAttributes } from "@/server/domain/hosts/inventory/bios";

/** A part that was read, that the BMC does not have, or that could not be read. Only the first two say anything about the host. */
export type PartRead<T> = { readonly value: T } | { readonly absent: string } | { readonly unknown: string };

/** Databases in which a tenant could have put keys of its own. `dbx`, the list of revoked keys, grows with each update and is not compared. */
export const secureBootNames = ["PK", "KEK", "db"] as const;

/** The database with what the vendor shipped (Redfish SecureBootDatabase, DatabaseId). */
export const factoryOf = (database: string): string => `${database}Default`;

export type ComponentRead =
  | { readonly values: Readonly<Record<string, string>> }
  | { readonly unknown: string };

export interface PlatformReading {
  readonly firmware: PartRead<readonly { readonly component: string; readonly version: string }[]>;
  /** Only the attributes that the baseline names. */
  readonly bios: PartRead<BiosAttributes>;
  readonly lockdown: PartRead<boolean>;
  /** Enabled accounts, without those that Reclaim signs in with to this and the other hosts of the BMC. */
  readonly accounts: PartRead<readonly string[]>;
  /** Public keys of accounts. */
  readonly keys: PartRead<readonly string[]>;
  /** Destinations of events. */
  readonly subscriptions: PartRead<readonly string[]>;
  /** What is inserted. */
  readonly media: PartRead<readonly string[]>;
  /** Whether the network between host and BMC is on. */
  readonly hostInterface: PartRead<boolean>;
  /** Network protocols that the BMC has on. */
  readonly protocols: PartRead<readonly string[]>;
  /** Enabled entries of the boot menu; `own`: the firmware made it for its own hardware; `toAddress`: it boots from an address that is written in it. */
  readonly bootEntries: PartRead<
    readonly { readonly name: string; readonly own: boolean; readonly toAddress: boolean }[]
  >;
  /** Names of the enabled entries, in the order in which the firmware tries them. */
  readonly bootOrder: PartRead<readonly string[]>;
  /** Whether the firmware's setup has a password. */
  readonly uefiPassword: PartRead<boolean>;
  /** The mode of the DPU, in NVIDIA's words. */
  readonly dpuMode: PartRead<string>;
  /** What components measured of themselves and signed, by index; or why that is not known of one. */
  readonly measurements: PartRead<Readonly<Record<string, ComponentRead>>>;
  /** Identifiers of keys by database, with those of the vendor's databases. */
  readonly secureBoot: PartRead<Readonly<Record<string, readonly string[]>>>;
  /** Whether there is a TPM. */
  readonly tpm: PartRead<boolean>;
}
export type PlatformPart = keyof PlatformReading;

/** Which parts a baseline needs read, and which BIOS attributes, secure-boot databases and components of them. */
export const platformQuery = z.object({
  parts: z.array(z.string()),
  bios: z.array(z.string()),
  secureBoot: z.array(z.string()),
  /** Omitted by the release before, whose baselines name none. */
  components: z.array(z.string()).default([]),
});
export type PlatformQuery = Readonly<z.infer<typeof platformQuery>>;
