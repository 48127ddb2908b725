// What a host consists of, as reported by the BMC or the agent.
import { z } from "zod";
import { partsReport } from "@/server/domain/hosts/parts/part";
import { knownMembers } from "@/server/domain/stored";

/** A whole number of bytes as a decimal string, because JSON numbers lose precision above 2^53. */
export const byteCount = z.string().regex(/^\d{1,24}$/, "a whole number of bytes, as decimal digits");

const text = z.string().max(256);

export const mediaKinds = ["nvme", "ssd", "hdd", "raid-kit"] as const;
export type Media = (typeof mediaKinds)[number];

export const transports = ["nvme", "sata", "sas", "usb", "virtual"] as const;
export type Transport = (typeof transports)[number];

/** One storage device. Its identity is serial number plus model (docs/design/sanitization.md#known-devices). */
export const storageDevice = z.strictObject({
  serial: z.string().min(1).max(128),
  model: z.string().min(1).max(256),
  manufacturer: text.optional(),
  wwn: text.optional(),
  firmware: text.optional(),
  media: z.enum(mediaKinds),
  transport: z.enum(transports),
  slot: text.optional(),
  capacityBytes: byteCount,
  namespaces: z.array(z.int().min(1)).max(1024).optional(),
  removable: z.boolean().default(false),
});
export type StorageDevice = z.infer<typeof storageDevice>;

/**
 * A device as stored. A report (of a BMC or agent) with an unknown member is rejected, but a stored device is read without the members that
 * another running version added (docs/adr/0024-rolling-upgrade.md).
 */
export const storedDevice = storageDevice.strip();

/**
 * A drive that the agent sees but no step treats: either no result could be assigned to it because it lacks a serial number or a model, or it is of a
 * kind that no step erases, which its place then names (docs/adr/0019-what-a-bmc-did-not-say.md, docs/design/agent.md#tools-of-a-machine).
 */
export const unnamedDevice = z.strictObject({
  /** The port that it is plugged into, which is the same in every boot. A device path may belong to another drive in the next boot. */
  place: z.string().min(1).max(256),
  slot: text.optional(),
  /** Empty if the drive reports none. */
  serial: text,
  model: text,
  media: z.enum(mediaKinds),
  transport: z.enum(transports),
  capacityBytes: byteCount,
  removable: z.boolean(),
});
export type UnnamedDevice = z.infer<typeof unnamedDevice>;

/** The place of a drive whose port the agent could not read. */
export const unknownPlace = "unknown port";

/** Whether a drive reports what identifies its results. Pure. */
export function isNamed({ serial, model }: Pick<StorageDevice, "serial" | "model">): boolean {
  const { serial: serialText, model: modelText } = storageDevice.shape;
  return (
    serial.trim() !== "" &&
    model.trim() !== "" &&
    serialText.safeParse(serial).success &&
    modelText.safeParse(model).success
  );
}

export const infinibandDevice = z.strictObject({
  slot: z.string().min(1).max(64),
  model: text,
  guid: text,
  ports: z.int().min(1).max(8),
  dpu: z.boolean(),
});
export type InfinibandDevice = z.infer<typeof infinibandDevice>;

export const networkInterface = z.strictObject({
  name: text,
  mac: z.string().regex(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/, "six lower-case hexadecimal pairs with colons"),
  model: text.optional(),
  /** Its IP addresses in this boot, without link-local ones. Left out if it has none, and by agents of the previous release. */
  addresses: z
    .array(z.union([z.ipv4(), z.ipv6()]))
    .max(16)
    .optional(),
});
export type NetworkInterface = z.infer<typeof networkInterface>;

/** Names of techniques. Not an enumeration, because an agent may know one that this server does not. */
const techniqueNames = z.array(z.string().max(64)).max(64);

/**
 * How drives can be erased, as they report it. Drives with the same report share an entry. A technique in neither list is unknown:
 * the drive could not be asked, or its answer is only valid for now (docs/adr/0053-policy-foresight.md).
 */
export const eraseCapabilities = z.strictObject({
  model: z.string().min(1).max(256),
  serials: z.array(z.string().min(1).max(128)).min(1).max(512),
  offers: techniqueNames,
  refuses: techniqueNames,
  /** What the lists were read from, such as `SANICAP 3h, FNA 0h, OACS 1eh`, or why they are empty. */
  said: text,
});
export type EraseCapabilities = z.infer<typeof eraseCapabilities>;

export const hardwareInventory = z.strictObject({
  system: z.strictObject({
    manufacturer: text,
    product: text,
    /** Empty if the firmware tells none. */
    serial: z.string().max(128),
    uuid: z.guid(),
    biosVersion: text.optional(),
    /** Of the mainboard, by DMI. Left out if it has none, and by agents of the previous release. */
    boardSerial: text.optional(),
  }),
  cpus: z.array(z.strictObject({ model: text, cores: z.int().min(1) })).max(64),
  memoryBytes: byteCount,
  storage: z.array(storageDevice).max(512),
  /** Left out if there are none, because the server of the previous release rejects unknown members (docs/adr/0024). */
  unnamed: z.array(unnamedDevice).max(512).optional(),
  nics: z.array(networkInterface).max(128),
  infiniband: z.array(infinibandDevice).max(64),
  /** False: the kernel finds no TPM. Left out if it finds one. */
  tpm: z.boolean().optional(),
  /** Left out by agents of the previous release. */
  capabilities: z.array(eraseCapabilities).max(512).optional(),
  /** GPUs, network cards and memory modules. Left out by agents of the previous release and by Ironic's agent. */
  parts: partsReport.optional(),
});
export type HardwareInventory = z.infer<typeof hardwareInventory>;

/** An agent's inventory as stored, read like `storedDevice`. */
export const storedInventory = knownMembers(hardwareInventory);

/** A device's identity in sets and maps. */
export function deviceKey(device: { serial: string; model: string }): string {
  return `${device.serial}\u0000${device.model}`;
}
