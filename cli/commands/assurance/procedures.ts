// `reclaim procedures`: manual procedures, where they are due, and their records (docs/assurance/README.md#procedures).
import { z } from "zod";
import type { Command } from "commander";
import { contract } from "@/server/contract/contract";
import { typedProcedure } from "@/server/domain/assurance/procedures/procedure";
import { formatWhen } from "@/server/domain/assurance/procedures/text";
import type { DueLine, RecordLine, SiteProcedures, StandingLine } from "@/server/surfaces/trpc/types";
import { versionColumns, withChanges } from "@/cli/commands/assurance/procedure-versions";
import { readDocument } from "@/cli/documents";
import { CommandError } from "@/cli/exit-codes";
import { findHost } from "@/cli/find";
import { readCount, readMoment } from "@/cli/options";
import { readPages } from "@/cli/output/pages";
import type { Column } from "@/cli/output/printer";
import { openShell } from "@/cli/shell";
import type { Shell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

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

const allProcedures = async ({ client }: Shell): Promise<readonly ProcedureRow[]> =>
  (await client.procedures.list.query()).flatMap(({ site, required, procedures }) =>
    procedures.map((each) => ({ ...each, site, required })),
  );

async function findSite({ client }: Shell, name: string): Promise<SiteProcedures> {
  const site = (await client.procedures.list.query()).find((each) => each.site === name);
  if (site === undefined) throw new CommandError("notFound", `There is no site ${name}.`);
  return site;
}

function addReads(group: Command, surroundings: Surroundings): void {
  group
    .command("list")
    .alias("ls")
    .description(contract.procedures.list.title)
    .action(async (_options: object, command: Command) => {
      const shell = await openShell(command, surroundings);
      shell.printer.list(await allProcedures(shell), columns, "No site has procedures.");
    });
  group
    .command("history")
    .description(contract.procedures.history.title)
    .argument("<procedure>", "its name")
    .requiredOption("--site <site>", "name of the site")
    .action(async (name: string, { site }: { readonly site: string }, command: Command) => {
      const shell = await openShell(command, surroundings);
      const { siteId } = await findSite(shell, site);
      const versions = await shell.client.procedures.history.query({ siteId, name });
      shell.printer.list(withChanges(versions), versionColumns, "It has no version.");
    });
  group
    .command("due")
    .description(contract.procedures.due.title)
    .option("--over-limit", "only hosts that have waited for more than 24 hours")
    .action(async ({ overLimit }: { readonly overLimit?: true }, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const rows = await readPages(async (cursor) => {
        const page = await client.procedures.due.query({ overLimit, cursor });
        return { rows: page.items, nextCursor: page.nextCursor };
      });
      printer.list(rows, dueColumns, "No hosts are waiting for a procedure.");
    });
  group
    .command("of-host")
    .description(contract.procedures.ofHost.title)
    .argument("<host>", "name, id, or the start of either")
    .action(async (name: string, _options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const hostId = await hostIdOf({ client }, name);
      const found = await client.procedures.ofHost.query({ hostId });
      printer.show(found, [
        { title: found.host.name, facts: [["cannot be recorded now", found.refusal]] },
        { title: "Procedures", table: printer.table(found.standings, standingColumns) },
        { title: "Records", table: printer.table(found.records, recordColumns) },
      ]);
    });
  group
    .command("show")
    .description(contract.procedures.get.title)
    .argument("<record>", "its id")
    .action(async (recordId: string, _options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const found = await client.procedures.get.query({ recordId });
      printer.show(found, [{ title: `${found.procedure}, version ${found.version}`, facts: factsOf(found) }]);
    });
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

interface SaveOptions {
  readonly file: string;
  readonly site: string;
  readonly reason: string;
}

const procedureFile = typedProcedure.omit({ version: true }).extend({ version: z.int().optional() });

function addChanges(group: Command, surroundings: Surroundings): void {
  group
    .command("save")
    .description(contract.procedures.save.title)
    .requiredOption("-f, --file <file>", "all of it as YAML or JSON, or - for stdin")
    .requiredOption("--site <site>", "name of the site")
    .requiredOption("--reason <text>", "why; kept in the audit log")
    .action(async ({ file, site, reason }: SaveOptions, command: Command) => {
      const shell = await openShell(command, surroundings);
      const { version: _, ...procedure } = await readDocument("procedure", procedureFile, file, surroundings);
      const { siteId } = await findSite(shell, site);
      const { policyVersion } = await shell.client.procedures.save.mutate({ siteId, procedure, reason });
      shell.printer.say(`The policy of ${site} is at version ${policyVersion}.`);
    });
  group
    .command("remove")
    .description(contract.procedures.remove.title)
    .argument("<procedure>", "its name")
    .requiredOption("--site <site>", "name of the site")
    .requiredOption("--reason <text>", "why; kept in the audit log")
    .action(async (name: string, { site, reason }: Omit<SaveOptions, "file">, command: Command) => {
      const shell = await openShell(command, surroundings);
      const { siteId } = await findSite(shell, site);
      const { policyVersion } = await shell.client.procedures.remove.mutate({ siteId, name, reason });
      shell.printer.say(`The policy of ${site} is at version ${policyVersion}.`);
    });
}

interface RecordOptions {
  readonly host: readonly string[];
  readonly version?: number;
  readonly from: Date;
  readonly until: Date;
  readonly place?: string;
  readonly answer: readonly string[];
  readonly ticket?: string;
  readonly comment?: string;
  readonly photo: readonly string[];
  readonly log: readonly string[];
}

const collect = (text: string, before: readonly string[]): readonly string[] => [...before, text];

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

function addRecord(group: Command, surroundings: Surroundings): void {
  group
    .command("record")
    .description(contract.procedures.record.title)
    .argument("<procedure>", "its name")
    .requiredOption(
      "--host <host=serial>",
      "with the serial number read at the machine; repeatable",
      collect,
      [],
    )
    .requiredOption("--from <time>", "when it was begun, ISO 8601", readMoment)
    .requiredOption("--until <time>", "when it was done, ISO 8601", readMoment)
    .option("--version <number>", "of the procedure; default: the version on the first host", readCount)
    .option("--answer <text>", "to a point of the checklist, in its order; yes for a tick", collect, [])
    .option("--place <text>", "where")
    .option("--ticket <text>", "of another system")
    .option("--comment <text>", "further notes")
    .option("--photo <sha256>", "a picture uploaded with `reclaim evidence put`; repeatable", collect, [])
    .option("--log <sha256>", "a log uploaded the same way; repeatable", collect, [])
    .action(async (procedure: string, options: RecordOptions, command: Command) => {
      const shell = await openShell(command, surroundings);
      const hosts = await Promise.all(options.host.map((text) => readMachine(shell, text)));
      const { version, ticket, comment, place } = options;
      const { records } = await shell.client.procedures.record.mutate({
        hosts,
        procedure,
        version: version ?? (await versionThere(shell, hosts[0]?.hostId ?? "", procedure)),
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
    });
}

async function versionThere({ client }: Shell, hostId: string, name: string): Promise<number> {
  const { standings, others } = await client.procedures.ofHost.query({ hostId });
  const known = [...standings.map(({ procedure }) => procedure), ...others].find(
    (each) => each.name === name,
  );
  if (known === undefined) throw new CommandError("notFound", `The host's policy has no procedure ${name}.`);
  return known.version;
}

/** Adds `procedures list`, `due`, `of-host`, `show`, `save`, `remove` and `record`. */
export function addProcedures(program: Command, surroundings: Surroundings): void {
  const group = program
    .command("procedures")
    .description("manual procedures: list, history, due, of-host, record, show, save, remove");
  addReads(group, surroundings);
  addRecord(group, surroundings);
  addChanges(group, surroundings);
}
