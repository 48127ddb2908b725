// `reclaim failures`: failed hosts in groups: list, show, note.
import { contract } from "@/server/contract/contract";
import type { FailureGroup, FailureGroups } from "@/server/surfaces/trpc/types";
import { command, list } from "@/cli/define/command";
import { arg, opt, parsed } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import { pick } from "@/cli/find";
import { readMoment } from "@/cli/options";
import { formatCounted } from "@/server/domain/numbers";
import type { Column, Part, Printer } from "@/cli/output/printer";

/** Digits of a group's digest that are shown: enough to be unique, and short enough to copy. */
const shownDigits = 8;

const names = (of: readonly { readonly count: number }[], name: (index: number) => string): string =>
  of.map(({ count }, index) => (of.length === 1 ? name(index) : `${name(index)} (${count})`)).join(", ");

const columns: readonly Column<FailureGroup>[] = [
  { name: "group", value: (row) => row.digest.slice(0, shownDigits), whole: true },
  { name: "hosts", value: (row) => row.count, whole: true },
  {
    name: "cause",
    value: (row) => names(row.causes, (index) => row.causes[index]?.cause ?? ""),
    tone: (row) => (row.snoozed ? "neutral" : "failed"),
  },
  { name: "last", value: (row) => row.lastAt, text: (row, printer) => printer.age(row.lastAt) },
  { name: "owner", value: (row) => row.ownerName },
  {
    name: "snoozed",
    value: (row) => (row.snoozed ? row.snoozedUntil : null),
    text: (row, printer) => (row.snoozed ? printer.time(row.snoozedUntil) : ""),
  },
  { name: "device model", value: (row) => row.model },
  { name: "message", value: (row) => row.message, text: (row) => row.brief, long: true },
  { name: "digest", value: (row) => row.digest, extra: true },
];

const hostColumns: readonly Column<FailureGroup["newest"][number]>[] = [
  { name: "host", value: (row) => row.name, whole: true },
  { name: "failed", value: (row) => row.at },
  { name: "message", value: (row) => row.message, text: (row) => row.brief, long: true },
];

function partsOf(group: FailureGroup, printer: Printer): readonly Part[] {
  return [
    {
      facts: [
        ["group", group.digest],
        ["hosts", String(group.count)],
        ["message", group.message],
        ["check next", group.checkNext],
        ["device model", group.model],
        ["causes", names(group.causes, (index) => group.causes[index]?.cause ?? "")],
        ["models", names(group.models, (index) => group.models[index]?.model ?? "")],
        ["SKUs", names(group.skus, (index) => group.skus[index]?.sku ?? "")],
        ["sites", group.sites.join(", ")],
        ["first", printer.timeAndAge(group.firstAt)],
        ["last", printer.timeAndAge(group.lastAt)],
        ["owner", group.ownerName],
        ["note", group.note],
        ["snoozed until", group.snoozed ? printer.time(group.snoozedUntil) : null],
        ["all hosts", `reclaim hosts list ${group.filter}`],
      ],
    },
    { title: "Failed last", table: printer.table(group.newest, hostColumns) },
  ];
}

/** Finds a group by its digest or a prefix of it. */
function theGroup(text: string, { groups }: FailureGroups): FailureGroup {
  const found = pick(
    "group of failures",
    text,
    groups.map((group) => ({ id: group.digest, name: group.digest, group })),
  );
  return found.group;
}

/** Without an option the current snooze is kept, unless it has expired. */
function snoozeOf(
  given: { until: Date | null } | undefined,
  { snoozed, snoozedUntil }: FailureGroup,
): Date | null {
  if (given !== undefined) return given.until;
  return snoozed ? snoozedUntil : null;
}

/** Null: no owner. */
const ownerOf = (text: string, people: FailureGroups["people"]): string | null =>
  text === "none" ? null : pick("person who can own failures", text, people).id;

const group = arg("<group>", "group id from `failures list`");

export const failures = [
  list("failures list", { of: "failures.groups", rows: "groups", columns, none: "No host has failed." }),
  command("failures show", {
    title: "one group: its causes, models and hosts",
    uses: ["failures.groups"],
    shape: contract.failures.groups.output.unwrap().shape.groups.unwrap().element,
    args: { group },
    run: async ({ client, printer }, { group: text }) => {
      const found = theGroup(text, await client.failures.groups.query());
      printer.show(found, partsOf(found, printer));
    },
  }),
  command("failures note", {
    title: `${contract.failures.note.title}; options not given stay unchanged`,
    uses: ["failures.note"],
    args: { group },
    options: {
      text: opt("<note>", "the note; an empty text removes it"),
      owner: opt("<person|none>", "its owner"),
      snooze: parsed("<until|none>", "list it last until then, such as 2026-11-30", (text) => ({
        until: text === "none" ? null : readMoment(text),
      })),
    },
    run: async ({ client, printer }, { group: of, text, owner, snooze }) => {
      if (text === undefined && owner === undefined && snooze === undefined)
        throw new CommandError("usage", "Give --text, --owner or --snooze.");
      const page = await client.failures.groups.query();
      const found = theGroup(of, page);
      await client.failures.note.mutate({
        digest: found.digest,
        note: text ?? found.note,
        ownerId: owner === undefined ? found.ownerId : ownerOf(owner, page.people),
        snoozedUntil: snoozeOf(snooze, found),
      });
      printer.say(`Noted for ${formatCounted(found.count, "host")}.`);
    },
  }),
];
