// `reclaim queue`: which hosts wait for admission and why, and each site's limits; `reclaim brakes`: list, engage, lift.
import type { Command } from "commander";
import { contract } from "@/server/contract/contract";
import type { BrakeLine, LimitLine, QueueHosts, QueueLine } from "@/server/surfaces/trpc/types";
import { formatQuestion } from "@/server/domain/cleaning/queue/brake";
import type { Client } from "@/cli/client";
import type { Column, Part } from "@/cli/output/printer";
import { pick } from "@/cli/find";
import { counted } from "@/cli/output/text";
import { confirm, openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

const waiting: readonly Column<QueueLine>[] = [
  {
    name: "place",
    value: (row) => row.place,
    text: (row) => (row.place === null ? (row.braked ? "held" : "") : String(row.place)),
  },
  { name: "host", value: (row) => row.name, whole: true },
  { name: "waits", value: (row) => row.since, text: (row, printer) => printer.age(row.since) },
  { name: "tenant", value: (row) => row.tenant },
  { name: "model", value: (row) => row.model },
  { name: "reason", value: (row) => row.reason, long: true },
];

const limits: readonly Column<LimitLine>[] = [
  { name: "limit", value: (row) => row.words },
  { name: "used", value: (row) => row.used },
  {
    name: "of",
    value: (row) => row.limit,
    text: (row) => (row.limit === null ? "no limit" : String(row.limit)),
  },
];

const brakes: readonly Column<BrakeLine>[] = [
  { name: "site", value: (row) => row.site },
  { name: "what", value: (row) => `${row.dimension} ${row.value}`, whole: true },
  { name: "since", value: (row) => row.engagedAt },
  { name: "holds", value: (row) => row.holds },
  {
    name: "asks",
    value: (row) => row.asks.join(", "),
    text: (row) => (row.asks.length === 0 ? "" : `last of ${row.asks.join(", ")}`),
    tone: (row) => (row.asks.length === 0 || row.liftedAt !== null ? null : "failed"),
  },
  { name: "lifted", value: (row) => row.liftedAt },
  {
    name: "message",
    value: (row) => row.message,
    tone: (row) => (row.liftedAt === null ? "attention" : null),
    long: true,
  },
  { name: "id", value: (row) => row.id, extra: true },
];

/** The server's maximum per page. */
const maxPerPage = 500;

async function waitingAt(client: Client, siteId: string): Promise<readonly QueueLine[]> {
  const hosts: QueueLine[] = [];
  let cursor: string | null = null;
  do {
    const page: QueueHosts = await client.queue.hosts.query({ siteId, cursor, limit: maxPerPage });
    hosts.push(...page.hosts);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return hosts;
}

export function addQueue(program: Command, surroundings: Surroundings): void {
  program
    .command("queue")
    .description(contract.queue.get.title)
    .action(async (_options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const page = await client.queue.get.query();
      const sites = [];
      for (const site of page.sites)
        sites.push({ ...site, hosts: site.waiting === 0 ? [] : await waitingAt(client, site.siteId) });
      const parts: Part[] = sites.flatMap((site): Part[] => [
        {
          title: `Site ${site.site}: ${site.atWork} in progress, ${site.waiting} waiting`,
          table: printer.table(site.limits, limits),
        },
        ...(site.hosts.length === 0 ? [] : [{ table: printer.table(site.hosts, waiting) }]),
      ]);
      for (const site of page.unreadable)
        parts.push({
          title: `Site ${site}`,
          facts: [["not shown", "this version cannot read its policy"]],
        });
      printer.show(
        { ...page, sites },
        page.brakes.length === 0
          ? parts
          : [...parts, { title: "Brakes", table: printer.table(page.brakes, brakes) }],
      );
    });
}

/** A brake's display name, such as `model R750`. */
const nameOf = ({ dimension, value }: BrakeLine): string => `${dimension} ${value}`;

/** `reclaim brakes` with its commands. */
export function addBrakes(program: Command, surroundings: Surroundings): void {
  const group = program.command("brakes").description("brakes on new cleanings: list, engage, lift");
  group
    .command("list")
    .alias("ls")
    .description("the brakes that are on, and those of the last day")
    .action(async (_options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      printer.list((await client.queue.get.query()).brakes, brakes, "No brake is on.");
    });
  group
    .command("engage")
    .description(contract.brakes.engage.title)
    .argument("<brake>", 'one that asks, as the list names it, such as "model R750", or its id')
    .action(async (text: string, _options: object, command: Command) => {
      const shell = await openShell(command, surroundings);
      const asking = (await shell.client.queue.get.query()).brakes.filter(
        ({ asks, liftedAt }) => asks.length > 0 && liftedAt === null,
      );
      const { brake } = pick(
        "brake",
        text,
        asking.map((each) => ({ id: each.id, name: nameOf(each), brake: each })),
      );
      await confirm(
        shell,
        [formatQuestion(brake.message, brake.asks)],
        `Put the brake on ${nameOf(brake)} at site ${brake.site}?`,
      );
      await shell.client.brakes.engage.mutate({ brakeId: brake.id });
      shell.printer.say(`The brake on ${nameOf(brake)} is on.`);
    });
  group
    .command("lift")
    .description(contract.brakes.lift.title)
    .argument("<brake>", 'as the list names it, such as "model R750", or its id')
    .action(async (text: string, _options: object, command: Command) => {
      const shell = await openShell(command, surroundings);
      const on = (await shell.client.queue.get.query()).brakes.filter(({ liftedAt }) => liftedAt === null);
      const { brake } = pick(
        "brake",
        text,
        on.map((each) => ({ id: each.id, name: nameOf(each), brake: each })),
      );
      await confirm(
        shell,
        [brake.message, `New cleanings of ${nameOf(brake)} resume at site ${brake.site}.`],
        `Lift the brake on ${nameOf(brake)}?`,
      );
      const { hosts } = await shell.client.brakes.lift.mutate({ brakeId: brake.id });
      shell.printer.say(`Brake lifted: ${counted(hosts, "host")} can begin.`);
    });
}
