// `reclaim procedures`: manual procedures, where they are due, and their records (docs/assurance/README.md#procedures).
import { z } from "zod";
import { contract } from "@/server/contract/contract";
import { list as listOf, record } from "@/server/contract/define";
import { typedProcedure } from "@/server/domain/assurance/procedures/procedure";
import { formatWhen, procedureChanges } from "@/server/domain/assurance/procedures/text";
import type {
  DueLine,
  ProcedureVersion,
  RecordLine,
  SiteProcedures,
  StandingLine,
} from "@/server/surfaces/trpc/types";
import { act, command, derived, list, show } from "@/cli/define/command";
import { arg, flag, found, moment, needed, opt, parsed, reason, usually } from "@/cli/define/values";
import { readDocument } from "@/cli/documents";
import { CommandError } from "@/cli/exit-codes";
import { findHost } from "@/cli/find";
import { readCount } from "@/cli/options";
import type { Column } from "@/cli/output/printer";
import type { Shell } from "@/cli/shell";

type VersionRow = ProcedureVersion & { readonly changes: string };

/** The columns of `reclaim procedures history`. */
const versionColumns: readonly Column<VersionRow>[] = [
  { name: "version", value: (row) => row.procedure?.version ?? "taken out" },
  { name: "policy", value: (row) => row.policyVersion },
  { name: "since", value: (row) => row.at },
  { name: "by", value: (row) => row.byName },
  { name: "changes", value: (row) => row.changes, long: true },
];

/** Adds each version's difference from the previous one; the oldest has none to compare with. */
const withChanges = (versions: readonly ProcedureVersion[]): readonly VersionRow[] =>
  versions.map((each, index) => {
    const before = versions[index + 1]?.procedure ?? null;
    const changed = procedureChanges(before, each.procedure).map(({ what }) => what);
    return { ...each, changes: before === null || each.procedure === null ? "" : changed.join("; ") };
  });

type ProcedureRow = SiteProcedures["procedures"][number] & {
  readonly site: string;
  readonly required: boolean;
};

const columns: readonly Column<ProcedureRow>[] = [
  { name: "site", value: (row) => row.site },
  { name: "procedure", value: (row) => row.name, whole: true },
  { name: "version", value: (row) => row.version },
  { name: "due", value: (row) => formatWhen(row.when) || "never" },
  { name: "reusable days", value: (row) => row.reusableDays },
  { name: "evidence", value: (row) => row.evidence.join(", ") },
  { name: "gate required", value: (row) => row.required },
  { name: "title", value: (row) => row.title, long: true },
];

const dueColumns: readonly Column<DueLine>[] = [
  { name: "host", value: (row) => row.host.name },
  { name: "procedure", value: (row) => row.procedure.name, whole: true },
  { name: "version", value: (row) => row.procedure.version },
  { name: "says", value: (row) => row.words },
  { name: "since", value: (row) => row.since },
  { name: "over limit", value: (row) => row.overLimit },
  { name: "why", value: (row) => row.reason },
  { name: "place", value: (row) => row.place },
  { name: "serial", value: (row) => row.serial, extra: true },
  { name: "site", value: (row) => row.site, extra: true },
  { name: "state", value: (row) => row.state, extra: true },
  { name: "host id", value: (row) => row.host.id, extra: true },
];

const standingColumns: readonly Column<StandingLine>[] = [
  { name: "procedure", value: (row) => row.procedure.name, whole: true },
  { name: "version", value: (row) => row.procedure.version },
  { name: "says", value: (row) => row.words },
  { name: "why", value: (row) => row.reason },
];

const recordColumns: readonly Column<RecordLine>[] = [
  { name: "record", value: (row) => row.id, whole: true },
  { name: "procedure", value: (row) => row.procedure },
  { name: "recorded", value: (row) => row.recordedAt },
  { name: "by", value: (row) => row.operator },
  { name: "decision", value: (row) => row.decision ?? (row.voided === null ? "waits" : "void") },
  { name: "decided by", value: (row) => row.decidedBy },
];

async function findSite({ client }: Shell, name: string): Promise<SiteProcedures> {
  const site = (await client.procedures.list.query()).find((each) => each.site === name);
  if (site === undefined) throw new CommandError("notFound", `There is no site ${name}.`);
  return site;
}

const factsOf = (found: RecordLine): readonly (readonly [string, string | null])[] => [
  ["host", `${found.host.name}, serial ${found.serial}`],
  ["why", found.reason],
  ["recorded by", found.operator],
  ["done", `${found.doneFrom.toISOString()} to ${found.doneUntil.toISOString()}`],
  ["place", found.place || null],
  ...found.answers.map(({ text, value }) => [text, value === true ? "yes" : String(value)] as const),
  ["ticket", found.ticket],
  ["comment", found.comment || null],
  ...found.files.map(({ name, shows, sha256 }) => [`${shows} ${name}`, sha256] as const),
  ["evidence", found.evidence],
  ["approval", found.approvalId],
  ["decision", found.decision],
  ["decided by", found.decidedBy],
  ["reason", found.decidedReason || null],
  ["void", found.voided],
];

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A repair tenant cannot list hosts, so it names one by id, or by name among those it is repairing. */
async function hostIdOf({ client }: Pick<Shell, "client">, text: string): Promise<string> {
  if (guid.test(text)) return text;
  const { tenant } = await client.session.me.query();
  return tenant === null
    ? (await findHost(client, text)).id
    : (await client.repair.host.query({ host: text })).hostId;
}

const procedureFile = typedProcedure.omit({ version: true }).extend({ version: z.int().optional() });

