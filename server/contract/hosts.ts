// Many hosts: lists, views, and what a selection can do.
import { z } from "zod";
import { mostBulkHosts } from "@/server/domain/hosts/bulk-intents";
import { hostIntents } from "@/server/domain/hosts/host-actions";
import { hostActPreview, hostList, hostMatch, hostRow, hostView } from "@/server/contract/answers/hosts";
import { hostId, list, nothing, paging, read } from "@/server/contract/define";

export const hostSorts = ["since", "name", "lastReady"] as const;
export type HostSort = (typeof hostSorts)[number];

const filter = z.string().max(1000);

/** Hosts by their ids, or all that a filter finds. */
export const hostTarget = z.union([
  z.strictObject({ hostIds: z.array(hostId).min(1).max(mostBulkHosts) }),
  z.strictObject({ filter }),
]);

export const hosts = {
  list: read({
    title: "one page of the hosts that a filter finds",
    right: "host.list",
    input: z.strictObject({
      filter: filter.default(""),
      sort: z.enum(hostSorts).default("since"),
      descending: z.boolean().default(true),
      ...paging(200, 100),
    }),
    output: hostList,
  }),
  find: read({
    title: "the hosts that a name, serial number or id may mean",
    right: "host.list",
    input: z.strictObject({ text: z.string().min(1).max(128) }),
    output: list(hostMatch),
  }),
  rows: read({
    title: "some hosts of the list again, for those that a live change named",
    right: "host.list",
    input: z.strictObject({ hostIds: z.array(hostId).max(500), filter: filter.default("") }),
    output: list(hostRow),
  }),
  views: read({
    title: "the saved views, each with its filter and how many hosts it finds",
    right: "host.list",
    input: nothing,
    output: list(hostView),
  }),
  preview: read({
    title: "how many of a selection can do an act, and why the others cannot",
    right: "host.list",
    input: z.strictObject({ target: hostTarget, intent: z.enum(hostIntents) }),
    output: hostActPreview,
  }),
};
