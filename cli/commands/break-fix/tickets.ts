// `reclaim tickets`: what is wrong with machines, what was done about it, and how it ended (docs/repair.md#tickets).
import { Option } from "commander";
import type { Command } from "commander";
import { contract } from "@/server/contract/contract";
import { ticketActions, ticketCategories } from "@/server/domain/break-fix/categories";
import type { TicketAction, TicketCategory } from "@/server/domain/break-fix/categories";
import { ticketAudiences, ticketOutcomes, ticketPart, ticketStates } from "@/server/domain/break-fix/ticket";
import type {
  TicketAudience,
  TicketOutcome,
  TicketPart,
  TicketState,
} from "@/server/domain/break-fix/ticket";
import type { TicketRow, TicketUpdateLine } from "@/server/surfaces/trpc/types";
import { CommandError } from "@/cli/exit-codes";
import { findHost, findInstance } from "@/cli/find";
import { readCount, readOnOff } from "@/cli/options";
import { csvText } from "@/cli/output/csv";
import type { Column } from "@/cli/output/printer";
import { confirm, openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

const columns: readonly Column<TicketRow>[] = [
  { name: "ticket", value: (row) => row.ref, whole: true },
  { name: "state", value: (row) => row.stateWords, tone: (row) => row.tone, whole: true },
  { name: "category", value: (row) => row.categoryWords },
  { name: "host", value: (row) => row.host },
  { name: "instance", value: (row) => row.instance },
  { name: "action", value: (row) => row.actionWords },
  { name: "opened", value: (row) => row.openedAt },
  { name: "updated", value: (row) => row.updatedAt },
  { name: "closed", value: (row) => row.closedAt },
  { name: "summary", value: (row) => row.summary, long: true },
  { name: "outcome", value: (row) => row.outcomeWords, extra: true },
  { name: "host id", value: (row) => row.hostId, extra: true },
  { name: "serial", value: (row) => row.serial, extra: true },
  { name: "rack", value: (row) => row.rack, extra: true },
  { name: "site", value: (row) => row.site, extra: true },
  { name: "tenant", value: (row) => row.tenant, extra: true },
  { name: "org", value: (row) => row.tenantOrg, extra: true },
  { name: "handed over", value: (row) => row.handedOverAt, extra: true },
  { name: "external", value: (row) => row.externalRef, extra: true },
];

const updateColumns: readonly Column<TicketUpdateLine>[] = [
  { name: "at", value: (row) => row.at },
  { name: "by", value: (row) => row.by },
  { name: "for", value: (row) => (row.audience === "shared" ? "tenant and provider" : "internal") },
  { name: "changed", value: (row) => row.changes.join(", ") },
  { name: "note", value: (row) => row.note, long: true },
];

const ticketText = "its reference, such as BF-7K3Q9DX2M1, or its id";

interface ListOptions {
  readonly status: "open" | "closed" | "all";
  readonly category?: TicketCategory;
  readonly host?: string;
  readonly limit?: number;
  readonly csv?: boolean;
}

const maxPerPage = 200;

function addList(tickets: Command, surroundings: Surroundings): void {
  tickets
    .command("list")
    .alias("ls")
    .description(contract.tickets.list.title)
    .argument("[text]", "part of a reference, a summary or a host's name", "")
    .addOption(new Option("--status <which>", "which").choices(["open", "closed", "all"]).default("open"))
    .addOption(new Option("--category <name>", "the affected part").choices(ticketCategories))
    .option("--host <host>", "of this host; for provider users")
    .option("--limit <count>", "maximum number", readCount)
    .option("--csv", "as CSV, with all columns")
    .action(async (filter: string, options: ListOptions, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const { status, category, limit = Number.POSITIVE_INFINITY } = options;
      const host = options.host === undefined ? null : await findHost(client, options.host);
      const rows: TicketRow[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof client.tickets.list.query>> = await client.tickets.list.query({
          filter,
          status,
          cursor,
          limit: Math.min(maxPerPage, limit - rows.length),
          ...(category === undefined ? {} : { category }),
          ...(host === null ? {} : { hostId: host.id }),
        });
        rows.push(...page.rows);
        cursor = page.nextCursor;
      } while (cursor !== null && rows.length < limit);
      if (options.csv === true) return printer.text(csvText(rows, columns));
      printer.list(rows, columns, "No tickets.");
    });
}

function addShow(tickets: Command, surroundings: Surroundings): void {
  tickets
    .command("show")
    .description(contract.tickets.get.title)
    .argument("<ticket>", ticketText)
    .action(async (ticket: string, _options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const found = await client.tickets.get.query({ ticket });
      printer.show(found, [
        {
          title: found.ref,
          facts: [
            ["state", { text: found.stateWords, tone: found.tone }],
            ["outcome", found.outcomeWords],
            ["summary", found.summary],
            ["details", found.details || null],
            ["category", found.categoryWords],
            ["action", found.actionWords],
            ["host", found.host ?? found.hostId],
            ["serial", found.serial],
            ["rack", found.rack],
            ["site", found.site],
            ["tenant", found.tenant],
            ["instance", found.instance],
            ["handed over", printer.timeAndAge(found.handedOverAt) || null],
            ["replacement wanted", found.replacementWanted ? "yes" : null],
            ["replaced by", found.replacementHostId],
            ["external reference", found.externalRef],
            ["opened", `${printer.timeAndAge(found.openedAt)} by ${found.openedBy}`],
            ["closed", printer.timeAndAge(found.closedAt) || null],
            ["parts", found.parts.map(partText).join("; ") || null],
          ],
        },
        { title: "Updates", table: printer.table(found.updates, updateColumns) },
      ]);
    });
}

const partText = ({ kind, serial, firmware, slot }: TicketPart): string =>
  [kind, serial, firmware === "" ? "" : `firmware ${firmware}`, slot === "" ? "" : `slot ${slot}`]
    .filter((text) => text !== "")
    .join(" ");

/** `gpu:SERIAL`, `gpu:SERIAL:FIRMWARE` or `gpu:SERIAL:FIRMWARE:SLOT`. */
function readPart(text: string, before: readonly TicketPart[] = []): readonly TicketPart[] {
  const [kind, serial, firmware = "", slot = ""] = text.split(":");
  const part = ticketPart.safeParse({ kind, serial, firmware, slot });
  if (!part.success)
    throw new CommandError(
      "usage",
      `${text} is not a part: write kind:serial:firmware:slot, such as gpu:1654922006536:96.00.9F.`,
    );
  return [...before, part.data];
}

interface OpenOptions {
  readonly host?: string;
  readonly instance?: string;
  readonly summary: string;
  readonly details?: string;
  readonly category?: TicketCategory;
  readonly part?: readonly TicketPart[];
  readonly external?: string;
  readonly replacement?: boolean;
  readonly internal?: boolean;
}

function addOpen(tickets: Command, surroundings: Surroundings): void {
  tickets
    .command("open")
    .description(contract.tickets.open.title)
    .option("--host <host>", "the machine; for provider users")
    .option("--instance <instance>", "or the one that this instance is on")
    .requiredOption("--summary <text>", "what is wrong")
    .option("--details <text>", "more details")
    .addOption(new Option("--category <name>", "the affected part").choices(ticketCategories))
    .option("--part <kind:serial:firmware:slot>", "an affected part; repeatable", readPart)
    .option("--external <reference>", "its reference in another system of the provider")
    .option("--replacement", "request a replacement")
    .option("--internal", "the tenant that has the machine does not read it")
    .action(async (options: OpenOptions, command: Command) => {
      const { host, instance, summary, details, category, part, external } = options;
      if ((host === undefined) === (instance === undefined))
        throw new CommandError("usage", "Name either --host or --instance.");
      const { client, printer } = await openShell(command, surroundings);
      const machine =
        host === undefined
          ? { instanceId: (await findInstance(client, instance ?? "")).id }
          : { hostId: (await findHost(client, host)).id };
      const made = await client.tickets.open.mutate({
        ...machine,
        summary,
        replacementWanted: options.replacement === true,
        internal: options.internal === true,
        ...(details === undefined ? {} : { details }),
        ...(category === undefined ? {} : { category }),
        ...(part === undefined ? {} : { parts: [...part] }),
        ...(external === undefined ? {} : { externalRef: external }),
      });
      printer.secret(made, made.ref, "The ticket is open:");
    });
}

interface UpdateOptions {
  readonly note?: string;
  readonly for?: TicketAudience;
  readonly state?: Exclude<TicketState, "closed">;
  readonly category?: TicketCategory;
  readonly action?: TicketAction;
  readonly part?: readonly TicketPart[];
  readonly external?: string;
  readonly replacement?: boolean;
}

function addUpdate(tickets: Command, surroundings: Surroundings): void {
  tickets
    .command("update")
    .description(contract.tickets.update.title)
    .argument("<ticket>", ticketText)
    .option("--note <text>", "note")
    .addOption(
      new Option("--for <audience>", "provider only: who sees the note; default: internal").choices(
        ticketAudiences,
      ),
    )
    .addOption(
      new Option("--state <state>", "how far it is").choices(
        ticketStates.filter((state) => state !== "closed"),
      ),
    )
    .addOption(new Option("--category <name>", "the affected part").choices(ticketCategories))
    .addOption(new Option("--action <name>", "what was done").choices(ticketActions))
    .option("--part <kind:serial:firmware:slot>", "all affected parts; repeatable", readPart)
    .option("--external <reference>", "its reference in another system of the provider")
    .option("--replacement <on|off>", "whether a replacement is wanted", readOnOff)
    .action(async (ticket: string, options: UpdateOptions, command: Command) => {
      const { note, for: audience, state, category, action, part, external, replacement } = options;
      const { client, printer } = await openShell(command, surroundings);
      const { ref } = await client.tickets.update.mutate({
        ticket,
        ...(note === undefined ? {} : { note }),
        ...(audience === undefined ? {} : { audience }),
        ...(state === undefined ? {} : { state }),
        ...(category === undefined ? {} : { category }),
        ...(action === undefined ? {} : { action }),
        ...(part === undefined ? {} : { parts: [...part] }),
        ...(external === undefined ? {} : { externalRef: external }),
        ...(replacement === undefined ? {} : { replacementWanted: replacement }),
      });
      printer.say(`${ref}: noted.`);
    });
}

interface CloseOptions {
  readonly outcome: TicketOutcome;
  readonly note?: string;
  readonly action?: TicketAction;
  readonly replacement?: string;
}

function addClose(tickets: Command, surroundings: Surroundings): void {
  tickets
    .command("close")
    .description(contract.tickets.close.title)
    .argument("<ticket>", ticketText)
    .addOption(new Option("--outcome <name>", "how it ended").choices(ticketOutcomes).makeOptionMandatory())
    .option("--note <text>", "note; shown to its tenant")
    .addOption(new Option("--action <name>", "what was done").choices(ticketActions))
    .option("--replacement <host>", "with the outcome replaced: the replacement machine")
    .action(
      async (ticket: string, { outcome, note, action, replacement }: CloseOptions, command: Command) => {
        const shell = await openShell(command, surroundings);
        const { client, printer } = shell;
        const host = replacement === undefined ? null : await findHost(client, replacement);
        await confirm(shell, ["A closed ticket cannot be reopened."], `Close ${ticket}?`);
        const { ref } = await client.tickets.close.mutate({
          ticket,
          outcome,
          ...(note === undefined ? {} : { note }),
          ...(action === undefined ? {} : { action }),
          ...(host === null ? {} : { replacementHostId: host.id }),
        });
        printer.say(`${ref} is closed.`);
      },
    );
}

export function addTickets(program: Command, surroundings: Surroundings): void {
  const tickets = program
    .command("tickets")
    .description("what is wrong with machines, and what was done about it: list, show, open, update, close");
  addList(tickets, surroundings);
  addShow(tickets, surroundings);
  addOpen(tickets, surroundings);
  addUpdate(tickets, surroundings);
  addClose(tickets, surroundings);
}
