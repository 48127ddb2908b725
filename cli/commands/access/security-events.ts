// `reclaim security events`: list, show, acknowledge.
import { Option } from "commander";
import type { Command } from "commander";
import { security, type SecurityEventLine } from "@/server/contract/access/security-events";
import {
  securityEventNames,
  severityText,
  type SecurityEventKind,
  type Severity,
} from "@/server/domain/access/security-events/kinds";
import type { Tone } from "@/server/domain/lifecycle/state-rows/state-row";
import type { Client } from "@/cli/client";
import { CommandError } from "@/cli/exit-codes";
import { readCount, readSince } from "@/cli/options";
import type { Column } from "@/cli/output/printer";
import { openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

const maxPerPage = 500;
const usualCount = 50;

const tones = { high: "failed", medium: "attention", low: "neutral" } as const satisfies Record<
  Severity,
  Tone
>;
const toneOf = ({ severity, acknowledged }: SecurityEventLine): Tone =>
  acknowledged === null ? tones[severity] : "neutral";

const addressOf = ({ address, others }: SecurityEventLine): string =>
  others === "addresses" ? `${address} and others` : address;
const hostOf = ({ hostName, hostId, others }: SecurityEventLine): string | null =>
  others === "hosts" ? "further hosts" : (hostName ?? hostId);

const columns: readonly Column<SecurityEventLine>[] = [
  { name: "last", value: (row) => row.lastAt },
  { name: "event", value: (row) => row.title, tone: toneOf, whole: true },
  { name: "severity", value: (row) => severityText[row.severity] },
  { name: "host", value: hostOf },
  { name: "address", value: addressOf, whole: true },
  { name: "count", value: (row) => row.count },
  { name: "acknowledged", value: (row) => row.acknowledged?.by ?? null },
  { name: "tried", value: (row) => row.tried.join("; "), long: true },
  { name: "id", value: (row) => row.id, whole: true },
  { name: "kind", value: (row) => row.kind, extra: true },
  { name: "site", value: (row) => row.site, extra: true },
  { name: "first", value: (row) => row.firstAt, extra: true },
  { name: "paths", value: (row) => row.paths.join("; "), extra: true },
  { name: "note", value: (row) => row.acknowledged?.note ?? null, extra: true },
];

interface ListOptions {
  readonly kind?: SecurityEventKind;
  readonly host?: string;
  readonly address?: string;
  readonly all?: true;
  readonly since?: Date;
  readonly until?: Date;
  readonly limit: number;
}

async function readEvents(client: Client, { limit, all, ...query }: ListOptions) {
  const rows: SecurityEventLine[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof client.security.list.query>> = await client.security.list.query({
      ...query,
      open: all !== true,
      cursor,
      limit: Math.min(maxPerPage, limit - rows.length),
    });
    rows.push(...page.rows);
    cursor = page.nextCursor;
  } while (cursor !== null && rows.length < limit);
  return { rows, more: cursor !== null };
}

function addList(events: Command, surroundings: Surroundings): void {
  events
    .command("list")
    .alias("ls")
    .description(security.list.title)
    .addOption(new Option("--kind <kind>", "only this kind").choices([...securityEventNames]))
    .option("--host <host>", "about this host: name or id")
    .option("--address <address>", "from this address")
    .option("--all", "also those that somebody has acknowledged")
    .option("--since <time>", "seen since then: 2h, 7d or 2026-11-22T08:00", readSince)
    .option("--until <time>", "before then", readSince)
    .option("--limit <count>", "maximum number", readCount, usualCount)
    .action(async (options: ListOptions, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const { rows, more } = await readEvents(client, options);
      const none = options.all === true ? "No security events." : "No open security events.";
      printer.list(rows, columns, none);
      if (more) printer.say(`The newest ${rows.length}; --limit gives more.`);
      const open = rows.filter(({ acknowledged }) => acknowledged === null).length;
      if (open > 0) printer.say("`reclaim security events show <id>` says what to do about one.");
    });
}

function addShow(events: Command, surroundings: Surroundings): void {
  events
    .command("show")
    .description(security.get.title)
    .argument("<id>", "as `reclaim security events list` has it")
    .action(async (id: string, _options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const event = await client.security.get.query({ id });
      const { acknowledged } = event;
      printer.show(event, [
        {
          facts: [
            ["event", { text: event.title, tone: toneOf(event) }],
            ["severity", severityText[event.severity]],
            ["what happened", event.sentence],
            ["what to do", event.whatToDo],
            ["host", hostOf(event)],
            ["site", event.site],
            ["address", addressOf(event)],
            ["tried", event.tried.join("\n")],
            ["on", event.paths.join("\n")],
            ["count", String(event.count)],
            ["first", printer.timeAndAge(event.firstAt)],
            ["last", printer.timeAndAge(event.lastAt)],
            [
              "acknowledged",
              acknowledged === null
                ? "by nobody"
                : `${printer.time(acknowledged.at)} by ${acknowledged.by}: ${acknowledged.note ?? ""}`,
            ],
            ["id", event.id],
          ],
        },
      ]);
    });
}

function addAcknowledge(events: Command, surroundings: Surroundings): void {
  events
    .command("acknowledge")
    .description(security.acknowledge.title)
    .argument("[id...]", "as `reclaim security events list` has them")
    .option("--kind <kind>", "instead: all open ones of this kind")
    .option("--host <host>", "instead: all open ones about this host")
    .requiredOption("--note <words>", "what was found out; kept in the audit log")
    .action(
      async (
        ids: string[],
        { note, ...options }: { note: string; kind?: string; host?: string },
        command: Command,
      ) => {
        const named = options.kind !== undefined || options.host !== undefined;
        if (ids.length > 0 === named)
          throw new CommandError("usage", "Name events, or all of a --kind or a --host.");
        const { client, printer } = await openShell(command, surroundings);
        const kind = securityEventNames.find((name) => name === options.kind);
        if (options.kind !== undefined && kind === undefined)
          throw new CommandError("usage", `There is no kind ${options.kind}.`);
        const asked = named
          ? (
              await readEvents(client, {
                limit: maxPerPage,
                ...(kind === undefined ? {} : { kind }),
                ...(options.host === undefined ? {} : { host: options.host }),
              })
            ).rows.map(({ id }) => id)
          : ids;
        if (asked.length === 0) throw new CommandError("notFound", "No such event is open.");
        const value = await client.security.acknowledge.mutate({ ids: asked, note });
        printer.show(value, [{ facts: [["acknowledged", String(value.acknowledged)]] }]);
      },
    );
}

/** `reclaim security` with its commands. */
export function addSecurity(program: Command, surroundings: Surroundings): void {
  const events = program
    .command("security")
    .description("security: events")
    .command("events")
    .description("security events: list, show, acknowledge");
  addList(events, surroundings);
  addShow(events, surroundings);
  addAcknowledge(events, surroundings);
}
