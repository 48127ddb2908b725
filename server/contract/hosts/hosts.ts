// Many hosts: lists, views, and what a selection can do.
import { z } from "zod";
import { filterLimit } from "@/server/domain/hosts/host-filter";
import { maxBulkHosts } from "@/server/domain/hosts/bulk-intents";
import { hostIntents } from "@/server/domain/hosts/host-actions";
import { goneDetail, goneList } from "@/server/contract/hosts/gone";
import { itemVerdicts } from "@/server/domain/hosts/platform/judge";
import { firmwareList, platformList } from "@/server/contract/hosts/platform";
import { filterValues, hostView, savedView } from "@/server/contract/hosts/host-views";
import { hostActPreview, hostList, hostMatch, hostRow } from "@/server/contract/hosts/hosts-answers";
import { act, hostId, list, nothing, paging, read, record } from "@/server/contract/define";

export const hostSorts = ["since", "name", "lastReady"] as const;
export type HostSort = (typeof hostSorts)[number];

/** Longer than a filter may be: the answer says what is wrong with one that is too long. */
const filter = z.string().max(2 * filterLimit);

/** Hosts by id, or all that match a filter. */
export const hostTarget = z.union([
  z.strictObject({ hostIds: z.array(hostId).min(1).max(maxBulkHosts) }),
  z.strictObject({ filter }),
]);

export const hosts = {
  list: read({
    title: "the hosts that match a filter, page by page",
    right: "host.list",
    input: z.strictObject({
      filter: filter.default(""),
      sort: z.enum(hostSorts).default("since"),
      descending: z.boolean().default(true),
      /** Also counts the hosts by cause. */
      group: z.enum(["cause"]).nullable().default(null),
      ...paging(200, 100),
    }),
    output: hostList,
  }),
  find: read({
    title: "the hosts that match a name, serial number or id",
    right: "host.list",
    input: z.strictObject({ text: z.string().min(1).max(128) }),
    output: list(hostMatch),
  }),
  rows: read({
    title: "the current rows of given hosts, after a live change",
    right: "host.list",
    input: z.strictObject({ hostIds: z.array(hostId).max(500), filter: filter.default("") }),
    output: list(hostRow),
  }),
  views: read({
    title: "the saved views, each with its filter and host count",
    right: "host.list",
    input: nothing,
    output: list(hostView),
  }),
  filterValues: read({
    title: "the values that a filter can use: sites, racks, segments, power domains, SKUs, tenants, images",
    right: "host.list",
    input: nothing,
    output: filterValues,
  }),
  savedViews: read({
    title: "the views of the hosts list that the caller saved",
    right: "account.views",
    input: nothing,
    output: list(savedView),
  }),
  saveView: act({
    title: "saves a view of the hosts list for the caller, replacing one with the same name",
    right: "account.views",
    action: "account.saveView",
    input: z.strictObject({
      name: z.string().trim().min(1, "enter a name").max(64),
      filter,
      sort: z.string().max(32).nullable().default(null),
      hide: z.array(z.string().max(32)).max(32).default([]),
      group: z.enum(["cause"]).nullable().default(null),
    }),
    output: record({ id: z.string() }),
  }),
  removeView: act({
    title: "deletes a view that the caller saved",
    right: "account.views",
    action: "account.removeView",
    input: z.strictObject({ id: z.guid("must be the id of a view") }),
    output: record({ id: z.string() }),
  }),
  gone: read({
    title: "the hosts that were decommissioned or deleted, newest first",
    right: "host.list",
    /** `text`: part of a name, serial number or reason. */
    input: z.strictObject({ text: z.string().trim().max(128).default(""), ...paging(200, 100) }),
    output: goneList,
  }),
  goneOne: read({
    title: "the record of a host that was decommissioned or deleted",
    right: "host.read",
    /** An id, a name or a serial number; if several match, the newest is returned. */
    input: z.strictObject({ host: z.string().min(1).max(128) }),
    output: goneDetail,
  }),
  platform: read({
    title: "platforms as they were read after the last cleaning: each item found and wanted, by host",
    right: "host.list",
    input: z.strictObject({
      /** Only of this host. */
      host: hostId.optional(),
      /** Part of an item's name, such as `BIOS Sriov`; empty: all. */
      item: z.string().trim().max(256).default(""),
      /** Part of what was found; empty: anything. */
      found: z.string().trim().max(256).default(""),
      verdict: z.enum(itemVerdicts).optional(),
      ...paging(1000, 200),
    }),
    output: platformList,
  }),
  firmware: read({
    title: "firmware as the BMCs last listed it: hosts by model, component and version",
    right: "host.list",
    input: z.strictObject({
      /** Parts of model, component or version; empty: all. */
      text: z.string().trim().max(200).default(""),
      /** Only versions of which a host's baseline names another one. */
      differing: z.boolean().default(false),
      ...paging(1000, 200),
    }),
    output: firmwareList,
  }),
  preview: read({
    title: "how many of a selection can do an act, and why the others cannot",
    right: "host.list",
    input: z.strictObject({ target: hostTarget, intent: z.enum(hostIntents) }),
    output: hostActPreview,
  }),
};
