// A host's known devices, what was found in it, and how its drives can be erased.
import { z } from "zod";
import { mediaKinds } from "@/server/domain/hosts/inventory/inventory";
import { skuParts } from "@/server/domain/hosts/inventory/sku";
import { techniques } from "@/server/domain/cleaning/sanitization/techniques";
import { list, record } from "@/server/contract/define";

/** Null means not known, which never counts as the same. */
const baselineLine = record({
  name: z.string(),
  wanted: z.string(),
  found: z.string().nullable(),
  same: z.boolean().nullable(),
});

export const hostInventoryView = record({
  /** The devices that the current or last reclamation treats; empty before it has a plan. */
  known: list(
    record({
      serial: z.string(),
      model: z.string(),
      media: z.string(),
      slot: z.string().nullable(),
      capacityBytes: z.string(),
      sources: list(z.string()),
    }),
  ),
  missing: list(record({ serial: z.string(), model: z.string(), knownBy: z.string() })),
  excluded: list(record({ serial: z.string(), model: z.string(), reason: z.string() })),
  /** Missing devices that a person's statement accounts for, in words. */
  answered: list(record({ serial: z.string(), model: z.string(), words: z.string() })),
  /** The newest inventory from each source, as received. */
  found: list(
    record({
      source: z.string(),
      collectedAt: z.date(),
      bootEpoch: z.number(),
      leftOut: list(z.string()),
      body: z.unknown(),
    }),
  ),
  /** How the drives in the agent's last inventory can be erased, as they report it. Drives of one model that report the same share a row. */
  capabilities: list(
    record({
      model: z.string(),
      media: z.enum(mediaKinds),
      serials: list(z.string()),
      offers: list(z.enum(techniques)),
      refuses: list(z.enum(techniques)),
      /** Neither offered nor refused: the drive could not be asked, or was not. */
      unknown: list(z.enum(techniques)),
      /** What the lists were read from; null if the agent did not report it. */
      said: z.string().nullable(),
    }),
  ),
  /** BIOS attributes in the SKU's baseline compared with the host's; null if the SKU names none. */
  bios: record({
    /** Null if the host's attributes are not known. */
    readAt: z.date().nullable(),
    lines: list(baselineLine),
  }).nullable(),
  /** Firmware, lockdown and BMC in the SKU's baseline compared with what the BMC last reported; empty if it names none. */
  baseline: list(baselineLine),
  /** What the SKU wants compared with what the agent last found. */
  components: list(
    record({
      part: z.enum(skuParts),
      what: z.string(),
      wanted: z.string(),
      found: z.string(),
      same: z.boolean(),
    }),
  ),
});
export type HostInventoryView = z.infer<typeof hostInventoryView>;
