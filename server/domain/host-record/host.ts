// What a decision reads of the host itself, its site and who it belongs to.
import { z } from "zod";
import type { TenantNetwork } from "@/server/domain/network/tenant-network";
import type { Policy } from "@/server/domain/cleaning/policy";
import {
  flag,
  int,
  json,
  list,
  oneOf,
  text,
  texts,
  time,
  trusted,
  uuid,
} from "@/server/domain/host-record/column";
import type { Frozen } from "@/server/domain/host-record/column";
import type { SkuComponents } from "@/server/domain/inventory/sku";
import { extensionServiceStates } from "@/server/domain/network/network-protocol";

export const hostFacts = z.object({
  /** Null until its BMC was read. */
  serial: text().nullable(),
  systemUuid: uuid().nullable(),
  /** What somebody said that the BMC must say; null: nobody did. */
  expectedSerial: text().nullable(),
  expectedSystemUuid: uuid().nullable(),
  hardwareType: text(),
  /** Manufacturer and model as its BMC says; null before it was verified. */
  model: z.string().nullable(),
  networkInterfaces: texts(),
  sku: z.object({ name: text(), components: trusted<SkuComponents>() }).nullable(),
  skuAssigned: z.boolean(),
  /** The host's own setting, which wins over the site's; null: as the site says. */
  automatedClean: flag().nullable(),
  /** Not to be allocated again. */
  retired: flag(),
});
export type HostFacts = Frozen<z.infer<typeof hostFacts>>;

export const siteFacts = z.object({
  demo: flag(),
  policyVersion: int(),
  /** Names this text of the policy for ever (`db/hot/host/policy-cache.ts`). */
  policyKey: z.string(),
  policy: trusted<Policy>(),
});

/** What is known of the serial and the system UUID in the newest reading of a BMC, and the ports that people gave the host. */
export const reportedIdentity = z.object({
  /** Names of other hosts that are of this serial, of this system UUID. */
  serialOf: z.string().nullable(),
  systemUuidOf: z.string().nullable(),
  /** Until when an erase may go on in the chassis of this serial, that a deleted host left running. */
  eraseUntilMs: z.number().nullable(),
  /** MACs of the host's ports. */
  ports: list(z.string()),
  /** Path of the system behind the BMC that somebody named; null: the one that is found. */
  systemPath: z.string().nullable(),
  /** The hardware type is still to be learned. */
  hardwareTypeOpen: z.boolean(),
});
export type ReportedIdentity = Readonly<z.infer<typeof reportedIdentity>>;

export const instanceView = z.object({
  id: uuid(),
  tenantId: uuid(),
  network: json(trusted<TenantNetwork>()).nullable(),
  releaseRequestedMs: time("release_requested_at").nullable(),
  /** Its release ends a repair. */
  repairRelease: flag(),
});
export type InstanceView = Readonly<z.infer<typeof instanceView>>;

export const networkAck = z.object({
  interface: text(),
  version: int(),
  sha256: text(),
  extensionServices: oneOf(extensionServiceStates),
});
export type NetworkAck = Readonly<z.infer<typeof networkAck>>;
