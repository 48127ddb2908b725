// The parts of a host that can be exchanged, other than drives: GPUs, network cards, DPUs, memory modules, NVLink switches (docs/parts.md).
import { z } from "zod";

export const partKinds = ["gpu", "nic", "dpu", "memory", "nvswitch"] as const;
export type PartKind = (typeof partKinds)[number];

/** What people read, for one and for several. */
export const partWords = {
  gpu: { one: "GPU", many: "GPUs" },
  nic: { one: "NIC", many: "NICs" },
  dpu: { one: "DPU", many: "DPUs" },
  memory: { one: "memory module", many: "memory modules" },
  nvswitch: { one: "NVLink switch", many: "NVLink switches" },
} as const satisfies Record<PartKind, { readonly one: string; readonly many: string }>;

const text = z.string().max(256);
/** As in `inventory.ts`, which imports this file. */
const bytes = z.string().regex(/^\d{1,24}$/, "a whole number of bytes, as decimal digits");
const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** A PCIe link; speeds in GT/s per lane. A maximum is what both ends of the link can do. Members that are not known are left out. */
export const partLink = z.strictObject({
  width: z.int().min(0).max(64).optional(),
  maxWidth: z.int().min(1).max(64).optional(),
  speed: z.number().min(0).max(1024).optional(),
  maxSpeed: z.number().min(0).max(1024).optional(),
});

/** Error counts since the driver was loaded, those that a BMC counts over the part's life, and the state of row remapping, which lasts. */
export const partEcc = z.strictObject({
  corrected: count.optional(),
  uncorrected: count.optional(),
  lifetimeCorrected: count.optional(),
  lifetimeUncorrected: count.optional(),
  remappedRows: count.optional(),
  remapPending: z.boolean().optional(),
  remapFailed: z.boolean().optional(),
});

/** One part as one source reports it. What a source does not report is left out, never guessed. */
export const part = z.strictObject({
  kind: z.enum(partKinds),
  /** Where it is, in the source's words: `0000:17:00.0` by the agent, `PCIe 6` or `DIMM A1` by a BMC. */
  slot: z.string().min(1).max(128),
  model: text,
  manufacturer: text.optional(),
  serial: z.string().min(1).max(128).optional(),
  firmware: text.optional(),
  /** PCI vendor and device, such as `10de:2330`. */
  pciId: z
    .string()
    .regex(/^[0-9a-f]{4}:[0-9a-f]{4}$/)
    .optional(),
  memoryBytes: bytes.optional(),
  memoryType: text.optional(),
  link: partLink.optional(),
  nvlinks: z.strictObject({ active: z.int().min(0).max(64), total: z.int().min(1).max(64) }).optional(),
  ecc: partEcc.optional(),
  /** What the source says is wrong with it, such as a GPU that its driver no longer reaches. */
  fault: text.optional(),
});
export type Part = z.infer<typeof part>;

/** A board of the machine, as a BMC lists it: it identifies hardware and is not compared. */
export const board = z.strictObject({
  name: text,
  model: text.optional(),
  partNumber: text.optional(),
  serial: z.string().min(1).max(128),
});
export type Board = z.infer<typeof board>;

/** The largest machine has some hundred parts. */
export const maxParts = 512;
export const maxBoards = 64;

/** What one source reports. A kind that is not among `told` is unknown, which never means that there are none. */
export const partsReport = z.strictObject({
  /** Kinds whose parts are all in `found`. */
  told: z.array(z.enum(partKinds)).max(partKinds.length),
  /** Why other kinds could not be listed. */
  untold: z.array(z.strictObject({ kind: z.enum(partKinds), reason: text })).max(partKinds.length),
  found: z.array(part).max(maxParts),
  /** Left out by a source that lists none. */
  boards: z.array(board).max(maxBoards).optional(),
});
export type PartsReport = z.infer<typeof partsReport>;

/** Such as "GPU in slot 0000:17:00.0 (NVIDIA H100, serial 1653)". Pure. */
export function nameOfPart({
  kind,
  slot,
  model,
  serial,
}: Pick<Part, "kind" | "slot" | "model" | "serial">): string {
  const more = [model, serial === undefined ? "no serial number" : `serial ${serial}`].filter(
    (each) => each !== "",
  );
  return `${partWords[kind].one} in slot ${slot} (${more.join(", ")})`;
}
