// SKUs, made from hosts or by hand (docs/skus.md).
import { z } from "zod";
import { skuDetail, skuList, skuProposal } from "@/server/contract/hosts/skus-answers";
import { act, hostId, nothing, read, reason, record } from "@/server/contract/define";
import { maxBiosSettings } from "@/server/domain/hosts/inventory/baseline";
import { bmcPartNames } from "@/server/domain/hosts/inventory/bmc-settings";
import { skuComponents } from "@/server/domain/hosts/inventory/sku";
import { skuEntry } from "@/server/domain/sites/document";

/** Name of the SKU, as in documents. */
const sku = z.string().min(1, "must be the name of a SKU").max(128);
const { name, priorities } = skuEntry.shape;
const revision = z.string().min(1).max(64).optional();
/** Names of the host's BIOS attributes to take, and the revision of the values that the person saw (`propose`). */
const bios = z.array(z.string().min(1).max(128)).max(maxBiosSettings).default([]);
const biosRevision = revision;
/** Parts of the host's BMC settings to take, and the revision of the values that the person saw (`propose`). */
const bmc = z.array(z.enum(bmcPartNames)).max(bmcPartNames.length).default([]);
const bmcRevision = revision;
const named = record({ id: z.string(), name: z.string() });

export const skus = {
  list: read({
    title: "SKUs with their hosts, and groups of like hosts without a SKU",
    right: "site.read",
    input: nothing,
    output: skuList,
  }),
  get: read({
    title: "one SKU with its components, baseline, hosts and history",
    right: "site.read",
    input: z.strictObject({ sku }),
    output: skuDetail,
  }),
  propose: read({
    title: "the SKU that would be created from a host, and the host's baseline from its inventory",
    right: "site.read",
    input: z.strictObject({ hostId }),
    output: skuProposal,
  }),
  create: act({
    title: "creates a SKU manually",
    right: "sku.write",
    action: "sku.create",
    input: z.strictObject({ name, components: skuComponents, priorities, reason }),
    output: named,
  }),
  createFromHost: act({
    title: "creates a SKU from the inventory of a host",
    right: "sku.write",
    action: "sku.createFromHost",
    input: z.strictObject({
      hostId,
      name,
      /** Also takes firmware and lockdown from the host's inventory, and what `bios` and `bmc` name. */
      baseline: z.boolean().default(false),
      /** Only with `baseline`. */
      bios,
      biosRevision,
      /** Only with `baseline`. */
      bmc,
      bmcRevision,
      priorities,
      reason,
    }),
    output: named,
  }),
  change: act({
    title: "changes name, components, baseline or priorities of a SKU",
    right: "sku.write",
    action: "sku.change",
    input: z.strictObject({ sku, revision, name, components: skuComponents, priorities, reason }),
    output: named,
  }),
  captureBaseline: act({
    title:
      "captures firmware versions, lockdown, chosen BIOS attributes and BMC settings of a reference host in a SKU's baseline",
    right: "sku.write",
    action: "sku.captureBaseline",
    input: z.strictObject({ sku, hostId, revision, bios, biosRevision, bmc, bmcRevision, reason }),
    output: named,
  }),
  remove: act({
    title: "deletes a SKU that is not in use",
    right: "sku.write",
    action: "sku.remove",
    input: z.strictObject({ sku, reason }),
    output: named,
  }),
};
