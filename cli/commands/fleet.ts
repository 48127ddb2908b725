// `reclaim fleet`: the numbers of the fleet page.
import type { Command } from "commander";
import { contract } from "@/server/contract/contract";
import { valueOr } from "@/server/domain/older-server";
import type { FleetSummary } from "@/server/surfaces/trpc/types";
import { counted, durationText } from "@/cli/output/text";
import type { Column, Part, Printer } from "@/cli/output/printer";
import { openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

const siteColumns: readonly Column<FleetSummary["sites"][number]>[] = [
  { name: "site", value: (row) => row.name, whole: true },
  { name: "hosts", value: (row) => row.hosts },
  { name: "ready", value: (row) => row.counts.ready },
  { name: "in use", value: (row) => row.counts.inUse },
  { name: "working", value: (row) => row.counts.working },
  { name: "waiting", value: (row) => row.counts.waiting },
  {
    name: "failed",
    value: (row) => row.counts.failed,
    tone: (row) => (row.counts.failed > 0 ? "failed" : null),
  },
  { name: "over limit", value: (row) => row.counts.overLimit },
  { name: "provider", value: (row) => row.counts.provider },
];

const causeColumns: readonly Column<FleetSummary["causes"][number]>[] = [
  { name: "hosts", value: (row) => row.count, whole: true },
  { name: "cause", value: (row) => row.label, whole: true },
  { name: "filter", value: (row) => row.filter },
  { name: "means", value: (row) => row.words, long: true },
];

const waitingColumns: readonly Column<FleetSummary["waitingLongest"][number]>[] = [
  { name: "host", value: (row) => row.name, whole: true },
  { name: "state", value: (row) => row.state, tone: (row) => row.tone, whole: true },
  { name: "since", value: (row) => row.since, text: (row, printer) => printer.age(row.since) },
  { name: "says", value: (row) => row.says, long: true },
];

const formatTime = ({ p50Ms, p95Ms, returns }: FleetSummary["timeToReady"]): string | null =>
  p50Ms === null || p95Ms === null
    ? null
    : `median ${durationText(p50Ms)}, 95 % within ${durationText(p95Ms)}, ${counted(returns, "host")} in 24 h`;

function partsOf(fleet: FleetSummary, printer: Printer): readonly Part[] {
  return [
    {
      facts: [
        ["hosts", String(fleet.hosts)],
        ["ready", `${fleet.ready.count}, ${fleet.ready.allocatable} allocatable`],
        ["coming back", String(fleet.comingBack.count)],
        [
          "need attention",
          {
            text: `${fleet.needPerson.count}: ${fleet.needPerson.failed} failed, ${fleet.needPerson.overLimit} over their limit`,
            tone: fleet.needPerson.count > 0 ? "attention" : null,
          },
        ],
        ["overdue", String(fleet.overdue.count)],
        ["overdue in repair", String(valueOr(fleet.leasesOverdue, { count: 0, filter: "" }).count)],
        ["time to ready", formatTime(fleet.timeToReady)],
      ],
    },
    { title: "Sites", table: printer.table(fleet.sites, siteColumns) },
    ...(fleet.causes.length === 0
      ? []
      : [{ title: "What holds them up", table: printer.table(fleet.causes, causeColumns) }]),
    ...(fleet.waitingLongest.length === 0
      ? []
      : [{ title: "Waiting longest", table: printer.table(fleet.waitingLongest, waitingColumns) }]),
  ];
}

export function addFleet(program: Command, surroundings: Surroundings): void {
  program
    .command("fleet")
    .description(contract.fleet.summary.title)
    .action(async (_options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const fleet = await client.fleet.summary.query();
      printer.show(fleet, partsOf(fleet, printer));
    });
}
