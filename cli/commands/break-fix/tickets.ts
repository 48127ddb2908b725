// `reclaim tickets`: what is wrong with machines, what was done about it, and how it ended (docs/repair.md#tickets).
import { ticketActions, ticketCategories } from "@/server/domain/break-fix/categories";
import { ticketAudiences, ticketOutcomes, ticketPart, ticketStates } from "@/server/domain/break-fix/ticket";
import type { TicketPart } from "@/server/domain/break-fix/ticket";
import type { TicketRow, TicketUpdateLine } from "@/server/surfaces/trpc/types";
import { act, list, show } from "@/cli/define/command";
import { arg, choice, flag, hostOption, needed, opt, parsed, usually } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import { findInstance } from "@/cli/find";
import { readOnOff } from "@/cli/options";
import type { Column } from "@/cli/output/printer";

const columns: readonly Column<TicketRow>[] = [
  { name: "ticket", value: (row) => row.ref, whole: true },
  { name: "state", value: (row) => row.stateWords, tone: (row) => row.tone, whole: true },
  { name: "category", value: (row) => row.categoryWords },
  { name: "host", value: (row) => row.host },
  { name: "instance", value: (row) => row.instance },
  { name: "action", value: (row) => row.actionWords },
  { name: "opened", value: (row) => row.openedAt },
  { name: "updated", value: (row) => row.updatedAt },
  { name: "closed", value: (row) => row.closedAt },
  { name: "summary", value: (row) => row.summary, long: true },
  { name: "outcome", value: (row) => row.outcomeWords, extra: true },
  { name: "host id", value: (row) => row.hostId, extra: true },
  { name: "serial", value: (row) => row.serial, extra: true },
  { name: "rack", value: (row) => row.rack, extra: true },
  { name: "site", value: (row) => row.site, extra: true },
  { name: "tenant", value: (row) => row.tenant, extra: true },
  { name: "org", value: (row) => row.tenantOrg, extra: true },
  { name: "handed over", value: (row) => row.handedOverAt, extra: true },
  { name: "external", value: (row) => row.externalRef, extra: true },
];

const updateColumns: readonly Column<TicketUpdateLine>[] = [
  { name: "at", value: (row) => row.at },
  { name: "by", value: (row) => row.by },
  { name: "for", value: (row) => (row.audience === "shared" ? "tenant and provider" : "internal") },
  { name: "changed", value: (row) => row.changes.join(", ") },
  { name: "note", value: (row) => row.note, long: true },
];

const partText = ({ kind, serial, firmware, slot }: TicketPart): string =>
  [kind, serial, firmware === "" ? "" : `firmware ${firmware}`, slot === "" ? "" : `slot ${slot}`]
    .filter((text) => text !== "")
    .join(" ");

/** `gpu:SERIAL`, `gpu:SERIAL:FIRMWARE` or `gpu:SERIAL:FIRMWARE:SLOT`. */
function readPart(text: string, before: TicketPart[] = []): TicketPart[] {
  const [kind, serial, firmware = "", slot = ""] = text.split(":");
  const part = ticketPart.safeParse({ kind, serial, firmware, slot });
  if (!part.success)
    throw new CommandError(
      "usage",
      `${text} is not a part: write kind:serial:firmware:slot, such as gpu:1654922006536:96.00.9F.`,
    );
  return [...before, part.data];
}

const ticket = arg("<ticket>", "reference, such as BF-7K3Q9DX2M1, or id");
const category = choice("<name>", "the affected part", ticketCategories);
const action = choice("<name>", "what was done", ticketActions);
const part = parsed("<kind:serial:firmware:slot>", "an affected part; repeatable", readPart);
const external = opt("<reference>", "reference of the ticket in another system of the provider");

