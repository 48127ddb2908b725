// `reclaim hosts list` and `show`: the same data as the hosts page and the head of a host's page.
import { z } from "zod";
import { contract } from "@/server/contract/contract";
import { record } from "@/server/contract/define";
import type { HostInventoryView, HostRow } from "@/server/surfaces/trpc/types";
import { readGoneUnlessKnown, showGone } from "@/cli/commands/hosts/decommission";
import { command } from "@/cli/define/command";
import { arg, choice, count, flag, opt, usually } from "@/cli/define/values";
import { findHost, readHosts } from "@/cli/find";
import { durationText } from "@/cli/output/text";
import type { Column, Part, Printer } from "@/cli/output/printer";
import { standingColumn } from "@/cli/output/standing";
import { hostParts } from "@/cli/output/host-parts";

export const hostColumns: readonly Column<HostRow>[] = [
  { name: "name", value: (row) => row.name, whole: true },
  { name: "state", value: (row) => row.state, tone: (row) => row.tone, whole: true },
  standingColumn,
  {
    name: "since",
    value: (row) => row.stateSince,
    text: (row, printer) => `${printer.age(row.stateSince)}${row.overLimit ? " !" : ""}`,
    tone: (row) => (row.overLimit ? "attention" : null),
  },
  { name: "step", value: (row) => row.step },
  {
    name: "percent",
    value: (row) => row.percent,
    text: (row) => (row.percent === null ? "" : `${row.percent} %`),
  },
  { name: "health", value: (row) => row.health.words, tone: (row) => row.health.tone },
  { name: "tenant", value: (row) => row.tenantName },
  { name: "site", value: (row) => row.site },
  { name: "rack", value: (row) => row.rack },
  { name: "sku", value: (row) => row.sku },
  { name: "detail", value: (row) => row.detail, text: (row) => row.brief ?? "", long: true },
  { name: "id", value: (row) => row.hostId, extra: true },
  { name: "slot", value: (row) => row.slot, extra: true },
  {
    name: "limit",
    value: (row) => row.limitMs,
    text: (row) => (row.limitMs === null ? "" : durationText(row.limitMs)),
    extra: true,
  },
  { name: "overLimit", value: (row) => row.overLimit, extra: true },
  { name: "overdue", value: (row) => row.overdue, extra: true },
  { name: "lastReady", value: (row) => row.lastReadyAt, extra: true },
  { name: "allocatable", value: (row) => row.allocatable, extra: true },
  { name: "stateVersion", value: (row) => row.stateVersion, extra: true },
];

type Capabilities = HostInventoryView["capabilities"][number];

const capabilityColumns: readonly Column<Capabilities>[] = [
  { name: "model", value: (row) => row.model },
  { name: "drives", value: (row) => row.serials.length },
  { name: "offers", value: (row) => row.offers.join(", ") },
  { name: "refuses", value: (row) => row.refuses.join(", ") },
  { name: "unknown", value: (row) => row.unknown.join(", ") },
  { name: "said", value: (row) => row.said ?? "not reported", long: true },
];

type BaselineLine = HostInventoryView["baseline"][number];

const baselineColumns: readonly Column<BaselineLine>[] = [
  { name: "setting", value: (row) => row.name },
  { name: "required", value: (row) => row.wanted },
  { name: "found", value: (row) => row.found ?? "not known" },
];

/** What differs from the SKU's baseline or is unknown; empty if everything matches. */
function baselineParts(what: string, all: readonly BaselineLine[], printer: Printer): Part[] {
  const lines = all.filter(({ same }) => same !== true);
  return lines.length === 0
    ? []
    : [
        {
          title: `${what} differing from the SKU, or not known`,
          table: printer.table(lines, baselineColumns),
        },
      ];
}

const list = contract.hosts.list.output.unwrap().shape.rows;
const {
  capabilities: capabilityShape,
  bios: biosShape,
  baseline: baselineShape,
} = contract.host.inventory.output.unwrap().shape;

export const hosts = [
  command("hosts list", {
    title: contract.hosts.list.title,
    uses: ["hosts.list"],
    shape: list,
    alias: "ls",
    args: {
      words: arg(
        "[filter...]",
        "such as: state:Failed rack:A* -tenant:acme standing:notSanitized is:needPerson sla:over overdue:true",
      ),
    },
    options: {
      filter: opt(
        "<filter>",
        "a filter as an option, as in other commands; with both, hosts that match both",
      ),
      sort: usually(choice("<key>", "order", ["since", "name", "lastReady"]), "name"),
      reverse: flag("reverse order"),
      limit: count,
    },
    examples: [
      "hosts list state:Failed site:dfw --sort since",
      "hosts list rack:A* --columns name,state,sku",
    ],
    run: async (shell, given) => {
      const { words, filter, sort, reverse, limit } = given;
      const { rows, total } = await readHosts(shell.client, {
        filter: [...words, ...(filter === undefined ? [] : [filter])].join(" "),
        sort,
        descending: reverse === true,
        limit: limit ?? null,
      });
      shell.printer.list(rows, hostColumns, "No host matches.");
      if (rows.length < total) shell.printer.say(`${rows.length} of ${total} hosts.`);
    },
  }),
  command("hosts show", {
    title: contract.host.get.title,
    uses: ["host.get", "host.inventory", "hosts.goneOne"],
    shape: z.union([
      record({
        ...contract.host.get.output.unwrap().shape,
        capabilities: capabilityShape,
        bios: biosShape,
        baseline: baselineShape,
      }),
      contract.hosts.goneOne.output,
    ]),
    args: {
      host: arg("<host>", "name, id, or the start of either; of a host that has left, its serial number too"),
    },
    run: async ({ client, printer }, { host: text }) => {
      const gone = await readGoneUnlessKnown(client, text);
      if (gone !== null) return showGone(printer, gone);
      const { id } = await findHost(client, text);
      const [host, { capabilities, bios, baseline }] = await Promise.all([
        client.host.get.query({ host: id }),
        client.host.inventory.query({ hostId: id }),
      ]);
      const drives: Part[] =
        capabilities.length === 0
          ? []
          : [{ title: "Drives can be erased by", table: printer.table(capabilities, capabilityColumns) }];
      printer.show({ ...host, capabilities, bios, baseline }, [
        ...hostParts(host, printer),
        ...drives,
        ...baselineParts("BIOS", bios?.lines ?? [], printer),
        ...baselineParts("Baseline", baseline, printer),
      ]);
    },
  }),
];
