// SKUs: the list with hosts that have none, one SKU, and the SKU that a host would give.
import { z } from "zod";
import { skuEntry } from "@/server/domain/sites/document";
import { skuComponents } from "@/server/domain/hosts/inventory/sku";
import { biosAttributes } from "@/server/domain/hosts/inventory/bios";
import { bmcSettings } from "@/server/domain/hosts/inventory/bmc-settings";
import { platformBaseline } from "@/server/domain/hosts/inventory/platform";
import { added, list, record, state } from "@/server/contract/define";

const { priorities } = skuEntry.shape;

const skuLine = record({
  id: z.string(),
  name: z.string(),
  components: skuComponents,
  /** How many clean steps have a priority for this SKU. */
  priorities: z.number(),
  hosts: z.number(),
  ready: z.number(),
  createdAt: z.date(),
});
export type SkuRow = z.infer<typeof skuLine>;

const hostName = record({ id: z.string(), name: z.string() });

const skuCluster = record({
  /** A name that no SKU has yet. */
  name: z.string(),
  components: skuComponents,
  count: z.number(),
  /** The first few, by name. */
  hosts: list(hostName),
});
export type SkuClusterLine = z.infer<typeof skuCluster>;

/** A SKU whose components cannot be read, with the stored value, so that it can be repaired. */
const unreadableSku = record({
  id: z.string(),
  name: z.string(),
  faults: list(z.string()),
  /** JSON. */
  stored: z.string(),
  priorities,
  hosts: z.number(),
  revision: z.string(),
});
export type UnreadableSkuLine = z.infer<typeof unreadableSku>;

export const skuList = record({
  skus: list(skuLine),
  unreadable: list(unreadableSku),
  clusters: list(skuCluster),
  /** Hosts without a SKU from which none can be made, with the reason. */
  left: list(record({ host: hostName, reason: z.string() })),
  /** Hosts without a SKU for which no agent has taken an inventory. */
  withoutInventory: z.number(),
  /** Hosts without a SKU beyond the number that was read. */
  notRead: z.number(),
});
export type SkuList = z.infer<typeof skuList>;

const skuHost = record({ id: z.string(), name: z.string(), state, inMaintenance: z.boolean() });

export const skuDetail = record({
  id: z.string(),
  name: z.string(),
  components: skuComponents,
  priorities,
  /** Sent back with a change, which is refused if somebody else changed the SKU meanwhile. */
  revision: z.string(),
  createdAt: z.date(),
  /** How many hosts there are; `hosts` has the first few by name. */
  hostCount: z.number(),
  /** How many of them stopped because they differ. */
  differing: added(z.number()),
  hosts: list(skuHost),
  /** Acts on the SKU, the newest first; changes by a site document are in the site's history. */
  history: list(
    record({ at: z.date(), byName: z.string().nullable(), action: z.string(), words: list(z.string()) }),
  ),
});
export type SkuDetail = z.infer<typeof skuDetail>;

export const skuProposal = record({
  host: z.string(),
  name: z.string(),
  /** Null if none can be made; `refusal` says why. */
  components: skuComponents.nullable(),
  refusal: z.string().nullable(),
  /** The host's current values. */
  baseline: platformBaseline,
  /** The host's BIOS attributes, from which a person chooses those of the baseline; null if not known. */
  bios: biosAttributes.nullable(),
  biosReadAt: z.date().nullable(),
  /** Why no baseline can be taken from this host now; null: one can. */
  untrusted: added(z.string().nullable()),
  /** Sent back with the chosen names; refused if the host's attributes have changed since. */
  biosRevision: z.string().nullable(),
  /** What is known of the host's BMC, from which a person chooses parts for the baseline; null if not known. */
  bmc: bmcSettings.nullable(),
  bmcRevision: z.string().nullable(),
  /** What of a baseline could not be read from the host. */
  left: list(z.string()),
  /** SKUs that the host matches already. */
  matches: list(z.string()),
});
export type SkuProposalView = z.infer<typeof skuProposal>;
