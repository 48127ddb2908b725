// `reclaim proof`: finds returns, shows what was proven of one, its timeline, and makes a pack for an auditor (docs/assurance/proof.md).
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ProofReturn, ReturnDrive, ReturnLine, TimelineEntry } from "@/server/contract/assurance/proof";
import { standings, standingText } from "@/server/domain/assurance/standing";
import { returnKinds } from "@/server/domain/assurance/proof/kinds";
import { drivesOf } from "@/server/domain/assurance/proof/basis-text";
import { tallyText } from "@/server/domain/assurance/proof/tally-text";
import { timelineSubjects } from "@/server/domain/assurance/proof/timeline";
import type { TimelineSubject } from "@/server/domain/assurance/proof/timeline";
import { routes } from "@/server/domain/console/routes";
import { present } from "@/cli/call";
import { command, list, show } from "@/cli/define/command";
import { arg, choice, flag, needed, oneOf, opt, usually } from "@/cli/define/values";
import type { Given } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import { findHost } from "@/cli/find";
import { refusedBy } from "@/cli/http";
import { formatCounted } from "@/server/domain/numbers";
import type { Column, Part, Printer } from "@/cli/output/printer";
import type { Shell } from "@/cli/shell";

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

const text = usually(
  arg("[text]", "serial number, name, number or id of a drive, host, instance, tenant or certificate"),
  "",
);
const selection = {
  tenant: opt("<tenant>", "organization, name or id"),
  month: opt("<month>", "month of the return, in UTC, such as 2026-10"),
  site: opt("<site>", "name of a site"),
  sku: opt("<sku>", "name of a SKU"),
  standing: choice("<standing>", "what was proven", standings),
  kind: choice("<kind>", "why it began", returnKinds),
  exception: choice("<yes|no>", "yes: only returns with an exception; no: only those without", ["yes", "no"]),
};

const selected = ({ exception, ...rest }: Given<typeof selection> & { readonly text: string }) => ({
  ...rest,
  exception: exception === undefined ? undefined : exception === "yes",
});

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
        `Several models have a drive ${text}: name it by its id, from \`reclaim drives show\`.`,
      );
    return drive.id;
  }
  const [row] = (await client.proof.search.query({ tenant: text, limit: 1 })).rows;
  if (row?.tenant == null) throw new CommandError("notFound", `Nothing was returned for tenant ${text}.`);
  return row.tenant.id;
}

export const proof = [
  list("proof search", {
    of: "proof.search",
    args: { text },
    options: selection,
    input: selected,
    rows: "rows",
    columns,
    perPage: 200,
    none: "Nothing that was returned matches.",
    then: ({ rows, first: { tally } }) => (tally !== null && rows.length > 0 ? [`${tallyText(tally)}.`] : []),
    examples: ["proof search --tenant acme --month 2026-10", "proof search S4EWNX0M"],
  }),
  show("proof show", {
    of: "proof.get",
    args: { id: arg("<return>", "R-42, C-48213, or the id of a reclamation, instance or certificate") },
    parts: partsOf,
    then: ({ file }) =>
      file?.signedAt == null
        ? []
        : [`\`reclaim certificates get ${file.id} --to FILE\` gets its signed file.`],
  }),
  list("proof timeline", {
    of: "proof.timeline",
    args: {
      of: oneOf("<kind>", timelineSubjects, `The kind is one of ${timelineSubjects.join(", ")}.`),
      name: arg("<name>", "name, serial number, number or id"),
    },
    input: async ({ of, name }, shell) => ({ of, id: await subjectId(shell, of, name) }),
    rows: "rows",
    columns: entryColumns,
    perPage: 200,
    none: "Nothing is on record.",
  }),
  command("proof pack", {
    title:
      "one archive with every certificate, an index, keys and a checkpoint, which `reclaim verify` checks as a whole",
    uses: ["proof.files"],
    args: { text },
    options: {
      ...selection,
      to: needed(opt("<file>", "such as acme-2026-10.pack.tar")),
      pdf: flag("also a PDF of each certificate; takes longer"),
    },
    run: async ({ ask, client, printer }, { to, pdf, ...given }) => {
      const asked = selected(given);
      const { certificates, bytes } = await client.proof.files.query(asked);
      printer.say(`${formatCounted(certificates, "certificate")}, ${(bytes / 1e6).toFixed(1)} MB as JSON.`);
      const response = await ask(routes.files.proofPack({ ...present(asked), pdf: pdf === true }));
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
        `Saved to ${to}: ${count} ${count === "1" ? "certificate" : "certificates"}. \`reclaim verify ${to}\` checks all of it, without any server.`,
      );
    },
  }),
];
