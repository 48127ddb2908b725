// `reclaim audit list` and `show`. The commands that verify the log are in cli/commands/audit-log.
import { Option } from "commander";
import type { Command } from "commander";
import { audit, auditOutcomes } from "@/server/contract/audit-log/audit-log";
import type { AuditList } from "@/server/contract/audit-log/audit-log";
import type { AuditLine } from "@/server/surfaces/trpc/types";
import { addFollow } from "@/cli/commands/audit-log/follow";
import { addProofs } from "@/cli/commands/audit-log/proofs";
import { addSelfAudits } from "@/cli/commands/audit-log/self-audits";
import { addStatus } from "@/cli/commands/audit-log/status";
import { addWholeLog } from "@/cli/commands/audit-log/verify";
import type { Client } from "@/cli/client";
import { CommandError } from "@/cli/exit-codes";
import { findHost } from "@/cli/find";
import { readCount, readSince } from "@/cli/options";
import type { Column, Printer } from "@/cli/output/printer";
import { openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

const maxPerPage = 500;
const usualCount = 50;
const counts = new Intl.NumberFormat("en");

const factsOf = (value: unknown): string => (value === null ? "" : JSON.stringify(value));

const columns: readonly Column<AuditLine>[] = [
  { name: "time", value: (row) => row.at },
  { name: "action", value: (row) => row.action, whole: true },
  {
    name: "outcome",
    value: (row) => row.outcome,
    tone: (row) => (row.outcome === "done" ? "good" : "failed"),
    whole: true,
  },
  { name: "by", value: (row) => row.actorName ?? row.actorKind },
  { name: "target", value: (row) => row.targetName ?? row.targetId },
  { name: "facts", value: (row) => factsOf(row.after), long: true },
  { name: "id", value: (row) => row.id, extra: true },
  { name: "seq", value: (row) => row.seq, extra: true },
  { name: "address", value: (row) => row.address, extra: true },
  { name: "requestId", value: (row) => row.requestId, extra: true },
];

interface ListAsked {
  readonly host?: string;
  readonly target?: string;
  readonly by?: string;
  readonly site?: string;
  readonly text?: string;
  readonly action?: string;
  readonly outcome?: (typeof auditOutcomes)[number];
  readonly since?: Date;
  readonly until?: Date;
  readonly limit: number;
}

/** @param toTheEnd continue when the server stops a search: a script would not read the message that rows are missing */
async function readEvents(
  client: Client,
  { limit, host, target, by, ...query }: ListAsked,
  toTheEnd: boolean,
): Promise<{
  readonly rows: readonly AuditLine[];
  readonly more: boolean;
  readonly searched: AuditList["searched"];
}> {
  const targetId = host === undefined ? target : (await findHost(client, host)).id;
  const rows: AuditLine[] = [];
  let cursor: string | null = null;
  let searched: AuditList["searched"] = null;
  do {
    const page: Awaited<ReturnType<typeof client.audit.list.query>> = await client.audit.list.query({
      ...query,
      targetId,
      actor: by,
      cursor,
      limit: Math.min(maxPerPage, limit - rows.length),
    });
    rows.push(...page.rows);
    ({ nextCursor: cursor, searched } = page);
  } while (cursor !== null && (toTheEnd || searched === null) && rows.length < limit);
  return { rows, more: cursor !== null, searched };
}

function show(event: AuditLine, printer: Printer): void {
  printer.show(event, [
    {
      facts: [
        ["time", printer.timeAndAge(event.at)],
        ["action", event.action],
        ["outcome", { text: event.outcome, tone: event.outcome === "done" ? "good" : "failed" }],
        [
          "by",
          `${event.actorName ?? "unknown"} (${event.actorKind}${event.actorId === null ? "" : ` ${event.actorId}`})`,
        ],
        ["address", event.address],
        ["request", event.requestId],
        [
          "target",
          [event.targetKind, event.targetName, event.targetId].filter((part) => part !== null).join(" "),
        ],
        ["before", factsOf(event.before)],
        ["after", factsOf(event.after)],
        ["id", event.id],
        ["number", event.seq === null ? null : String(event.seq)],
      ],
    },
  ]);
}

/** `reclaim audit` with its commands. */
export function addAudit(program: Command, surroundings: Surroundings): void {
  const group = program
    .command("audit")
    .description(
      "the audit log: list, show, follow; status, verify, export, proof, check; keys, rotate-key; checks, faults, self-check, acknowledge",
    );
  group
    .command("list")
    .alias("ls")
    .description(audit.list.title)
    .option("--host <host>", "what was done to a host")
    .option("--target <id>", "or to anything else, by its id")
    .option("--site <site>", "what was done to a site, its hosts and the instances on them")
    .option("--by <name>", "what a person did: full name, or id")
    .option("--action <action>", "such as host.retry; host. for all that begin so")
    .addOption(new Option("--outcome <outcome>", "done or refused").choices([...auditOutcomes]))
    .option("--text <text>", "part of any text of the event, its facts included")
    .option("--since <time>", "events since then: 2h, 7d or 2026-11-22T08:00", readSince)
    .option("--until <time>", "before then", readSince)
    .option("--limit <count>", "maximum number", readCount, usualCount)
    .action(async (asked: ListAsked, command: Command) => {
      if (asked.host !== undefined && asked.target !== undefined)
        throw new CommandError("usage", "Name either --host or --target.");
      const { client, printer, settings } = await openShell(command, surroundings);
      const toTheEnd = settings.output !== "table";
      const { rows, more, searched } = await readEvents(client, asked, toTheEnd);
      printer.list(rows, columns, "No events.");
      if (searched !== null && !toTheEnd)
        printer.say(
          `Searched ${counts.format(searched.events)} events, back to ${printer.time(searched.to)}. --until ${searched.to.toISOString()} goes on from there.`,
        );
      else if (more) printer.say(`The newest ${rows.length}; --limit gives more.`);
    });
  group
    .command("show")
    .description("one event with its facts before and after")
    .argument("<id>", "as `reclaim audit list --columns id` has it")
    .action(async (id: string, _options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const [event] = (await client.audit.list.query({ id, limit: 1 })).rows;
      if (event === undefined) throw new CommandError("notFound", `There is no event ${id}.`);
      show(event, printer);
    });
  addStatus(group, surroundings);
  addFollow(group, surroundings);
  addWholeLog(group, surroundings);
  addProofs(group, surroundings);
  addSelfAudits(group, surroundings);
}