export const tickets = [
  list("tickets list", {
    of: "tickets.list",
    args: { filter: usually(arg("[text]", "part of a reference, a summary or a host's name"), "") },
    options: {
      status: usually(choice("<which>", "which", ["open", "closed", "all"]), "open"),
      category,
      host: hostOption("tickets of this host; for provider users"),
    },
    input: ({ host, ...given }) => ({ ...given, hostId: host?.id }),
    rows: "rows",
    columns,
    perPage: 200,
    limit: null,
    csv: true,
    none: "No tickets.",
    examples: ["tickets list --category gpu", "tickets list --status all --csv > tickets.csv"],
  }),
  show("tickets show", {
    of: "tickets.get",
    args: { ticket },
    parts: (found, printer) => [
      {
        title: found.ref,
        facts: [
          ["state", { text: found.stateWords, tone: found.tone }],
          ["outcome", found.outcomeWords],
          ["summary", found.summary],
          ["details", found.details || null],
          ["category", found.categoryWords],
          ["action", found.actionWords],
          ["host", found.host ?? found.hostId],
          ["serial", found.serial],
          ["rack", found.rack],
          ["site", found.site],
          ["tenant", found.tenant],
          ["instance", found.instance],
          ["handed over", printer.timeAndAge(found.handedOverAt) || null],
          ["replacement wanted", found.replacementWanted ? "yes" : null],
          ["replaced by", found.replacementHostId],
          ["external reference", found.externalRef],
          ["opened", `${printer.timeAndAge(found.openedAt)} by ${found.openedBy}`],
          ["closed", printer.timeAndAge(found.closedAt) || null],
          ["parts", found.parts.map(partText).join("; ") || null],
        ],
      },
      { title: "Updates", table: printer.table(found.updates, updateColumns) },
    ],
  }),
  act("tickets open", {
    of: "tickets.open",
    options: {
      host: hostOption("the machine; for provider users"),
      instance: opt("<instance>", "the machine that this instance runs on"),
      summary: needed(opt("<text>", "what is wrong")),
      details: opt("<text>", "more details"),
      category,
      part,
      external,
      replacement: flag("request a replacement"),
      internal: flag("hide it from the tenant that has the machine"),
    },
    input: async (
      { host, instance, part: parts, external: externalRef, replacement, ...given },
      { client },
    ) => {
      if ((host === undefined) === (instance === undefined))
        throw new CommandError("usage", "Name either --host or --instance.");
      const machine =
        host === undefined
          ? { instanceId: (await findInstance(client, instance ?? "")).id }
          : { hostId: host.id };
      return {
        ...given,
        ...machine,
        parts,
        externalRef,
        replacementWanted: replacement === true,
        internal: given.internal === true,
      };
    },
    secret: ({ ref }) => [ref, "The ticket is open:"],
    examples: ["tickets open --host gpu-a-0417 --category gpu --summary 'GPU 3 fell off the bus'"],
  }),
  act("tickets update", {
    of: "tickets.update",
    args: { ticket },
    options: {
      note: opt("<text>", "note"),
      for: choice("<audience>", "provider only: who sees the note; default: internal", ticketAudiences),
      state: choice(
        "<state>",
        "how far it is",
        ticketStates.filter((state) => state !== "closed"),
      ),
      category,
      action,
      part: { ...part, text: "all affected parts; repeatable" },
      external,
      replacement: parsed("<on|off>", "whether a replacement is wanted", readOnOff),
    },
    input: ({
      for: audience,
      part: parts,
      external: externalRef,
      replacement: replacementWanted,
      ...given
    }) => ({
      ...given,
      audience,
      parts,
      externalRef,
      replacementWanted,
    }),
    said: (_, { ref }) => `${ref} is updated.`,
  }),
  act("tickets close", {
    of: "tickets.close",
    args: { ticket },
    options: {
      outcome: needed(choice("<name>", "how it ended", ticketOutcomes)),
      note: opt("<text>", "note; shown to its tenant"),
      action,
      replacement: hostOption("the replacement machine, with the outcome replaced"),
    },
    input: ({ replacement, ...given }) => ({ ...given, replacementHostId: replacement?.id }),
    asks: ({ ticket: name }) => [["A closed ticket cannot be reopened."], `Close ${name}?`],
    said: (_, { ref }) => `${ref} is closed.`,
  }),
];
