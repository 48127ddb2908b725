// `reclaim platform`: what BMCs showed of their hosts after the last cleaning, against the baseline, and the firmware they list (docs/skus.md).
import { list } from "@/cli/define/command";
import { arg, choice, count, flag, opt, usually } from "@/cli/define/values";
import { findHost } from "@/cli/find";
import { itemVerdicts } from "@/server/domain/hosts/platform/judge";
import type { FirmwareRow, PlatformLine } from "@/server/surfaces/trpc/types";
import type { Column } from "@/cli/output/printer";

const columns: readonly Column<PlatformLine>[] = [
  { name: "host", value: (row) => row.host, whole: true },
  { name: "item", value: (row) => row.item, whole: true },
  {
    name: "verdict",
    value: (row) => row.verdict,
    tone: ({ verdict }) => (verdict === "different" || verdict === "unknown" ? "failed" : null),
  },
  { name: "wanted", value: (row) => row.wanted },
  { name: "found", value: (row) => row.found, long: true },
  { name: "read", value: (row) => row.readAt, text: (row, printer) => printer.age(row.readAt) },
  { name: "sku", value: (row) => row.sku, extra: true },
  { name: "named", value: (row) => row.named, extra: true },
  { name: "hostId", value: (row) => row.hostId, extra: true },
];

const firmwareColumns: readonly Column<FirmwareRow>[] = [
  { name: "model", value: (row) => row.model },
  { name: "component", value: (row) => row.component, whole: true },
  { name: "version", value: (row) => row.version, whole: true },
  { name: "hosts", value: (row) => row.hosts },
  { name: "as wanted", value: (row) => row.asWanted },
  { name: "differ", value: (row) => row.differ, tone: ({ differ }) => (differ > 0 ? "failed" : null) },
  { name: "oldest reading", value: (row) => row.readAt, text: (row, printer) => printer.age(row.readAt) },
];

export const platform = [
  list("platform list", {
    of: "hosts.platform",
    options: {
      host: opt("<host>", "only of this host"),
      item: usually(opt("<text>", "part of an item's name, such as `BIOS Sriov` or `firmware`"), ""),
      found: usually(opt("<text>", "part of what was found, such as a version"), ""),
      verdict: choice("<verdict>", "only items with this verdict", itemVerdicts),
      limit: usually(count, 1000),
    },
    input: async ({ host, verdict, limit, ...text }, shell) => ({
      ...text,
      limit: Math.min(1000, limit),
      ...(host === undefined ? {} : { host: (await findHost(shell.client, host)).id }),
      ...(verdict === undefined ? {} : { verdict }),
    }),
    rows: "rows",
    columns,
    none: "No platform was read: the site does not require it, or no host was cleaned since.",
    examples: ["platform list --verdict different", "platform list --item 'firmware BIOS' --found 1.8.2"],
  }),
  list("platform firmware", {
    of: "hosts.firmware",
    args: { text: arg("[text...]", "parts of a model, component or version; default: all") },
    options: { differing: flag("only versions of which a host's baseline names another one") },
    input: ({ text, differing }) => ({ text: text.join(" "), differing: differing === true }),
    rows: "rows",
    columns: firmwareColumns,
    perPage: 200,
    limit: 1000,
    csv: true,
    none: "No BMC has listed firmware.",
    examples: [
      "platform firmware BIOS",
      "platform firmware --differing",
      "hosts list 'firmware:\"BIOS 1.8*\"'",
    ],
  }),
];