/** `gpu-a-0702=3CJ9PV3`: a host, and the serial number read at the machine. */
async function readMachine(shell: Shell, text: string): Promise<{ hostId: string; serial: string }> {
  const [, name, serial] = /^(.+)=([^=]+)$/.exec(text) ?? [];
  if (name === undefined || serial === undefined)
    throw new CommandError(
      "usage",
      `${text}: write host=serial, with the serial number read at the machine.`,
    );
  return { hostId: await hostIdOf(shell, name), serial };
}

async function versionThere({ client }: Shell, hostId: string, name: string): Promise<number> {
  const { standings, others } = await client.procedures.ofHost.query({ hostId });
  const known = [...standings.map(({ procedure }) => procedure), ...others].find(
    (each) => each.name === name,
  );
  if (known === undefined) throw new CommandError("notFound", `The host's policy has no procedure ${name}.`);
  return known.version;
}

const site = needed(found(opt("<site>", "name of the site"), findSite));
const procedure = arg("<procedure>", "its name");
const collected = (shown: string, text: string) =>
  usually(
    parsed(shown, text, (value, before: readonly string[] = []): readonly string[] => [...before, value]),
    [],
  );

export const procedures = [
  derived("procedures list", {
    of: "procedures.list",
    rows: (sites) =>
      sites.flatMap(({ site: name, required, procedures: its }) =>
        its.map((each) => ({ ...each, site: name, required })),
      ),
    shape: listOf(
      record({
        ...contract.procedures.list.output.unwrap().element.unwrap().shape.procedures.unwrap().element.shape,
        site: z.string(),
        required: z.boolean(),
      }),
    ),
    columns,
    none: "No site has procedures.",
  }),
  derived("procedures history", {
    of: "procedures.history",
    args: { name: procedure },
    options: { site },
    input: ({ name, site: { siteId } }) => ({ siteId, name }),
    rows: withChanges,
    shape: listOf(
      record({ ...contract.procedures.history.output.unwrap().element.unwrap().shape, changes: z.string() }),
    ),
    columns: versionColumns,
    none: "No versions.",
  }),
  list("procedures due", {
    of: "procedures.due",
    options: { overLimit: flag("only hosts that have waited for more than 24 hours") },
    rows: "items",
    columns: dueColumns,
    perPage: 200,
    none: "No hosts are waiting for a procedure.",
  }),
  show("procedures of-host", {
    of: "procedures.ofHost",
    args: { host: arg("<host>", "name, id, or the start of either") },
    input: async ({ host }, shell) => ({ hostId: await hostIdOf(shell, host) }),
    parts: (told, printer) => [
      { title: told.host.name, facts: [["cannot be recorded now", told.refusal]] },
      { title: "Procedures", table: printer.table(told.standings, standingColumns) },
      { title: "Records", table: printer.table(told.records, recordColumns) },
    ],
  }),
  command("procedures record", {
    title: contract.procedures.record.title,
    uses: ["procedures.record"],
    args: { procedure },
    options: {
      host: needed(collected("<host=serial>", "host, and the serial number read at the machine; repeatable")),
      from: needed(moment("when it was begun, ISO 8601")),
      until: needed(moment("when it was done, ISO 8601")),
      version: parsed(
        "<number>",
        "version of the procedure; default: the version on the first host",
        readCount,
      ),
      answer: collected("<text>", "answer to a point of the checklist, in its order; yes for a tick"),
      place: opt("<text>", "where"),
      ticket: opt("<text>", "ticket in another system"),
      comment: opt("<text>", "further notes"),
      photo: collected("<sha256>", "a picture uploaded with `reclaim evidence put`; repeatable"),
      log: collected("<sha256>", "a log uploaded the same way; repeatable"),
    },
    run: async (shell, { procedure: name, ...options }) => {
      const hosts = await Promise.all(options.host.map((text) => readMachine(shell, text)));
      const { version, ticket, comment, place } = options;
      const { records } = await shell.client.procedures.record.mutate({
        hosts,
        procedure: name,
        version: version ?? (await versionThere(shell, hosts[0]?.hostId ?? "", name)),
        doneFrom: options.from,
        doneUntil: options.until,
        answers: options.answer.map((text) => (text === "yes" ? true : text)),
        files: [
          ...options.photo.map((sha256) => ({ sha256, shows: "photo" as const })),
          ...options.log.map((sha256) => ({ sha256, shows: "log" as const })),
        ],
        ...(ticket === undefined ? {} : { ticket }),
        ...(comment === undefined ? {} : { comment }),
        ...(place === undefined ? {} : { place }),
      });
      shell.printer.say(`Recorded: ${records.map(({ id }) => id).join(", ")}. Another person signs it off.`);
    },
  }),
  show("procedures show", {
    of: "procedures.get",
    args: { recordId: arg("<record>", "its id") },
    parts: (told) => [{ title: `${told.procedure}, version ${told.version}`, facts: factsOf(told) }],
  }),
  act("procedures save", {
    of: "procedures.save",
    options: {
      file: { ...needed(opt("<file>", "the procedure as YAML or JSON, or - for stdin")), short: "f" },
      site,
      reason,
    },
    input: async ({ file, site: { siteId }, reason: why }, { surroundings }) => {
      const { version: _, ...saved } = await readDocument("procedure", procedureFile, file, surroundings);
      return { siteId, procedure: saved, reason: why };
    },
    said: ({ site: { site: name } }, { policyVersion }) =>
      `The policy of ${name} is at version ${policyVersion}.`,
  }),
  act("procedures remove", {
    of: "procedures.remove",
    args: { name: procedure },
    options: { site, reason },
    input: ({ name, site: { siteId }, reason: why }) => ({ siteId, name, reason: why }),
    said: ({ site: { site: name } }, { policyVersion }) =>
      `The policy of ${name} is at version ${policyVersion}.`,
  }),
];
