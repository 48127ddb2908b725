// What a decision reads about the host itself, its site and its tenant.
import { z } from "zod";
import type { TenantNetwork } from "@/server/domain/hosts/network/tenant-network";
import type { Policy } from "@/server/domain/cleaning/policy/policy";
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
} from "@/server/domain/hosts/record/column";
import type { Frozen } from "@/server/domain/hosts/record/column";
import type { FirmwareImage } from "@/server/domain/hosts/platform/rollout";
import type { SkuComponents } from "@/server/domain/hosts/inventory/sku";
import { extensionServiceStates } from "@/server/domain/hosts/network/network-protocol";

/** What a person confirmed that the host's BMC calls it, too (docs/machine-names.md). */
export const confirmedNames = z.object({ serials: list(z.string()), systemUuids: list(z.string()) });
export type ConfirmedNames = Readonly<z.infer<typeof confirmedNames>>;

export const hostFacts = z.object({
  /** Null until its BMC has been read. */
  serial: text().nullable(),
  systemUuid: uuid().nullable(),
  /** What the BMC is expected to report; null: nothing was given. */
  expectedSerial: text().nullable(),
  expectedSystemUuid: uuid().nullable(),
  confirmed: confirmedNames,
  hardwareType: text(),
  /** Manufacturer and model as reported by its BMC; null before verification. */
  model: z.string().nullable(),
  networkInterfaces: texts(),
  /** With the firmware that is wanted of this host, and the files for it (docs/adr/0148-firmware-rollouts.md); left out: none. */
  sku: z
    .object({
      name: text(),
      components: trusted<SkuComponents>(),
      images: z.array(trusted<FirmwareImage>()).exactOptional(),
    })
    .nullable(),
  skuAssigned: z.boolean(),
  /** The host's own setting, which overrides the site's; null: the site's applies. */
  automatedClean: flag().nullable(),
  /** Must not be allocated again. */
  retired: flag(),
});
export type HostFacts = Frozen<z.infer<typeof hostFacts>>;

export const siteFacts = z.object({
  demo: flag(),
  policyVersion: int(),
  /** Permanently identifies this text of the policy (`db/hot/host/policy-cache.ts`). */
  policyKey: z.string(),
  policy: trusted<Policy>(),
});

/** What is known about the serial and system UUID of a BMC's latest reading, and about the ports that people gave the host. */
export const reportedIdentity = z.object({
  /** Names of other hosts with this serial or this system UUID. */
  serialOf: z.string().nullable(),
  systemUuidOf: z.string().nullable(),
  /** Until when an erase left running by a deleted host may continue in the chassis with this serial. */
  eraseUntilMs: z.number().nullable(),
  /** MACs of the host's ports. */
  ports: list(z.string()),
  /** Those of the reading that are ports of other hosts, such as of a USB network card between BMC and host that all machines have. */
  portsOfOthers: list(z.string()),
  /** Path of the system behind the BMC, if one was named; null: the one that is found. */
  systemPath: z.string().nullable(),
  /** The hardware type is still to be detected. */
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
