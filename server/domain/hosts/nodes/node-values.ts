// Allowed values of a node record's fields, whoever stores them (docs/api-ironic.md#nodes-creating-changing-deleting).
import { z } from "zod";

const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A name in the form of a UUID or of an Ironic API path would be looked up as one and never be found. Metal3 names nodes `namespace~name`. */
export const nodeName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._~-]{0,254}$/,
    "must be letters, digits, dots, hyphens, underscores and tildes, begin with a letter or digit, and have at most 255 characters",
  )
  .refine((name) => !uuidShape.test(name), "must not be a UUID")
  .refine((name) => name !== "detail", "must not be 'detail', which is an address of the Ironic API");

/** A host always has a name; if none was given, it is its id. */
export const nodeNameOf = (host: { readonly id: string; readonly name: string }): string | null =>
  host.name === host.id ? null : host.name;

/** Six lower-case hexadecimal pairs with colons. Hyphens and capitals are accepted as well. */
export const macAddress = z
  .string()
  .transform((text) => text.toLowerCase().replaceAll("-", ":"))
  .pipe(z.string().regex(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/, "must be a MAC address"));

const text = (most: number) => z.string().max(most, `must be at most ${most} characters`).nullable();
const object = z.record(z.string(), z.json());

/** The hardware interfaces that can be set for a node. */
export const interfaceNames = [
  "bios_interface",
  "boot_interface",
  "console_interface",
  "deploy_interface",
  "firmware_interface",
  "inspect_interface",
  "management_interface",
  "network_interface",
  "power_interface",
  "raid_interface",
  "rescue_interface",
  "storage_interface",
  "vendor_interface",
] as const;
export type InterfaceName = (typeof interfaceNames)[number];

/** The fields of a node that people and clients may set. Null: not set. */
export const nodeFields = z.strictObject({
  /** Null: its name is its UUID. */
  name: nodeName.nullable(),
  description: text(4096),
  owner: text(255),
  lessee: text(255),
  resourceClass: text(80),
  shard: text(255),
  instanceName: text(255),
  parentNode: z.guid().nullable(),
  protected: z.boolean(),
  protectedReason: text(4096),
  retired: z.boolean(),
  retiredReason: text(4096),
  /** Null: the site's setting applies. */
  automatedClean: z.boolean().nullable(),
  /** Clients of the Ironic API may not power it off. */
  disablePowerOff: z.boolean(),
  properties: object,
  extra: object,
  instanceInfo: object,
  networkData: object,
  /** Without the BMC's address, user and password, which are in `bmc`. */
  driverInfo: object,
  /** Those that were set, such as `{ power_interface: "redfish" }`. */
  interfaces: z.partialRecord(z.enum(interfaceNames), z.string().min(1).max(64)),
  hardwareType: z.string().min(1).max(64),
});
export type NodeFields = z.output<typeof nodeFields>;

/** The BMC's address and how to sign in. `password` undefined: unchanged. */
export const nodeBmc = z.strictObject({
  address: z
    .url({ protocol: /^https?$/, error: "must be an http:// or https:// address" })
    .max(512)
    .nullable(),
  username: text(128),
  password: z.string().max(256).nullable().optional(),
});
export type NodeBmc = z.output<typeof nodeBmc>;

export const emptyFields: Omit<NodeFields, "hardwareType"> = {
  name: null,
  description: null,
  owner: null,
  lessee: null,
  resourceClass: null,
  shard: null,
  instanceName: null,
  parentNode: null,
  protected: false,
  protectedReason: null,
  retired: false,
  retiredReason: null,
  automatedClean: null,
  disablePowerOff: false,
  properties: {},
  extra: {},
  instanceInfo: {},
  networkData: {},
  driverInfo: {},
  interfaces: {},
};

/** The fields of a port that clients may set. */
export const portFields = z.strictObject({
  address: macAddress,
  name: nodeName.nullable(),
  description: text(255),
  extra: object,
  localLinkConnection: object,
  physicalNetwork: text(64),
  pxeEnabled: z.boolean(),
  isSmartnic: z.boolean(),
});
export type PortFields = z.output<typeof portFields>;
