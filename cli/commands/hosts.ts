// `reclaim hosts list` and `show`: the hosts page and the head of a host's page.
import { Option } from "commander";
import type { Command } from "commander";
import { contract } from "@/server/contract/contract";
import type { HostDetail, HostRow } from "@/server/surfaces/trpc/types";
import { CommandError } from "@/cli/exit-codes";
import { findHost } from "@/cli/find";
import { readCount } from "@/cli/options";
import { durationWords } from "@/cli/output/words";
import type { Column, Part, Printer } from "@/cli/output/printer";
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

function hostParts(host: HostDetail, printer: Printer): readonly Part[] {
  const { reclamation, asked } = host;
  const may = [...host.actions, ...host.cleaningActions].map(
    (action) =>
      [action.words, action.allowed ? action.consequence : `not now: ${action.reason ?? ""}`] as const,
  );
  return [
    {
      facts: [
        ["name", host.name],
        ["id", host.id],
        ["state", { text: `${host.state} (${host.label})`, tone: host.tone }],
        [
          "since",
          `${printer.timeAndAge(host.since)}${host.limitMs === null ? "" : `, limit ${durationWords(host.limitMs)}${host.overLimit ? ", passed" : ""}`}`,
        ],
        [
          "overdue",
          host.overdueMs === null
            ? null
            : { text: `by ${durationWords(host.overdueMs)}, of the whole reclamation`, tone: "attention" },
        ],
        ["says", host.says],
        ["waits for", host.waitsFor],
        ["check next", host.checkNext],
        [
          "then",
          host.next.length === 0
            ? null
            : host.next
                .map(({ words, command }) => (command === null ? words : `${words} (${command})`))
                .join(", "),
        ],
        [
          "step",
          host.step === null ? null : `${host.step}${host.percent === null ? "" : `, ${host.percent} %`}`,
        ],
        [
          "hold",
          asked.hold === null
            ? null
            : `${asked.hold.byName}: ${asked.hold.reason}${asked.hold.since === null ? " (before the next step)" : ""}${asked.hold.until === null ? "" : `, until ${printer.time(asked.hold.until)}`}`,
        ],
        ["abort", asked.abort === null ? null : `asked for by ${asked.abort.byName}`],
        [
          "stated untouched",
          host.untouched === null ? null : `${host.untouched.reason} (${host.untouched.byName})`,
        ],
        [
          "maintenance",
          host.maintenance === null
            ? null
            : {
                text: `${host.maintenance.reason ?? "no reason given"} (${host.maintenance.by ?? "unknown"})`,
                tone: "attention",
              },
        ],
        ["allocatable", host.allocatable ? "yes" : "no"],
        [
          "tenant",
          host.instance === null
            ? null
            : `${host.instance.tenantName}, instance ${host.instance.name} (${host.instance.id})${host.instance.releaseRequestedAt === null ? "" : ", released"}`,
        ],
        [
          "debt",
          host.debts.length === 0
            ? null
            : {
                text: host.debts
                  .map(
                    (debt) =>
                      `${debt.drives} drives since ${printer.time(debt.since)}${debt.tenantName === null ? "" : ` of ${debt.tenantName}`}`,
                  )
                  .join("; "),
                tone: "attention",
              },
        ],
        [
          "drives not there",
          host.unaccounted.length === 0
            ? null
            : {
                text: host.unaccounted
                  .map(({ key, disposition }) =>
                    disposition === null ? key : `${key} (${disposition.kind})`,
                  )
                  .join(", "),
                tone: "attention",
              },
        ],
        [
          "reclamation",
          reclamation === null
            ? null
            : `${reclamation.number} ${reclamation.kind}, ${reclamation.outcome ?? (reclamation.stoppedAt === null ? "under way" : `stopped: ${reclamation.stoppedCause ?? ""}`)}`,
        ],
        ["gates", `${host.counts.gatesHold} of ${host.counts.gates} hold`],
        ["model", [host.manufacturer, host.model].filter((part) => part !== null).join(" ")],
        ["serial", host.serial],
        ["place", [host.site, host.rack, host.slot].filter((part) => part !== null).join(", ")],
        ["sku", host.sku],
        ["traits", host.traits.join(", ")],
        ["bmc", host.bmcAddress],
        [
          "power",
          host.powerState === null
            ? null
            : `${host.powerState}${host.powerReadAt === null ? "" : `, read ${printer.age(host.powerReadAt)} ago`}`,
        ],
        [
          "cleaned by itself",
          host.automatedClean === null ? "as its site says" : host.automatedClean ? "yes" : "no",
        ],
      ],
    },
    ...(may.length === 0 ? [] : [{ title: "You may", facts: may }]),
  ];
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
