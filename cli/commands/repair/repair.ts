// `reclaim repair`: the repair queue, hosts being repaired and outcomes; claiming a host by name, and noting an outcome (docs/repair.md).
import { Argument } from "commander";
import type { Command } from "commander";
import { contract } from "@/server/contract/contract";
import { notedOutcomes } from "@/server/domain/repair/repairs";
import { claimNotes } from "@/server/domain/repair/claim-text";
import type { HeldRow, OffenderRow, QueueRow, RepairLine } from "@/server/surfaces/trpc/types";
import type { Column } from "@/cli/output/printer";
import { csvText } from "@/cli/output/csv";
import { readPages } from "@/cli/output/pages";
import { openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

const queueColumns: readonly Column<QueueRow>[] = [
  { name: "host", value: (row) => row.host, whole: true },
  { name: "issue", value: (row) => row.issue.summary, long: true },
  { name: "category", value: (row) => row.issue.category },
  { name: "state", value: (row) => row.state, tone: (row) => row.tone },
  { name: "since", value: (row) => row.since },
  { name: "repaired", value: (row) => row.repaired.total },
  { name: "recent", value: (row) => row.repaired.recent, extra: true },
  { name: "site", value: (row) => row.site },
  { name: "rack", value: (row) => row.rack },
  { name: "sku", value: (row) => row.sku, extra: true },
  { name: "claim", value: (row) => claimNotes(row.claim) },
  { name: "expected", value: (row) => row.claim.expectedAt, extra: true },
  { name: "hostId", value: (row) => row.hostId, extra: true },
];

const heldColumns: readonly Column<HeldRow>[] = [
  { name: "host", value: (row) => row.host, whole: true },
  { name: "instance", value: (row) => row.instance, whole: true },
  { name: "issue", value: (row) => row.issue?.summary ?? null, long: true },
  { name: "outcome", value: (row) => row.repairStatus },
  { name: "note", value: (row) => row.note, long: true },
  { name: "ticket", value: (row) => row.ticket },
  { name: "since", value: (row) => row.claimedAt },
  { name: "status", value: (row) => row.status },
  { name: "tenant", value: (row) => row.tenant },
  { name: "site", value: (row) => row.site },
  { name: "rack", value: (row) => row.rack, extra: true },
  { name: "hostId", value: (row) => row.hostId, extra: true },
  { name: "instanceId", value: (row) => row.instanceId, extra: true },
];

const lineColumns: readonly Column<RepairLine>[] = [
  { name: "host", value: (row) => row.host, whole: true },
  {
    name: "outcome",
    value: (row) => (row.leaseEnd === "broken" ? row.leaseEnd : (row.outcome ?? row.leaseEnd)),
  },
  { name: "issue", value: (row) => row.issue?.summary ?? null, long: true },
  { name: "note", value: (row) => row.note, long: true },
  { name: "ticket", value: (row) => row.ticket },
  { name: "claimed", value: (row) => row.claimedAt },
  { name: "released", value: (row) => row.releasedAt },
  { name: "new issue", value: (row) => row.newIssue, long: true },
  { name: "tenant", value: (row) => row.tenant },
  { name: "system", value: (row) => row.system },
  { name: "hostId", value: (row) => row.hostId, extra: true },
  { name: "id", value: (row) => row.id, extra: true },
];

const offenderColumns: readonly Column<OffenderRow>[] = [
  { name: "host", value: (row) => row.host, whole: true },
  { name: "repairs", value: (row) => row.repairs.length },
  { name: "last issue", value: (row) => row.repairs[0]?.issue?.summary ?? null, long: true },
  { name: "last outcome", value: (row) => row.repairs[0]?.outcome ?? null },
  { name: "state", value: (row) => row.state, tone: (row) => row.tone },
  { name: "site", value: (row) => row.site },
  { name: "rack", value: (row) => row.rack },
  { name: "sku", value: (row) => row.sku, extra: true },
  { name: "hostId", value: (row) => row.hostId, extra: true },
];

const hostText = "its name or id";
const day = 86_400_000;

interface ListOptions {
  readonly csv?: boolean;
}

/** Prints all rows, as a list or as CSV. */
function show<Row>(
  { printer }: Awaited<ReturnType<typeof openShell>>,
  { csv }: ListOptions,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  none: string,
): void {
  if (csv === true) printer.text(csvText(rows, columns));
  else printer.list(rows, columns, none);
}

const csvOption = ["--csv", "as CSV, with all columns"] as const;

function addHosts(repair: Command, surroundings: Surroundings): void {
  repair
    .command("queue")
    .description(contract.repair.queue.title)
    .option(...csvOption)
    .action(async (options: ListOptions, command: Command) => {
      const shell = await openShell(command, surroundings);
      const rows = await readPages((cursor) => shell.client.repair.queue.query({ cursor, limit: 500 }));
      show(shell, options, rows, queueColumns, "No hosts need repair.");
    });
  repair
    .command("held")
    .description(contract.repair.held.title)
    .option(...csvOption)
    .action(async (options: ListOptions, command: Command) => {
      const shell = await openShell(command, surroundings);
      const rows = await shell.client.repair.held.query();
      show(shell, options, rows, heldColumns, "Nobody holds a host for repair.");
    });
  repair
    .command("offenders")
    .description(contract.repair.offenders.title)
    .option(...csvOption)
    .action(async (options: ListOptions, command: Command) => {
      const shell = await openShell(command, surroundings);
      const { rows, repairs, days } = await shell.client.repair.offenders.query();
      show(shell, options, rows, offenderColumns, `No host was repaired ${repairs} times in ${days} days.`);
    });
}

function addOutcomes(repair: Command, surroundings: Surroundings): void {
  repair
    .command("outcomes")
    .description(contract.repair.outcomes.title)
    .option(...csvOption)
    .action(async (options: ListOptions, command: Command) => {
      const shell = await openShell(command, surroundings);
      const { client, printer } = shell;
      const first = await client.repair.outcomes.query({ limit: 500 });
      const rest = await readPages((cursor) =>
        cursor === null
          ? Promise.resolve({ rows: [], nextCursor: first.nextCursor })
          : client.repair.outcomes.query({ cursor, limit: 500 }),
      );
      const none = `No repair ended in the last ${first.days} days.`;
      show(shell, options, [...first.rows, ...rest], lineColumns, none);
      const median =
        first.medianHeldMs === null
          ? ""
          : ` Median time held: ${(first.medianHeldMs / day).toFixed(1)} days.`;
      printer.say(
        `${first.completed} completed, ${first.failed} failed, ${first.none} without an outcome, ${first.unrecorded} not recorded.${median}`,
      );
    });
}

function addShow(repair: Command, surroundings: Surroundings): void {
  repair
    .command("show")
    .description(contract.repair.host.title)
    .argument("<host>", hostText)
    .action(async (host: string, _options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const found = await client.repair.host.query({ host });
      const { asks, reclamation } = found;
      printer.show(found, [
        {
          title: found.host,
          facts: [
            ["state", { text: found.state, tone: found.tone }],
            ["category", asks?.issue.category ?? null],
            ["issue", asks?.issue.summary ?? null],
            ["details", asks?.issue.details ?? null],
            ["asked since", asks?.since.toISOString() ?? null],
            ["claim", found.claimWords],
            ["last reclamation", reclamation?.number ?? null],
            [
              "labels",
              Object.entries(found.labels ?? {})
                .map((pair) => pair.join("="))
                .join(", ") || null,
            ],
          ],
        },
        { title: "Earlier repairs", table: printer.table(found.earlier, lineColumns) },
        ...(reclamation === null
          ? []
          : [
              {
                title: "Gates",
                table: printer.table(reclamation.gates, [
                  { name: "gate", value: (row) => row.gate, whole: true },
                  { name: "status", value: (row) => row.status },
                  { name: "reason", value: (row) => row.reason, long: true },
                ]),
              },
            ]),
      ]);
    });
}

interface NoteOptions {
  readonly ticket?: string;
  readonly summary?: string;
}

function addActs(repair: Command, surroundings: Surroundings): void {
  repair
    .command("claim")
    .description("claims a host that needs repair, by name; `reclaim release --repair-tenant` releases it")
    .argument("<host>", hostText)
    .option("--name <name>", "of the new instance; otherwise repair- and the name of the host")
    .action(async (host: string, { name }: { readonly name?: string }, command: Command) => {
      const { client, printer, settings } = await openShell(command, surroundings);
      const found = await client.repair.host.query({ host });
      const instance = name ?? `repair-${found.host}`;
      const made = await client.instances.create.mutate({
        name: instance,
        wanted: { hostId: found.hostId, allowUnhealthy: true },
      });
      if (settings.output === "table") printer.say(`${found.host}: claimed as ${instance}, id ${made.id}.`);
      else printer.show({ instance, ...made }, []);
    });
  repair
    .command("outcome")
    .description(`${contract.repair.setOutcome.title}; an empty text removes it`)
    .argument("<host>", hostText)
    .addArgument(new Argument("<outcome>", "the outcome").choices([...notedOutcomes]))
    .option("--ticket <text>", "of your own system")
    .option("--summary <text>", "what was done")
    .action(
      async (
        host: string,
        outcome: (typeof notedOutcomes)[number],
        { ticket, summary }: NoteOptions,
        command: Command,
      ) => {
        const { client, printer } = await openShell(command, surroundings);
        const found = await client.repair.host.query({ host });
        const { changed } = await client.repair.setOutcome.mutate({
          hostId: found.hostId,
          outcome,
          ...(ticket === undefined ? {} : { ticket }),
          ...(summary === undefined ? {} : { summary }),
        });
        printer.say(`${found.host}: ${changed ? `repair_status is ${outcome}` : "already set"}`);
      },
    );
}

/** For operators, and for tenants that repair. */
export function addRepair(program: Command, surroundings: Surroundings): void {
  const repair = program
    .command("repair")
    .description("repairs: queue, held, outcomes, offenders, show, claim, outcome");
  addHosts(repair, surroundings);
  addOutcomes(repair, surroundings);
  addShow(repair, surroundings);
  addActs(repair, surroundings);
}
