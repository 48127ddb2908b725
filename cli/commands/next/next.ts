// `reclaim next`: what needs a person, in the order in which it should be done, and who does it.
import { contract } from "@/server/contract/contract";
import { list as listOf, record } from "@/server/contract/define";
import type { NextEvent, NextLine } from "@/server/surfaces/trpc/types";
import { act, command, derived } from "@/cli/define/command";
import { arg, found, flag, moment, needed, opt, reason } from "@/cli/define/values";
import { pick } from "@/cli/find";
import { formatCounted } from "@/server/domain/numbers";
import type { Column, Part, Printer } from "@/cli/output/printer";
import type { Shell } from "@/cli/shell";

/** Digits of a key that are shown: enough to be unique, and short enough to copy. */
const shownDigits = 8;

const columns: readonly Column<NextLine>[] = [
  { name: "group", value: (row) => row.key.slice(0, shownDigits), whole: true },
  { name: "what", value: (row) => row.title, tone: (row) => row.tone },
  { name: "effect", value: (row) => row.effect },
  {
    name: "age",
    value: (row) => row.since,
    text: (row, printer) => (row.due === null ? printer.age(row.since) : `due ${printer.time(row.due)}`),
  },
  { name: "owner", value: (row) => row.ownerName },
  { name: "why", value: (row) => row.why, long: true },
  { name: "kind", value: (row) => row.kind, extra: true },
  { name: "next", value: (row) => row.next, extra: true },
  { name: "command", value: (row) => row.act.command, extra: true },
  { name: "hosts", value: (row) => row.hosts, extra: true },
  { name: "tenants", value: (row) => row.tenants, extra: true },
  { name: "due", value: (row) => row.due, extra: true },
  { name: "note", value: (row) => row.note, extra: true },
  { name: "snoozed until", value: (row) => (row.snoozed ? row.snoozedUntil : null), extra: true },
  { name: "snoozed because", value: (row) => (row.snoozed ? row.snoozeReason : null), extra: true },
  { name: "key", value: (row) => row.key, extra: true },
];

async function findGroup({ client }: Shell, text: string): Promise<NextLine> {
  const { groups, snoozed } = await client.next.list.query({});
  const lines = [...groups, ...snoozed].map((line) => ({ id: line.key, name: line.key, line }));
  return pick("group", text, lines).line;
}

const group = found(arg("<group>", "its id in `next`"), findGroup);

/** The id of the person that the text names; of the caller, if none is named. */
async function ownerOf(
  { client }: Shell,
  text: string,
): Promise<{ readonly id: string; readonly name: string }> {
  const { people } = await client.next.list.query({});
  return pick("person who can have a group", text, people);
}

const line = contract.next.list.output.unwrap().shape.groups.unwrap().element;

const eventColumns: readonly Column<NextEvent>[] = [
  { name: "when", value: (row) => row.at },
  { name: "who", value: (row) => row.by },
  { name: "what", value: (row) => row.words, long: true },
];

const partsOf = (of: NextLine, history: readonly NextEvent[], printer: Printer): readonly Part[] => [
  {
    facts: [
      ["group", of.key],
      ["what", { text: of.title, tone: of.tone }],
      ["why", of.why],
      ["next", of.next],
      ["effect", of.effect],
      ["since", printer.timeAndAge(of.since)],
      ["due", of.due === null ? null : printer.timeAndAge(of.due)],
      ["owner", of.ownerName],
      ["note", of.note],
      ["snoozed until", of.snoozed ? printer.time(of.snoozedUntil) : null],
      ["snoozed because", of.snoozed ? of.snoozeReason : null],
      ["hosts", of.hosts === 0 ? null : String(of.hosts)],
      ["go on with", `reclaim ${of.act.command}`],
    ],
  },
  ...(history.length === 0 ? [] : [{ title: "History", table: printer.table(history, eventColumns) }]),
];

export const next = [
  derived("next", {
    of: "next.list",
    shape: listOf(line),
    options: {
      site: opt("<site>", "only what concerns this site"),
      snoozed: flag("those that are snoozed instead"),
    },
    input: ({ site }) => (site === undefined ? {} : { site }),
    rows: ({ groups, snoozed }, { snoozed: asked }) => (asked === true ? snoozed : groups),
    columns,
    csv: true,
    none: ({ given }) => (given.snoozed === true ? "Nothing is snoozed." : "Nothing needs a person."),
    then: ({ first, given }) =>
      given.snoozed === true || first.snoozed.length === 0
        ? []
        : [`${formatCounted(first.snoozed.length, "more")} snoozed: \`reclaim next --snoozed\`.`],
    examples: ["next", "next --site a -o json", "next --columns what,next,command"],
  }),
  command("next show", {
    title: "one line: why, what to do, who has it, and what was done with it",
    uses: ["next.list", "next.history"],
    shape: record({ group: line, history: contract.next.history.output }),
    args: { group },
    run: async ({ client, printer }, { group: found }) => {
      const history = await client.next.history.query({ key: found.key });
      printer.show({ group: found, history }, partsOf(found, history, printer));
    },
  }),
  act("next take", {
    of: "next.assign",
    title: "takes a group: it is yours",
    args: { group },
    input: async ({ group: { key, ownerId: from } }, { client }) => ({
      key,
      ownerId: (await client.session.me.query()).personId,
      from,
    }),
    said: ({ group: { title } }) => `You have it: ${title}.`,
  }),
  act("next hand-over", {
    of: "next.assign",
    title: "gives a group to another person",
    args: { group, person: found(arg("<person>", "name, or the start of it"), ownerOf) },
    options: { note: opt("<text>", "what they should know; replaces the note") },
    input: ({ group: { key, ownerId: from }, person, note }) => ({
      key,
      from,
      ownerId: person.id,
      ...(note === undefined ? {} : { note }),
    }),
    said: ({ group: { title } }, { owner }) => `${owner ?? "Nobody"} has it: ${title}.`,
  }),
  act("next put-back", {
    of: "next.assign",
    title: "puts a group back: nobody has it",
    args: { group },
    input: ({ group: { key, ownerId: from } }) => ({ key, ownerId: null, from }),
    said: ({ group: { title } }) => `Nobody has it: ${title}.`,
  }),
  act("next note", {
    of: "next.note",
    args: { group },
    options: { text: needed(opt("<note>", "the note; an empty text removes it")) },
    input: ({ group: { key }, text }) => ({ key, note: text }),
    said: ({ group: { title } }) => `Noted: ${title}.`,
  }),
  act("next snooze", {
    of: "next.snooze",
    args: { group },
    options: { until: needed(moment("when it comes back, such as 2026-12-01T08:00")), reason },
    input: ({ group: { key }, until, reason: why }) => ({ key, until, reason: why }),
    said: ({ group: { title } }) => `Snoozed: ${title}.`,
  }),
  act("next wake", {
    of: "next.wake",
    args: { group },
    input: ({ group: { key } }) => ({ key }),
    said: ({ group: { title } }) => `Back on the list: ${title}.`,
  }),
];
