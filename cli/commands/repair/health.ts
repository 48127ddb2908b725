// `reclaim hosts health`: health reports of a host (docs/repair.md).
import { readFileSync } from "node:fs";
import { contract } from "@/server/contract/contract";
import { reportInput } from "@/server/domain/repair/health/report";
import { repairTemplates, templateNames } from "@/server/domain/repair/health/templates";
import type {
  HealthAlert,
  HealthChange,
  HealthReport,
  HealthTemplate,
  HostHealth,
} from "@/server/surfaces/trpc/types";
import { act, command, list, show } from "@/cli/define/command";
import { arg, choice, flag, host, needed, opt, reason } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import type { Column } from "@/cli/output/printer";

const alertColumns: readonly Column<HealthAlert>[] = [
  { name: "alert", value: (row) => row.id, whole: true },
  { name: "target", value: (row) => row.target },
  { name: "since", value: (row) => row.inAlertSince },
  { name: "classifications", value: (row) => row.classifications.join(", ") },
  { name: "sources", value: (row) => row.sources.join(", ") },
  { name: "message", value: (row) => row.message, long: true },
];

const reportColumns: readonly Column<HealthReport>[] = [
  { name: "source", value: (row) => row.source, whole: true },
  { name: "mode", value: (row) => row.mode },
  { name: "alerts", value: (row) => row.alerts.map(({ id }) => id).join(", ") },
  { name: "observed", value: (row) => row.observedAt },
  { name: "silent since", value: (row) => row.silentSince },
  { name: "reported by", value: (row) => row.reportedBy },
];

const changeColumns: readonly Column<HealthChange>[] = [
  { name: "at", value: (row) => row.at },
  { name: "source", value: (row) => row.source, whole: true },
  { name: "change", value: (row) => row.kind },
  { name: "alerts", value: (row) => row.alerts.join(", ") },
  { name: "by", value: (row) => row.by },
  { name: "reason", value: (row) => row.reason, long: true },
];

const templateColumns: readonly Column<HealthTemplate>[] = [
  { name: "template", value: (row) => row.name, whole: true },
  { name: "source", value: (row) => row.source },
  { name: "alert", value: (row) => row.alert?.id ?? null },
  { name: "target", value: (row) => row.alert?.target ?? null },
  {
    name: "classifications",
    value: (row) => row.effects.map(({ classification }) => classification).join(", "),
  },
  { name: "purpose", value: (row) => row.purpose, long: true },
];

/** A report from a file, validated before anything is sent. */
function readReport(file: string) {
  let text: unknown;
  try {
    text = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new CommandError(
      "usage",
      `${file} cannot be read as JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const parsed = reportInput.safeParse(text);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new CommandError(
    "usage",
    `${file}: ${issue?.path.map(String).join(".") ?? ""} ${issue?.message ?? "is not a report"}`,
  );
}

/** When the BMC was read, and what it does not offer. */
function bmcText(bmc: HostHealth["bmc"], age: (at: Date) => string): string {
  if (bmc === undefined) return "not known: a server that is not upgraded yet answered";
  if (bmc === null) return "not read";
  const { readAt, notOffered, failing, wantedAt } = bmc;
  return [
    readAt === null ? "never read" : `read ${age(readAt)}`,
    ...(wantedAt === null ? [] : [`requested ${age(wantedAt)}`]),
    ...(failing === null ? [] : [`unreadable since ${age(failing.since)}: ${failing.why}`]),
    ...(notOffered.length === 0 ? [] : [`not offered: ${notOffered.join(", ")}`]),
  ].join("; ");
}

export const health = [
  show("hosts health show", {
    of: "health.get",
    args: { host },
    input: ({ host: { id } }) => ({ hostId: id }),
    parts: (found, printer, { host: { name } }) => [
      {
        title: name,
        facts: [
          ["health", { text: found.mark.words, tone: found.mark.tone }],
          ["replaced by", found.replacedBy],
          ["BMC", bmcText(found.bmc, (at) => printer.timeAndAge(at))],
          ["in force", found.effects.map(({ words }) => words).join(" ") || null],
        ],
      },
      { title: "Alerts", table: printer.table(found.alerts, alertColumns) },
      ...(found.hidden.length === 0
        ? []
        : [{ title: "Hidden alerts in effect", table: printer.table(found.hidden, alertColumns) }]),
      { title: "Reports", table: printer.table(found.reports, reportColumns) },
      { title: "Changes", table: printer.table(found.changes, changeColumns) },
    ],
  }),
  command("hosts health add", {
    title: `${contract.health.apply.title}, or from a file`,
    uses: ["health.apply", "health.add"],
    args: { host },
    options: {
      template: choice(
        "<name>",
        "report by name; `reclaim hosts health templates` lists them",
        templateNames,
      ),
      report: opt("<file>", "with --source: a report as JSON"),
      source: opt("<name>", "with --report: its source"),
      message: needed(
        opt(
          "<text>",
          `why; kept with the alert and in the history; with ${repairTemplates.join(" and ")} repair tenants read it`,
        ),
      ),
      tenantMessage: opt("<text>", "with --template: what the host's tenant reads"),
      replace: flag("hides the other reports where health is shown, but not from gates"),
    },
    run: async ({ client, printer }, { host: { id: hostId, name }, replace = false, ...options }) => {
      const { template, report, source, message, tenantMessage } = options;
      if ((template === undefined) === (report === undefined))
        throw new CommandError("usage", "Name either --template or --report.");
      if ((report === undefined) !== (source === undefined))
        throw new CommandError("usage", "--report and --source belong together.");
      const { level } =
        template !== undefined
          ? await client.health.apply.mutate({
              ...{ hostId, template, message, replace },
              ...(tenantMessage === undefined ? {} : { tenantMessage }),
            })
          : await client.health.add.mutate({
              hostId,
              source: source ?? "",
              mode: replace ? "replace" : "merge",
              report: report === undefined ? { alerts: [] } : readReport(report),
              reason: message,
            });
      printer.say(`${template ?? source} reported on ${name}; its health is now: ${level}.`);
    },
  }),
  act("hosts health remove", {
    of: "health.remove",
    args: { host, source: arg("<source>", "source from `reclaim hosts health show`") },
    options: { reason, replace: flag("its replacing report") },
    input: ({ host: { id: hostId }, source, reason: why, replace }) => ({
      ...{ hostId, source, reason: why },
      mode: replace === true ? "replace" : "merge",
    }),
    asks: ({ host: { name }, source, replace }) => [
      ["Its alerts no longer block the host, until the source reports them again."],
      `Remove the ${replace === true ? "replace" : "merge"} report of ${source} from ${name}?`,
    ],
    said: ({ host: { name }, source }, { level }) =>
      `The report of ${source} is removed from ${name}; its health is now: ${level}.`,
  }),
  act("hosts health read", {
    of: "health.readNow",
    args: { host },
    input: ({ host: { id: hostId } }) => ({ hostId }),
    said: ({ host: { name } }, { waits }) =>
      waits
        ? `${name} is read once it rests. reclaim hosts health show ${name} tells when it was.`
        : `${name} is being read. reclaim hosts health show ${name} tells when it was.`,
  }),
  list("hosts health templates", { of: "health.templates", columns: templateColumns, none: "No templates." }),
];
