// `reclaim drives`: every drive that a host ever listed or that was erased: list, models, show.
import type { DriveDetail, DriveErase, DriveMatch, DriveRow, DriveStay } from "@/server/surfaces/trpc/types";
import { driveModels } from "@/cli/commands/hosts/drives/models";
import { list, show } from "@/cli/define/command";
import { arg, opt } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import { durationText } from "@/cli/output/text";
import type { Column, Part, Printer } from "@/cli/output/printer";

const hostText = ({ name, gone, id }: DriveStay["host"]): string => `${name ?? id}${gone ? " (gone)" : ""}`;
const toneOf = ({ verdict }: { readonly verdict: string }) => (verdict === "sanitized" ? "good" : "failed");

const columns: readonly Column<DriveRow>[] = [
  { name: "serial", value: (row) => row.serial, whole: true },
  { name: "model", value: (row) => row.model },
  { name: "firmware", value: (row) => row.firmware },
  {
    name: "host",
    value: (row) => (row.stay === null ? null : hostText(row.stay.host)),
    text: ({ stay }) =>
      stay === null ? "" : `${stay.until === null ? "" : "last in "}${hostText(stay.host)}`,
  },
  { name: "slot", value: (row) => row.stay?.slot ?? null },
  {
    name: "result",
    value: (row) => row.erase?.verdict ?? null,
    tone: ({ erase }) => (erase === null ? null : toneOf(erase)),
    whole: true,
  },
  { name: "level", value: (row) => row.erase?.level ?? null },
  { name: "technique", value: (row) => row.erase?.technique ?? null },
  { name: "erased", value: (row) => row.erase?.at ?? null },
  { name: "disposition", value: (row) => row.disposition },
  { name: "until", value: (row) => row.stay?.until ?? null, extra: true },
  { name: "hosts", value: (row) => row.hosts, extra: true },
  { name: "media", value: (row) => row.media, extra: true },
  { name: "bytes", value: (row) => row.capacityBytes, extra: true },
  { name: "id", value: (row) => row.id, extra: true },
];

const stayColumns: readonly Column<DriveStay>[] = [
  { name: "host", value: (row) => hostText(row.host), whole: true },
  { name: "slot", value: (row) => row.slot },
  { name: "from", value: (row) => row.from },
  {
    name: "until",
    value: (row) => row.until,
    text: ({ until, readAt, lackedAt }, printer) =>
      until !== null
        ? printer.time(until)
        : [
            "now",
            readAt === null ? "" : `, as read ${printer.time(readAt)}`,
            lackedAt === null ? "" : `; missing from the inventory of ${printer.time(lackedAt)}`,
          ].join(""),
  },
];

const eraseColumns: readonly Column<DriveErase>[] = [
  { name: "at", value: (row) => row.at },
  { name: "result", value: (row) => row.verdict, tone: toneOf, whole: true },
  { name: "level", value: (row) => row.level },
  { name: "table", value: (row) => row.techniqueTable },
  { name: "technique", value: (row) => row.technique },
  { name: "host", value: (row) => hostText(row.host) },
  { name: "reclamation", value: (row) => row.reclamation.number },
  { name: "attempt", value: (row) => row.attempt },
  { name: "read back", value: (row) => row.verification },
  { name: "reason", value: (row) => row.reason, long: true },
];

interface TryRow {
  readonly reclamation: string;
  readonly technique: string;
  readonly result: string;
  readonly took: string;
  readonly command: string;
  readonly output: string;
}

const tryColumns: readonly Column<TryRow>[] = [
  { name: "reclamation", value: (row) => row.reclamation },
  { name: "technique", value: (row) => row.technique, whole: true },
  { name: "result", value: (row) => row.result },
  { name: "took", value: (row) => row.took },
  { name: "command", value: (row) => row.command },
  { name: "output", value: (row) => row.output, long: true },
];

const unreadable = {
  technique: "",
  result: "report unreadable by this version",
  took: "",
  command: "",
  output: "",
};

const tryRows = ({ reclamation, readable, passedOver, tries }: DriveErase): readonly TryRow[] => [
  ...(readable ? [] : [{ reclamation: reclamation.number, ...unreadable }]),
  ...passedOver.map(({ technique, why }) => ({
    reclamation: reclamation.number,
    technique,
    result: "not offered",
    took: "",
    command: "",
    output: why,
  })),
  ...tries.map((tried) => ({
    reclamation: reclamation.number,
    technique: tried.technique,
    result: tried.refused ?? "completed",
    took: durationText(tried.tookMs),
    command: tried.command,
    output: tried.status,
  })),
];

