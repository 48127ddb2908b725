// `reclaim fleet`: the numbers of the fleet page.
import { contract } from "@/server/contract/contract";
import { formatLeftOut } from "@/server/domain/assurance/left-out";
import { leftOutMeaning } from "@/server/domain/assurance/standing";
import type { FleetSummary, Me } from "@/server/surfaces/trpc/types";
import { command } from "@/cli/define/command";
import { durationText } from "@/cli/output/text";
import { formatCounted } from "@/server/domain/numbers";
import type { Column, Part, Printer } from "@/cli/output/printer";

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
    : `median ${durationText(p50Ms)}, 95 % within ${durationText(p95Ms)}, ${formatCounted(returns, "host")} in 24 h`;

const leftOutFacts = ({ places, total }: Me["leftOut"]) => [
  ...places.map((place) => ["where", formatLeftOut(place)] as const),
  ...(total > places.length ? [["and", formatCounted(total - places.length, "more place")] as const] : []),
  ["means", leftOutMeaning] as const,
];

function partsOf(fleet: FleetSummary, leftOut: Me["leftOut"], printer: Printer): readonly Part[] {
  return [
    ...(leftOut.places.length === 0 ? [] : [{ title: "Cleaning is left out", facts: leftOutFacts(leftOut) }]),
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
        ["overdue in repair", String(fleet.leasesOverdue.count)],
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

export const fleet = command("fleet", {
  title: contract.fleet.summary.title,
  uses: ["fleet.summary"],
  shape: contract.fleet.summary.output,
  run: async ({ client, printer }) => {
    const [summary, me] = await Promise.all([client.fleet.summary.query(), client.session.me.query()]);
    printer.show(summary, partsOf(summary, me.leftOut, printer));
  },
});
