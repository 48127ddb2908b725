// `reclaim proof`: finds returns, shows what was proven of one, its timeline, and makes a pack for an auditor (docs/assurance/proof.md).
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import { proof } from "@/server/contract/assurance/proof";
import type { ProofReturn, ReturnDrive, ReturnLine, TimelineEntry } from "@/server/contract/assurance/proof";
import { standings, standingText } from "@/server/domain/assurance/standing";
import type { Standing } from "@/server/domain/assurance/standing";
import { returnKinds } from "@/server/domain/assurance/proof/kinds";
import type { ReturnKind } from "@/server/domain/assurance/proof/kinds";
import { drivesOf } from "@/server/domain/assurance/proof/basis-text";
import { tallyText } from "@/server/domain/assurance/proof/tally-text";
import { timelineSubjects } from "@/server/domain/assurance/proof/timeline";
import type { TimelineSubject } from "@/server/domain/assurance/proof/timeline";
import { routes } from "@/server/domain/console/routes";
import { CommandError } from "@/cli/exit-codes";
import { findHost } from "@/cli/find";
import { refusedBy } from "@/cli/http";
import { readPages } from "@/cli/output/pages";
import type { Column, Part, Printer } from "@/cli/output/printer";
import { openShell } from "@/cli/shell";
import type { Shell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

const columns: readonly Column<ReturnLine>[] = [
  { name: "returned", value: (row) => row.at },
  { name: "host", value: (row) => row.host.name ?? row.host.serial, whole: true },
  { name: "tenant", value: (row) => row.tenant?.name ?? null },
  { name: "instance", value: (row) => row.instance?.name ?? null },
  { name: "drives", value: (row) => drivesOf(row.standing, row.counts) },
  { name: "standing", value: (row) => standingText[row.standing], whole: true },
  { name: "says", value: (row) => row.says },
  { name: "certificate", value: (row) => row.file?.number ?? null, whole: true },
  { name: "reclamation", value: (row) => row.reclamation?.name ?? null, extra: true },
  { name: "site", value: (row) => row.site, extra: true },
  { name: "sku", value: (row) => row.sku, extra: true },
  { name: "serial", value: (row) => row.host.serial, extra: true },
  { name: "id", value: (row) => row.id, extra: true },
];

const driveColumns: readonly Column<ReturnDrive>[] = [
  { name: "slot", value: (row) => row.slot },
  { name: "drive", value: (row) => row.serial, whole: true },
  { name: "result", value: (row) => row.result, whole: true },
  { name: "technique", value: (row) => row.technique },
  { name: "level", value: (row) => (row.level === null ? null : `${row.level} (${row.standard ?? ""})`) },
  { name: "read back", value: (row) => row.readBack },
  { name: "time", value: (row) => row.at },
];

const entryColumns: readonly Column<TimelineEntry>[] = [
  { name: "time", value: (row) => row.at },
  { name: "kind", value: (row) => row.kind },
  { name: "what", value: (row) => row.words, long: true },
  { name: "who", value: (row) => row.who },
  { name: "host", value: (row) => row.host },
];

interface Selected {
  readonly tenant?: string;
  readonly month?: string;
  readonly site?: string;
  readonly sku?: string;
  readonly standing?: string;
  readonly kind?: string;
  readonly exception?: string;
}

const isKind = (text: string): text is ReturnKind => returnKinds.some((each) => each === text);
const isStanding = (text: string): text is Standing => standings.some((each) => each === text);

/** Throws CommandError for a value that is none. */
function selectionOf(text: string, { standing, kind, exception, ...rest }: Selected) {
  if (standing !== undefined && !isStanding(standing))
    throw new CommandError("usage", `--standing is one of ${standings.join(", ")}.`);
  if (kind !== undefined && !isKind(kind))
    throw new CommandError("usage", `--kind is one of ${returnKinds.join(", ")}.`);
  if (exception !== undefined && !/^(yes|no)$/.test(exception))
    throw new CommandError("usage", "--exception is yes or no.");
  return {
    ...rest,
    text,
    ...(standing === undefined ? {} : { standing }),
    ...(kind === undefined ? {} : { kind }),
    ...(exception === undefined ? {} : { exception: exception === "yes" }),
  };
}

const addSelection = (command: Command): Command =>
  command
    .argument(
      "[text]",
      "serial number, name, number or id of a drive, host, instance, tenant or certificate",
      "",
    )
    .option("--tenant <tenant>", "organization, name or id")
    .option("--month <month>", "in which it was returned, in UTC, such as 2026-10")
    .option("--site <site>", "name of a site")
    .option("--sku <sku>", "name of a SKU")
    .option("--standing <standing>", standings.join(", "))
    .option("--kind <kind>", `why it began: ${returnKinds.join(", ")}`)
    .option("--exception <yes|no>", "whether something rests on an exception");

function addSearch(group: Command, surroundings: Surroundings): void {
  addSelection(group.command("search").description(proof.search.title)).action(
    async (text: string, selected: Selected, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const asked = selectionOf(text, selected);
      let tally: string | null = null;
      const rows = await readPages(async (cursor) => {
        const page = await client.proof.search.query({ ...asked, cursor, limit: 200 });
        if (page.tally !== null) tally = tallyText(page.tally);
        return page;
      });
      printer.list(rows, columns, "Nothing that was returned matches.");
      if (tally !== null && rows.length > 0) printer.say(`${String(tally)}.`);
    },
  );
}

function exceptionFacts({ exceptions }: ProofReturn, printer: Printer): readonly Part[] {
  return exceptions.map((each) => ({
    title: `Exception for ${each.gate}${each.serial === null ? "" : `, drive ${each.serial}`}`,
    facts: [
      ["asked for", each.reason],
      ["asked by", each.askedBy === null ? null : `${each.askedBy.name}, ${printer.time(each.askedBy.at)}`],
      [
        "approved by",
        each.approvedBy === null ? null : `${each.approvedBy.name}, ${printer.time(each.approvedBy.at)}`,
      ],
      ["decided", printer.timeAndAge(each.decidedAt)],
      ["until", printer.timeAndAge(each.until)],
      ["measure", each.measure],
      ["risk", each.risk],
    ],
  }));
}

function partsOf(found: ProofReturn, printer: Printer): readonly Part[] {
  const { host, tenant, instance, file, settledBy, site, sku } = found;
  return [
    {
      facts: [
        ["standing", standingText[found.standing]],
        ["says", found.says],
        ["host", host.name],
        ["serial number", host.serial],
        ["site", site],
        ["sku", sku],
        ["tenant", tenant?.name ?? null],
        ["instance", instance?.name ?? null],
        ["returned", printer.timeAndAge(found.at)],
        ["ended", printer.timeAndAge(found.endedAt)],
        ["reclamation", found.reclamation?.name ?? null],
        ["certificate", file === null ? null : `${file.number ?? "not signed yet"}, ${file.id}`],
        ["signed", printer.timeAndAge(file?.signedAt ?? null)],
        ["settled by", settledBy?.name ?? null],
      ],
    },
    { title: "What was proven", facts: found.points.map(({ tone, words }) => [tone, words] as const) },
    ...exceptionFacts(found, printer),
    ...(found.drives.length === 0
      ? []
      : [{ title: "Drives", table: printer.table(found.drives, driveColumns) }]),
  ];
}

function addShow(group: Command, surroundings: Surroundings): void {
  group
    .command("show")
    .description(proof.get.title)
    .argument("<return>", "R-42, C-48213, or the id of a reclamation, instance or certificate")
    .action(async (id: string, _options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const found = await client.proof.get.query({ id });
      printer.show(found, partsOf(found, printer));
      if (found.file?.signedAt != null)
        printer.say(`\`reclaim certificates get ${found.file.id} --to FILE\` gets its signed file.`);
    });
}

const isSubject = (text: string): text is TimelineSubject => timelineSubjects.some((each) => each === text);

/** The id that a timeline is asked for by. */
async function subjectId({ client }: Shell, of: TimelineSubject, text: string): Promise<string> {
  if (of === "return") return (await client.proof.get.query({ id: text })).id;
  if (of === "host") return (await findHost(client, text)).id;
  if (of === "drive") {
    const [drive, other] = await client.drives.find.query({ text });
    if (drive === undefined) throw new CommandError("notFound", `There is no drive ${text}.`);
    if (other !== undefined)
      throw new CommandError(
        "usage",
        `Several models have a drive ${text}: name it by its id, as \`reclaim drives show\` has it.`,
      );
    return drive.id;
  }
  const [row] = (await client.proof.search.query({ tenant: text, limit: 1 })).rows;
  if (row?.tenant == null) throw new CommandError("notFound", `Nothing was returned for tenant ${text}.`);
  return row.tenant.id;
}

function addTimeline(group: Command, surroundings: Surroundings): void {
  group
    .command("timeline")
    .description(proof.timeline.title)
    .argument("<kind>", timelineSubjects.join(", "))
    .argument("<name>", "name, serial number, number or id")
    .action(async (of: string, text: string, _options: object, command: Command) => {
      if (!isSubject(of))
        throw new CommandError("usage", `The kind is one of ${timelineSubjects.join(", ")}.`);
      const shell = await openShell(command, surroundings);
      const id = await subjectId(shell, of, text);
      const rows = await readPages((cursor) =>
        shell.client.proof.timeline.query({ of, id, cursor, limit: 200 }),
      );
      shell.printer.list(rows, entryColumns, "Nothing is on record.");
    });
}

function addPack(group: Command, surroundings: Surroundings): void {
  addSelection(
    group
      .command("pack")
      .description(
        "one archive with every certificate, an index, keys and a checkpoint, which `reclaim verify` checks as a whole",
      ),
  )
    .requiredOption("--to <file>", "such as acme-2026-10.pack.tar")
    .option("--pdf", "with a PDF of each certificate, which takes longer")
    .action(
      async (
        text: string,
        { to, pdf, ...selected }: Selected & { readonly to: string; readonly pdf?: true },
        command: Command,
      ) => {
        const { ask, client, printer } = await openShell(command, surroundings);
        const selection = selectionOf(text, selected);
        const { certificates, bytes } = await client.proof.files.query(selection);
        printer.say(
          `${certificates} ${certificates === 1 ? "certificate" : "certificates"}, ${(bytes / 1e6).toFixed(1)} MB as JSON.`,
        );
        const response = await ask(routes.files.proofPack({ ...selection, pdf: pdf === true }));
        if (response.status !== 200 || response.body === null) throw await refusedBy(response);
        // A download that breaks off leaves no file that could be taken for a pack.
        const partial = `${to}.partial`;
        try {
          await pipeline(Readable.from(response.body), createWriteStream(partial));
          await rename(partial, to);
        } catch (error) {
          await rm(partial, { force: true });
          throw new CommandError(
            "failed",
            `The pack was not received whole: ${error instanceof Error ? error.message : String(error)}`,
          );
        }
        const count = response.headers.get("x-certificates") ?? "?";
        printer.say(
          `${to} has it: ${count} ${count === "1" ? "certificate" : "certificates"}. \`reclaim verify ${to}\` checks all of it, without any server.`,
        );
      },
    );
}

/** `reclaim proof` and its subcommands. */
export function addProof(program: Command, surroundings: Surroundings): void {
  const group = program
    .command("proof")
    .description("was it erased, when, how, and who approved what was not: search, show, timeline, pack");
  addSearch(group, surroundings);
  addShow(group, surroundings);
  addTimeline(group, surroundings);
  addPack(group, surroundings);
}
