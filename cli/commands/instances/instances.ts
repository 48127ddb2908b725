// `reclaim instances`: list, show, and the history of one; acts on instances are in `instance-acts.ts`.
import type { InstanceHistoryLine, InstanceRow } from "@/server/surfaces/trpc/types";
import { receipt } from "@/cli/commands/instances/receipt";
import { instanceActs } from "@/cli/commands/instances/instance-acts";
import { onlineRepair } from "@/cli/commands/repair/online-repair";
import { list, show } from "@/cli/define/command";
import { arg, choice, instance, usually } from "@/cli/define/values";
import type { Column, Part, Printer } from "@/cli/output/printer";

const columns: readonly Column<InstanceRow>[] = [
  { name: "name", value: (row) => row.name, whole: true },
  { name: "status", value: (row) => row.status, tone: (row) => row.tone, whole: true },
  { name: "host", value: (row) => row.host?.name ?? null },
  { name: "progress", value: (row) => row.hostWords },
  { name: "tenant", value: (row) => row.tenantName },
  { name: "created", value: (row) => row.createdAt },
  { name: "released", value: (row) => row.releaseRequestedAt },
  { name: "id", value: (row) => row.id },
  { name: "ended", value: (row) => row.endedAt, extra: true },
  { name: "site", value: (row) => row.site, extra: true },
  { name: "sku", value: (row) => row.sku, extra: true },
  { name: "org", value: (row) => row.tenantOrg, extra: true },
];

const historyColumns: readonly Column<InstanceHistoryLine>[] = [
  { name: "time", value: (row) => row.at },
  { name: "status", value: (row) => row.status },
  { name: "message", value: (row) => row.message },
];

const factsOf = (row: InstanceRow, printer: Printer): Part => ({
  facts: [
    ["name", row.name],
    ["id", row.id],
    ["status", { text: row.status, tone: row.tone }],
    ["host", row.host?.name ?? null],
    ["host is", row.hostWords],
    ["tenant", `${row.tenantName} (${row.tenantOrg})`],
    ["last message", row.message],
    ["notices", row.notices.length === 0 ? null : row.notices.map(({ message }) => message).join("; ")],
    ["description", row.description],
    [
      "labels",
      Object.entries(row.labels)
        .map(([name, value]) => `${name}=${value}`)
        .join(", ") || null,
    ],
    ["network", row.vpcId ?? "default"],
    ["site", row.site],
    ["sku", row.sku],
    ["created", printer.timeAndAge(row.createdAt)],
    ["ready", printer.timeAndAge(row.readyAt)],
    ["released", printer.timeAndAge(row.releaseRequestedAt)],
    ["ended", printer.timeAndAge(row.endedAt)],
    [
      "online repair",
      row.onlineRepair.active === null
        ? null
        : `${printer.timeAndAge(row.onlineRepair.active.since) ?? ""}: ${row.onlineRepair.active.issue?.summary ?? "begun by the provider"}`,
    ],
    ["release", row.release.allowed ? "possible" : `not possible: ${row.release.reason ?? ""}`],
  ],
});

export const instances = [
  list("instances list", {
    of: "instances.list",
    args: { filter: usually(arg("[text]", "part of a name"), "") },
    options: { status: usually(choice("<which>", "which", ["open", "ended", "all"]), "open") },
    rows: "rows",
    columns,
    perPage: 200,
    limit: null,
    none: "No instances.",
    then: ({ rows, first: { total } }) =>
      rows.length < (total ?? 0) ? [`${rows.length} of ${total} instances.`] : [],
  }),
  show("instances show", {
    of: "instances.get",
    args: { instance },
    input: ({ instance: { id } }) => ({ id }),
    parts: (row, printer) => [factsOf(row, printer)],
  }),
  list("instances status-history", {
    of: "instances.history",
    args: { instance },
    input: ({ instance: { id } }) => ({ id }),
    columns: historyColumns,
    none: "Nothing yet.",
  }),
  receipt,
  ...instanceActs,
  ...onlineRepair,
];
