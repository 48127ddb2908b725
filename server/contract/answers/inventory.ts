// What a host is known to have, what was found in it, and how its drives can be erased.
import { z } from "zod";
import { mediaKinds } from "@/server/domain/inventory/inventory";
import { skuParts } from "@/server/domain/inventory/sku";
import { techniques } from "@/server/domain/sanitization/techniques";
import { list, record } from "@/server/contract/define";

/** Null: not known, which is never the same. */
const baselineLine = record({
  name: z.string(),
  wanted: z.string(),
  found: z.string().nullable(),
  same: z.boolean().nullable(),
});

export const hostInventoryView = record({
  /** The devices that the running or last reclamation treats; empty before its plan. */
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
  /** Was missing, and a person's statement answers for it: in words. */
  answered: list(record({ serial: z.string(), model: z.string(), words: z.string() })),
  /** The newest inventory of each source, as it came. */
  found: list(
    record({
      source: z.string(),
      collectedAt: z.date(),
      bootEpoch: z.number(),
      leftOut: list(z.string()),
      body: z.unknown(),
    }),
  ),
  /** How the drives that the agent found last can be erased, as they say; drives of a model that say the same are one row. */
  capabilities: list(
    record({
      model: z.string(),
      media: z.enum(mediaKinds),
      serials: list(z.string()),
      offers: list(z.enum(techniques)),
      refuses: list(z.enum(techniques)),
      /** Neither: the drive could not be asked, or was not. */
      unknown: list(z.enum(techniques)),
      /** What the lists were read from; null: the agent did not report it. */
      said: z.string().nullable(),
    }),
  ),
  /** BIOS attributes of the SKU's baseline against those of the host; null: the SKU names none. */
  bios: record({
    /** Null: the host's are not known. */
    readAt: z.date().nullable(),
    lines: list(baselineLine),
  }).nullable(),
  /** Firmware, lockdown and BMC as the SKU's baseline names them, against what the BMC told last; empty: it names none. */
  baseline: list(baselineLine),
  /** What the SKU wants against what the agent found last. */
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
