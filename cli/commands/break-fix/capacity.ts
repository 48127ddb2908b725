// `reclaim capacity`: machines, and why some left and came back (docs/repair.md#capacity).
import { contract } from "@/server/contract/contract";
import type { CapacityEvent, CapacityNode } from "@/server/surfaces/trpc/types";
import { command, list } from "@/cli/define/command";
import { count, flag, opt, usually } from "@/cli/define/values";
import { csvText } from "@/cli/output/csv";
import type { Column } from "@/cli/output/printer";

const eventColumns: readonly Column<CapacityEvent>[] = [
  { name: "at", value: (row) => row.at },
  { name: "machine", value: (row) => row.direction, whole: true },
  { name: "reason", value: (row) => row.reason, text: (row) => row.reasonWords },
  { name: "host", value: (row) => row.host ?? row.hostId },
  { name: "of", value: (row) => row.tenant, text: (row) => row.tenant ?? "the provider" },
  { name: "ticket", value: (row) => row.ticket },
  { name: "notice", value: (row) => row.notice },
  { name: "planned", value: (row) => row.planned },
  { name: "site", value: (row) => row.site },
  { name: "id", value: (row) => row.id, extra: true },
  { name: "host id", value: (row) => row.hostId, extra: true },
  { name: "instance", value: (row) => row.instance, extra: true },
  { name: "instance id", value: (row) => row.instanceId, extra: true },
];

const nodeColumns: readonly Column<CapacityNode>[] = [
  { name: "host", value: (row) => row.host ?? row.hostId, whole: true },
  { name: "healthy", value: (row) => row.healthy },
  { name: "in use", value: (row) => row.inUse },
  { name: "account", value: (row) => row.account },
  { name: "hardware", value: (row) => row.hardware },
  { name: "gpus", value: (row) => row.gpus },
  { name: "region", value: (row) => row.region },
  { name: "handed over", value: (row) => row.handedOverAt },
  { name: "created", value: (row) => row.createdAt },
  { name: "sku", value: (row) => row.sku, extra: true },
  { name: "host id", value: (row) => row.hostId, extra: true },
  { name: "instance id", value: (row) => row.instanceId, extra: true },
];

const perPage = 1000;

export const capacity = [
  list("capacity events", {
    of: "capacity.events",
    options: {
      after: opt("<id>", "only events after this one"),
      site: opt("<name>", "only of this site"),
      limit: usually(count, 200),
    },
    input: ({ limit, ...given }) => ({ ...given, limit: Math.min(limit, perPage) }),
    columns: eventColumns,
    csv: true,
    none: "No changes of capacity.",
  }),
  command("capacity nodes", {
    title: contract.capacity.nodes.title,
    uses: ["capacity.nodes"],
    shape: contract.capacity.nodes.output,
    options: { csv: flag("as CSV, with all columns") },
    run: async ({ client, printer }, { csv }) => {
      const rows: CapacityNode[] = [];
      let page: readonly CapacityNode[] = [];
      do {
        const after = rows.at(-1)?.hostId;
        page = await client.capacity.nodes.query({
          limit: perPage,
          ...(after === undefined ? {} : { after }),
        });
        rows.push(...page);
      } while (page.length === perPage);
      if (csv === true) return printer.text(csvText(rows, nodeColumns));
      printer.list(rows, nodeColumns, "No machines.");
    },
  }),
];