const failureColumns: readonly Column<DriveDetail["failures"][number]>[] = [
  { name: "at", value: (row) => row.at },
  { name: "host", value: (row) => hostText(row.host) },
  { name: "state", value: (row) => row.state },
  { name: "what", value: (row) => row.words, long: true },
];

const dispositionColumns: readonly Column<DriveDetail["dispositions"][number]>[] = [
  { name: "at", value: (row) => row.at },
  { name: "host", value: (row) => hostText(row.host) },
  { name: "stated", value: (row) => row.words },
  { name: "by", value: (row) => row.by },
  { name: "withdrawn", value: (row) => row.withdrawn?.at ?? null },
  { name: "reason", value: (row) => row.reason, long: true },
];

function parts(drive: DriveDetail, printer: Printer): readonly Part[] {
  const tries = drive.erases.flatMap(tryRows);
  const table = <Row>(title: string, rows: readonly Row[], of: readonly Column<Row>[]): readonly Part[] =>
    rows.length === 0 ? [] : [{ title, table: printer.table(rows, of) }];
  return [
    {
      facts: [
        ["serial", drive.serial],
        ["model", drive.model],
        ["id", drive.id],
        ["maker", drive.manufacturer],
        ["firmware", drive.firmware],
        ["medium", [drive.media, drive.transport].filter((part) => part !== null).join(", ")],
        ["bytes", drive.capacityBytes],
        ["wwn", drive.wwn],
        ["first seen", printer.timeAndAge(drive.firstSeenAt)],
        ["same serial", drive.twins.map(({ model, id }) => `${model} (${id})`).join(", ")],
        [
          "owed",
          drive.debts.length === 0
            ? null
            : {
                text: `by chassis ${drive.debts.map(({ chassisSerial }) => chassisSerial).join(", ")}`,
                tone: "attention",
              },
        ],
      ],
    },
    ...table(drive.moreStays ? `Hosts, the newest ${drive.stays.length}` : "Hosts", drive.stays, stayColumns),
    ...table(
      drive.erases.length < drive.erasesTotal
        ? `Erases, the newest ${drive.erases.length} of ${drive.erasesTotal}`
        : "Erases",
      drive.erases,
      eraseColumns,
    ),
    ...table("Tries", tries, tryColumns),
    ...table(
      drive.moreFailures ? `Failures, the newest ${drive.failures.length}` : "Failures",
      drive.failures,
      failureColumns,
    ),
    ...table("Dispositions", drive.dispositions, dispositionColumns),
  ];
}

/** Several drives may share a serial number; the model distinguishes them. */
function theOne(text: string, found: readonly DriveMatch[], model: string | undefined): DriveMatch {
  const [first, ...others] = found;
  if (first === undefined)
    throw new CommandError(
      "notFound",
      `There is no drive ${text}${model === undefined ? "" : ` of model ${model}`}.`,
      "`reclaim drives list` finds drives by part of their serial number, model or firmware.",
    );
  if (others.length > 0)
    throw new CommandError(
      "usage",
      `${text} is the serial number of ${others.length + 1} drives: ${[first, ...others].map((drive) => drive.model).join(", ")}.`,
      "Name one with --model, or by its id.",
    );
  return first;
}

export const drives = [
  list("drives list", {
    of: "drives.list",
    args: { text: arg("[text...]", "parts of a serial number, model or firmware; default: all") },
    input: ({ text }) => ({ text: text.join(" ") }),
    rows: "rows",
    columns,
    perPage: 200,
    limit: 100,
    csv: true,
    none: "No drives.",
    then: ({ rows, first: { total } }) =>
      total !== null && total > rows.length
        ? [`Only the first ${rows.length} of ${total} are shown; --limit shows more.`]
        : [],
  }),
  ...driveModels,
  show("drives show", {
    of: "drives.get",
    args: { text: arg("<drive>", "serial number or id") },
    options: { model: opt("<model>", "if several drives have this serial number") },
    input: async ({ text, model }, { client }) => ({
      id: theOne(text, await client.drives.find.query({ text, model }), model).id,
    }),
    parts,
  }),
];
