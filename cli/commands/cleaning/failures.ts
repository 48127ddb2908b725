// `reclaim failures`: failed hosts in groups: list, show, note.
import type { Command } from "commander";
import { contract } from "@/server/contract/contract";
import type { FailureGroup, FailureGroups } from "@/server/surfaces/trpc/types";
import { CommandError } from "@/cli/exit-codes";
import { pick } from "@/cli/find";
import { readMoment } from "@/cli/options";
import { counted } from "@/cli/output/text";
import type { Column, Part, Printer } from "@/cli/output/printer";
import { openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

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

interface NoteAsked {
  readonly text?: string;
  readonly owner?: string;
  readonly snooze?: Date | "none";
}

const readSnooze = (text: string): Date | "none" => (text === "none" ? text : readMoment(text));

/** Without an option the current snooze is kept, unless it has expired. */
function snoozeOf(asked: NoteAsked["snooze"], { snoozed, snoozedUntil }: FailureGroup): Date | null {
  if (asked === undefined) return snoozed ? snoozedUntil : null;
  return asked === "none" ? null : asked;
}

/** Null: no owner. */
const ownerOf = (text: string, people: FailureGroups["people"]): string | null =>
  text === "none" ? null : pick("person who can own failures", text, people).id;

function addNote(failures: Command, surroundings: Surroundings): void {
  failures
    .command("note")
    .description(`${contract.failures.note.title}; options not given stay unchanged`)
    .argument("<group>", "as the list has it")
    .option("--text <note>", "the note; an empty text removes it")
    .option("--owner <person|none>", "its owner")
    .option("--snooze <until|none>", "sorted last until then, such as 2026-11-30", readSnooze)
    .action(async (text: string, asked: NoteAsked, command: Command) => {
      if (Object.keys(asked).length === 0)
        throw new CommandError("usage", "Give --text, --owner or --snooze.");
      const { client, printer } = await openShell(command, surroundings);
      const page = await client.failures.groups.query();
      const group = theGroup(text, page);
      await client.failures.note.mutate({
        digest: group.digest,
        note: asked.text ?? group.note,
        ownerId: asked.owner === undefined ? group.ownerId : ownerOf(asked.owner, page.people),
        snoozedUntil: snoozeOf(asked.snooze, group),
      });
      printer.say(`Noted for ${counted(group.count, "host")}.`);
    });
}

/** `reclaim failures` with its commands. */
export function addFailures(program: Command, surroundings: Surroundings): void {
  const failures = program.command("failures").description("failed hosts in groups: list, show, note");
  failures
    .command("list")
    .alias("ls")
    .description(contract.failures.groups.title)
    .action(async (_options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      printer.list((await client.failures.groups.query()).groups, columns, "No host has failed.");
    });
  failures
    .command("show")
    .description("one group: its causes, models and hosts")
    .argument("<group>", "as the list has it")
    .action(async (text: string, _options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const group = theGroup(text, await client.failures.groups.query());
      printer.show(group, partsOf(group, printer));
    });
  addNote(failures, surroundings);
}
