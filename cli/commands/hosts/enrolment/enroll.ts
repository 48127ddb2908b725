// `reclaim hosts enroll`: one host by options, or many from a CSV file or a workbook. Progress is in `reclaim enrolments`.
import { basename, dirname } from "node:path";
import { contract } from "@/server/contract/contract";
import { columnNames, enrolmentColumns } from "@/server/domain/hosts/enrolment/host-line";
import type { HostTexts } from "@/server/domain/hosts/enrolment/host-line";
import type { ParsedList } from "@/server/domain/hosts/enrolment/list-rows";
import { parseHostsCsv } from "@/server/domain/hosts/enrolment/parse-csv";
import { parseHostsWorkbook } from "@/server/domain/hosts/enrolment/parse-workbook";
import { isArchive, listText, longestWorkbook, notCsv } from "@/server/domain/hosts/enrolment/spreadsheet";
import type { Enrolled, EnrolledLine } from "@/server/surfaces/trpc/types";
import { waitOptions } from "@/cli/commands/acts";
import { followEnrolment } from "@/cli/commands/hosts/enrolment/enrolments";
import { command } from "@/cli/define/command";
import { choice, flag, opt, usually } from "@/cli/define/values";
import type { Given } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import { findSite } from "@/cli/find";
import type { Column } from "@/cli/output/printer";
import { readNamedSecrets } from "@/cli/settings/secrets";
import { readBytes } from "@/cli/shell";
import type { Shell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";
import { formatCounted } from "@/server/domain/numbers";

type EnrollAsked = Given<typeof options> & HostTexts;

/** What is sent: a file, or one host. */
interface List {
  readonly csv?: string;
  readonly workbook?: string;
  readonly hosts?: [HostTexts];
  readonly fileName?: string;
  /** The secrets that the list refers to. */
  readonly names: readonly string[];
  readonly folder: string;
}

const optionOf = (column: string): string => `--${column.replaceAll("_", "-")}`;

/** There is no option for passwords: other users of this machine could read it there. */
const hostOptions = columnNames.filter((column) => column !== "bmc_password");

/** A file as it is sent, and what it says here: the secrets that it refers to are read where the command runs. */
async function readFile(
  file: string,
  surroundings: Surroundings,
): Promise<{ readonly sent: Pick<List, "csv" | "workbook">; readonly parsed: ParsedList }> {
  const bytes = await readBytes("file", file, surroundings);
  if (isArchive(bytes)) {
    const workbook = Buffer.from(bytes).toString("base64");
    if (workbook.length > longestWorkbook)
      throw new CommandError("usage", `The file ${file} is longer than 750 kB: split the list.`);
    return { sent: { workbook }, parsed: parseHostsWorkbook(bytes) };
  }
  const csv = listText(bytes);
  const unread = notCsv(csv);
  if (unread !== null) throw new CommandError("usage", `The file ${file} ${unread}.`);
  return { sent: { csv }, parsed: parseHostsCsv(csv) };
}

async function readList(asked: EnrollAsked, surroundings: Surroundings): Promise<List> {
  const { file, bmcPasswordFrom } = asked;
  const shared = bmcPasswordFrom === undefined ? [] : [bmcPasswordFrom];
  if (file === undefined) {
    const texts: { -readonly [Member in keyof HostTexts]: HostTexts[Member] } = {};
    for (const column of hostOptions) {
      const member = enrolmentColumns[column];
      if (asked[member] !== undefined) texts[member] = asked[member];
    }
    if (texts.name === undefined || texts.bmcAddress === undefined)
      throw new CommandError(
        "usage",
        "Name a host with --name and --bmc-address, or a list of hosts with --file.",
      );
    return { hosts: [texts], names: shared, folder: "." };
  }
  const own = hostOptions.find(
    (column) =>
      column !== "bmc_username" &&
      column !== "bmc_password_from" &&
      column !== "bmc_credentials" &&
      asked[enrolmentColumns[column]] !== undefined,
  );
  if (own !== undefined)
    throw new CommandError("usage", `${optionOf(own)} is for one host; a file has a column ${own}.`);
  const { sent, parsed } = await readFile(file, surroundings);
  const named = parsed.ok ? parsed.lines.flatMap(({ texts }) => texts.bmcPasswordFrom?.trim() ?? []) : [];
  return {
    ...sent,
    ...(file === "-" ? {} : { fileName: basename(file) }),
    names: [...shared, ...named.filter((name) => /^(env|file):./.test(name))],
    folder: file === "-" ? "." : dirname(file),
  };
}

const lineColumns: readonly Column<EnrolledLine>[] = [
  { name: "line", value: (row) => row.line },
  { name: "host", value: (row) => row.name, whole: true },
  {
    name: "problem",
    value: (row) =>
      row.faults.map(({ column, message }) => (column === "" ? message : `${column}: ${message}`)).join("; "),
    tone: () => "failed",
  },
  { name: "id", value: (row) => row.hostId, extra: true },
];

function printEnrolled({ printer, settings }: Shell, answer: Enrolled, dryRun: boolean): void {
  if (settings.output !== "table") printer.show(answer, []);
  else {
    const wrong = answer.lines.filter(({ faults }) => faults.length > 0);
    if (wrong.length > 0) printer.list(wrong, lineColumns, "");
  }
  if (answer.notice != null) printer.say(answer.notice);
  const left = answer.refused === 0 ? "" : `, ${formatCounted(answer.refused, "host")} refused`;
  printer.say(
    dryRun
      ? `Site ${answer.site}: ${formatCounted(answer.enrolled, "host")} can be enrolled${left}. Dry run, nothing was changed.`
      : answer.id === null
        ? `Site ${answer.site}: no host was enrolled${left}.`
        : `Site ${answer.site}: ${formatCounted(answer.enrolled, "host")} enrolled${left}. Enrolment ${answer.id}.`,
  );
}

async function enroll(shell: Shell, asked: EnrollAsked): Promise<void> {
  const { client, surroundings } = shell;
  const { names, folder, ...list } = await readList(asked, surroundings);
  const secrets = await readNamedSecrets("The list", names, folder, surroundings);
  const { name: site } = await findSite(client, asked.site);
  const shared = asked.bmcPasswordFrom;
  const dryRun = asked.dryRun === true;
  const answer = await client.enrolment.enroll.mutate({
    ...list,
    site,
    secrets,
    credential: {
      ...(asked.bmcUsername === undefined ? {} : { username: asked.bmcUsername }),
      ...(asked.bmcCredentials === undefined ? {} : { set: asked.bmcCredentials }),
      ...(shared === undefined ? {} : { password: secrets[shared] ?? "" }),
    },
    firstContact: asked.acceptFirstContact === true ? "accept" : "confirm",
    goal: asked.goal,
    dryRun,
  });
  printEnrolled(shell, answer, dryRun);
  if (asked.wait === true && answer.id !== null)
    await followEnrolment(shell, answer.id, asked.timeout ?? null);
  if (answer.refused > 0)
    throw new CommandError(
      "usage",
      `${answer.refused} of ${answer.lines.length} lines have errors.`,
      dryRun ? null : "Correct them, and enrol only those again.",
    );
}

const optionLabels: Readonly<Record<(typeof columnNames)[number], string>> = {
  name: "name of the host",
  bmc_address: "address, such as 10.0.0.7 or https://10.0.0.7",
  bmc_system: "which system, if the BMC has several, such as /redfish/v1/Systems/2",
  bmc_username: "user name; with --file: for hosts that have none in the file",
  bmc_password: "",
  bmc_password_from: "env:NAME or file:path; with --file: for hosts that have none in the file",
  bmc_credentials: "name of the site's BMC credentials; with --file: for hosts that have none in the file",
  certificate_sha256: "fingerprint that the BMC must show",
  serial: "serial number that the chassis must report; default: a person confirms it",
  system_uuid: "the UUID that the system must report",
  hardware_type: "redfish, idrac or xclarity; default: by the BMC's manufacturer",
  sku: "name of the SKU; default: matched later",
  rack: "its rack",
  slot: "its slot in the rack",
  macs: "MACs of the NICs with a cable, comma-separated",
  network_interfaces:
    "interfaces that must acknowledge a network; default: the MACs, or all NICs that the BMC lists",
  labels: "key=value pairs, semicolon-separated",
};

const hostValues = Object.fromEntries(
  hostOptions.map((column) => [
    enrolmentColumns[column],
    { ...opt("<text>", optionLabels[column]), flags: `${optionOf(column)} <text>` },
  ]),
);

const options = {
  file: opt("<file>", "CSV or XLSX with a header line, or - for stdin; the columns are in docs/enrolment.md"),
  site: opt("<site>", "which one, if there are several"),
  acceptFirstContact: flag("trust an unknown BMC's identity; default: a person confirms it"),
  goal: usually(
    choice("<state>", "the state that the hosts are brought to", ["ready", "manageable", "enrolled"]),
    "ready",
  ),
  dryRun: flag("check every line, and change nothing"),
  ...waitOptions("ready"),
};

export const enrollCommand = command("hosts enroll", {
  title: contract.enrolment.enroll.title,
  uses: ["enrolment.enroll"],
  shape: contract.enrolment.enroll.output,
  options: { ...hostValues, ...options },
  examples: ["hosts enroll --file rack-a02.csv --site dfw --dry-run"],
  run: (shell, given) => enroll(shell, given),
});
