// `reclaim capacity`: machines, and why some left and came back (docs/repair.md#capacity).
import type { Command } from "commander";
import { contract } from "@/server/contract/contract";
import type { CapacityEvent, CapacityNode } from "@/server/surfaces/trpc/types";
import { readCount } from "@/cli/options";
import { csvText } from "@/cli/output/csv";
import type { Column } from "@/cli/output/printer";
import { openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

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

interface EventOptions {
  readonly after?: string;
  readonly site?: string;
  readonly limit?: number;
  readonly csv?: boolean;
}

const maxPerPage = 1000;

export function addCapacity(program: Command, surroundings: Surroundings): void {
  const capacity = program
    .command("capacity")
    .description("machines, and why some left and came back: events, nodes");
  capacity
    .command("events")
    .description(contract.capacity.events.title)
    .option("--after <id>", "only events after this one")
    .option("--site <name>", "of this site")
    .option("--limit <count>", "maximum number", readCount)
    .option("--csv", "as CSV, with all columns")
    .action(async ({ after, site, limit = 200, csv }: EventOptions, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const rows = await client.capacity.events.query({
        limit: Math.min(limit, maxPerPage),
        ...(after === undefined ? {} : { after }),
        ...(site === undefined ? {} : { site }),
      });
      if (csv === true) return printer.text(csvText(rows, eventColumns));
      printer.list(rows, eventColumns, "No changes of capacity.");
    });
  capacity
    .command("nodes")
    .description(contract.capacity.nodes.title)
    .option("--csv", "as CSV, with all columns")
    .action(async ({ csv }: { csv?: boolean }, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const rows: CapacityNode[] = [];
      let page: readonly CapacityNode[] = [];
      do {
        const after = rows.at(-1)?.hostId;
        page = await client.capacity.nodes.query({
          limit: maxPerPage,
          ...(after === undefined ? {} : { after }),
        });
        rows.push(...page);
      } while (page.length === maxPerPage);
      if (csv === true) return printer.text(csvText(rows, nodeColumns));
      printer.list(rows, nodeColumns, "No machines.");
    });
}
