// `reclaim audit list` and `show`. The commands that verify the log are in cli/commands/audit-log.
import { audit as contract, auditOutcomes } from "@/server/contract/audit-log/audit-log";
import type { AuditList } from "@/server/contract/audit-log/audit-log";
import type { AuditLine } from "@/server/surfaces/trpc/types";
import { follow } from "@/cli/commands/audit-log/follow";
import { proofs } from "@/cli/commands/audit-log/proofs";
import { selfAudits } from "@/cli/commands/audit-log/self-audits";
import { status } from "@/cli/commands/audit-log/status";
import { wholeLog } from "@/cli/commands/audit-log/verify";
import type { Client } from "@/cli/client";
import { command } from "@/cli/define/command";
import { arg, choice, count, hostOption, opt, since, usually } from "@/cli/define/values";
import type { Given } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import type { Column, Printer } from "@/cli/output/printer";

const maxPerPage = 500;
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

const options = {
  host: hostOption("what was done to a host"),
  target: opt("<id>", "what was done to anything else: its id"),
  site: opt("<site>", "what was done to a site, its hosts and the instances on them"),
  by: opt("<name>", "what a person did: full name, or id"),
  action: opt("<action>", "such as host.retry, or host. for all that start with it"),
  outcome: choice("<outcome>", "done or refused", auditOutcomes),
  text: opt("<text>", "part of any text of the event, including its facts"),
  since: since("events since then: 2h, 7d or 2026-11-22T08:00"),
  until: since("before then"),
  limit: usually(count, 50),
};

/** @param toTheEnd continue when the server stops a search: a script would not read the message that rows are missing */
async function readEvents(
  client: Client,
  { limit, host, target, by, ...query }: Given<typeof options>,
  toTheEnd: boolean,
): Promise<{
  readonly rows: readonly AuditLine[];
  readonly more: boolean;
  readonly searched: AuditList["searched"];
}> {
  const targetId = host?.id ?? target;
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

export const audit = [
  command("audit list", {
    title: contract.list.title,
    uses: ["audit.list"],
    shape: contract.list.output.unwrap().shape.rows,
    alias: "ls",
    options,
    examples: ["audit list --host gpu-a-0417 --since 7d", "audit list --action host. --outcome refused"],
    run: async ({ client, printer, settings }, asked) => {
      if (asked.host !== undefined && asked.target !== undefined)
        throw new CommandError("usage", "Name either --host or --target.");
      const toTheEnd = settings.output !== "table";
      const { rows, more, searched } = await readEvents(client, asked, toTheEnd);
      printer.list(rows, columns, "No events.");
      if (searched !== null && !toTheEnd)
        printer.say(
          `Searched ${counts.format(searched.events)} events, back to ${printer.time(searched.to)}. --until ${searched.to.toISOString()} continues from there.`,
        );
      else if (more) printer.say(`Only the newest ${rows.length} are shown; --limit shows more.`);
    },
  }),
  command("audit show", {
    title: "one event with its facts before and after",
    uses: ["audit.list"],
    shape: contract.list.output.unwrap().shape.rows.unwrap().element,
    args: { id: arg("<id>", "event id from `audit list --columns id`") },
    run: async ({ client, printer }, { id }) => {
      const [event] = (await client.audit.list.query({ id, limit: 1 })).rows;
      if (event === undefined) throw new CommandError("notFound", `There is no event ${id}.`);
      show(event, printer);
    },
  }),
  status,
  follow,
  ...wholeLog,
  ...proofs,
  ...selfAudits,
];
