// `reclaim hosts list` and `show`: the hosts page and the head of a host's page.
import { Option } from "commander";
import type { Command } from "commander";
import { contract } from "@/server/contract/contract";
import type { HostRow } from "@/server/surfaces/trpc/types";
import { CommandError } from "@/cli/exit-codes";
import { findHost } from "@/cli/find";
import { readCount } from "@/cli/options";
import { durationWords } from "@/cli/output/words";
import type { Column } from "@/cli/output/printer";
import { hostParts } from "@/cli/output/host-parts";
import { openShell } from "@/cli/shell";
import type { Shell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

const mostPerPage = 200;

export const hostColumns: readonly Column<HostRow>[] = [
  { name: "name", value: (row) => row.name, whole: true },
  { name: "state", value: (row) => row.state, tone: (row) => row.tone },
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
  { name: "detail", value: (row) => row.detail },
  { name: "health", value: (row) => row.health.words, tone: (row) => row.health.tone },
  { name: "tenant", value: (row) => row.tenantName },
  { name: "site", value: (row) => row.site },
  { name: "rack", value: (row) => row.rack },
  { name: "sku", value: (row) => row.sku },
  { name: "id", value: (row) => row.hostId, extra: true },
  { name: "slot", value: (row) => row.slot, extra: true },
  {
    name: "limit",
    value: (row) => row.limitMs,
    text: (row) => (row.limitMs === null ? "" : durationWords(row.limitMs)),
    extra: true,
  },
  { name: "overLimit", value: (row) => row.overLimit, extra: true },
  { name: "overdue", value: (row) => row.overdue, extra: true },
  { name: "lastReady", value: (row) => row.lastReadyAt, extra: true },
  { name: "allocatable", value: (row) => row.allocatable, extra: true },
  { name: "stateVersion", value: (row) => row.stateVersion, extra: true },
];

export interface HostQuery {
  readonly filter: string;
  readonly sort: "since" | "name" | "lastReady";
  readonly descending: boolean;
  /** Null: all. */
  readonly limit: number | null;
}

/** Page by page. A filter that is not understood is an error, with the place. */
export async function readHosts(
  { client }: Pick<Shell, "client">,
  { limit, ...query }: HostQuery,
): Promise<{ readonly rows: readonly HostRow[]; readonly total: number }> {
  const rows: HostRow[] = [];
  let total = 0;
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof client.hosts.list.query>> = await client.hosts.list.query({
      ...query,
      cursor,
      limit: limit === null ? mostPerPage : Math.min(mostPerPage, limit - rows.length),
    });
    if (page.problem !== null)
      throw new CommandError(
        "usage",
        `The filter is not understood: ${page.problem.message}\n  ${query.filter}\n  ${" ".repeat(page.problem.position)}^`,
      );
    rows.push(...page.rows);
    total = page.total ?? total;
    cursor = page.nextCursor;
  } while (cursor !== null && (limit === null || rows.length < limit));
  return { rows, total };
}

/** @param hosts the command `reclaim hosts` */
export function addHostReads(hosts: Command, surroundings: Surroundings): void {
  hosts
    .command("list")
    .alias("ls")
    .description(contract.hosts.list.title)
    .argument("[filter...]", "such as: state:Failed rack:A* -tenant:acme is:needPerson sla:over overdue:true")
    .addOption(new Option("--sort <key>", "order").choices(["since", "name", "lastReady"]).default("name"))
    .option("--reverse", "the other way round")
    .option("--limit <count>", "at most so many", readCount)
    .action(
      async (
        words: string[],
        options: { sort: HostQuery["sort"]; reverse?: boolean; limit?: number },
        command: Command,
      ) => {
        const shell = await openShell(command, surroundings);
        const { rows, total } = await readHosts(shell, {
          filter: words.join(" "),
          sort: options.sort,
          descending: options.reverse === true,
          limit: options.limit ?? null,
        });
        shell.printer.list(rows, hostColumns, "No host matches.");
        if (rows.length < total) shell.printer.say(`${rows.length} of ${total} hosts.`);
      },
    );
  hosts
    .command("show")
    .description(contract.host.get.title)
    .argument("<host>", "name, id, or the beginning of one")
    .action(async (text: string, _options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const host = await client.host.get.query({ host: (await findHost(client, text)).id });
      printer.show(host, hostParts(host, printer));
    });
}
