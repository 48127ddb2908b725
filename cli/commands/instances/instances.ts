// `reclaim instances`: list, show, and the history of one; acts on instances are in `instance-acts.ts`.
import { Option } from "commander";
import type { Command } from "commander";
import { contract } from "@/server/contract/contract";
import type { InstanceHistoryLine, InstanceRow } from "@/server/surfaces/trpc/types";
import type { Client } from "@/cli/client";
import { findInstance } from "@/cli/find";
import { addReceipt } from "@/cli/commands/instances/receipt";
import { addInstanceActs } from "@/cli/commands/instances/instance-acts";
import { addOnlineRepair } from "@/cli/commands/repair/online-repair";
import { readCount } from "@/cli/options";
import type { Column, Part, Printer } from "@/cli/output/printer";
import { openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

const maxPerPage = 200;

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

/** `reclaim instances` with its commands. */
export function addInstances(program: Command, surroundings: Surroundings): void {
  const instances = program
    .command("instances")
    .description(
      "what tenants hold: list, show, status-history, receipt, available, create, rename, label, repair",
    );
  addList(instances, surroundings);
  addShow(instances, surroundings);
  addStatusHistory(instances, surroundings);
  addReceipt(instances, surroundings);
  addInstanceActs(instances, surroundings);
  addOnlineRepair(instances, surroundings);
}

interface ListOptions {
  readonly status: "open" | "ended" | "all";
  readonly limit?: number;
}

function addList(instances: Command, surroundings: Surroundings): void {
  instances
    .command("list")
    .alias("ls")
    .description(contract.instances.list.title)
    .argument("[text]", "part of a name", "")
    .addOption(new Option("--status <which>", "which").choices(["open", "ended", "all"]).default("open"))
    .option("--limit <count>", "maximum number", readCount)
    .action(async (text: string, options: ListOptions, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const { rows, total } = await readInstances(client, text, options);
      printer.list(rows, columns, "No instances.");
      if (rows.length < total) printer.say(`${rows.length} of ${total} instances.`);
    });
}

async function readInstances(
  client: Client,
  filter: string,
  { status, limit }: ListOptions,
): Promise<{ readonly rows: readonly InstanceRow[]; readonly total: number }> {
  const rows: InstanceRow[] = [];
  let total = 0;
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof client.instances.list.query>> = await client.instances.list.query({
      filter,
      status,
      cursor,
      limit: limit === undefined ? maxPerPage : Math.min(maxPerPage, limit - rows.length),
    });
    rows.push(...page.rows);
    total = page.total ?? total;
    cursor = page.nextCursor;
  } while (cursor !== null && (limit === undefined || rows.length < limit));
  return { rows, total };
}

function addShow(instances: Command, surroundings: Surroundings): void {
  instances
    .command("show")
    .description(contract.instances.get.title)
    .argument("<instance>", "name, id, or the start of either")
    .action(async (text: string, _options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const row = await client.instances.get.query({ id: (await findInstance(client, text)).id });
      printer.show(row, [factsOf(row, printer)]);
    });
}

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

function addStatusHistory(instances: Command, surroundings: Surroundings): void {
  instances
    .command("status-history")
    .description(contract.instances.history.title)
    .argument("<instance>", "name, id, or the start of either")
    .action(async (text: string, _options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const { id } = await findInstance(client, text);
      printer.list(await client.instances.history.query({ id }), historyColumns, "Nothing yet.");
    });
}
