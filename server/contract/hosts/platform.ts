// A host's platform as it was read after its last cleaning (docs/adr/0143-platform-at-baseline.md).
import { z } from "zod";
import { itemVerdicts } from "@/server/domain/hosts/platform/judge";
import { list, record } from "@/server/contract/define";

const platformLine = record({
  hostId: z.string(),
  host: z.string(),
  /** The SKU whose baseline it was compared with. */
  sku: z.string(),
  item: z.string(),
  wanted: z.string(),
  /** Of an unknown or absent item: the reason. */
  found: z.string(),
  verdict: z.enum(itemVerdicts),
  /** Named by the SKU's baseline; otherwise wanted of every host. */
  named: z.boolean(),
  readAt: z.date(),
});
export type PlatformLine = z.infer<typeof platformLine>;

export const platformList = record({ rows: list(platformLine), nextCursor: z.string().nullable() });
export type PlatformList = z.infer<typeof platformList>;

/** Hosts of one model with one version of one component, as their BMCs last listed it. */
const firmwareRow = record({
  /** Manufacturer and model; empty: not known. */
  model: z.string(),
  component: z.string(),
  version: z.string(),
  hosts: z.number(),
  /** Of these: the SKU's baseline names this version, or another one. The rest have no baseline that names the component. */
  asWanted: z.number(),
  differ: z.number(),
  /** The oldest of these readings. */
  readAt: z.date(),
});
export type FirmwareRow = z.infer<typeof firmwareRow>;

export const firmwareList = record({
  rows: list(firmwareRow),
  nextCursor: z.string().nullable(),
  /** Machines of which no firmware was read. */
  unread: z.number(),
});
export type FirmwareList = z.infer<typeof firmwareList>;
