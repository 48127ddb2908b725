// `reclaim hosts health`: health reports of a host (docs/repair.md).
import { readFileSync } from "node:fs";
import { Option } from "commander";
import type { Command } from "commander";
import { contract } from "@/server/contract/contract";
import { reportInput } from "@/server/domain/repair/health/report";
import { repairTemplates, templateNames } from "@/server/domain/repair/health/templates";
import type { TemplateName } from "@/server/domain/repair/health/templates";
import type { HealthAlert, HealthChange, HealthReport, HealthTemplate } from "@/server/surfaces/trpc/types";
import { CommandError } from "@/cli/exit-codes";
import { findHost } from "@/cli/find";
import type { Column } from "@/cli/output/printer";
import { confirm, openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

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

interface AddOptions {
  readonly template?: TemplateName;
  readonly report?: string;
  readonly source?: string;
  readonly message: string;
  readonly tenantMessage?: string;
  readonly replace?: boolean;
}

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

function addShow(health: Command, surroundings: Surroundings): void {
  health
    .command("show")
    .description(contract.health.get.title)
    .argument("<host>", "name, id, or the start of either")
    .action(async (text: string, _options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const { id, name } = await findHost(client, text);
      const found = await client.health.get.query({ hostId: id });
      printer.show(found, [
        {
          title: name,
          facts: [
            ["health", { text: found.mark.words, tone: found.mark.tone }],
            ["replaced by", found.replacedBy],
            ["in force", found.effects.map(({ words }) => words).join(" ") || null],
          ],
        },
        { title: "Alerts", table: printer.table(found.alerts, alertColumns) },
        ...(found.hidden.length === 0
          ? []
          : [{ title: "Hidden alerts in effect", table: printer.table(found.hidden, alertColumns) }]),
        { title: "Reports", table: printer.table(found.reports, reportColumns) },
        { title: "Changes", table: printer.table(found.changes, changeColumns) },
      ]);
    });
}

function addAdd(health: Command, surroundings: Surroundings): void {
  health
    .command("add")
    .description(`${contract.health.apply.title}; or a report of a file`)
    .argument("<host>", "name, id, or the start of either")
    .addOption(
      new Option("--template <name>", "report by name; `reclaim hosts health templates` lists them").choices(
        templateNames,
      ),
    )
    .option("--report <file>", "with --source: a report as JSON")
    .option("--source <name>", "with --report: its source")
    .requiredOption(
      "--message <text>",
      `why; kept with the alert and in the history; with ${repairTemplates.join(" and ")} repair tenants read it`,
    )
    .option("--tenant-message <text>", "with --template: what the host's tenant reads")
    .option("--replace", "hides the other reports where health is shown, but not from gates")
    .action(async (text: string, options: AddOptions, command: Command) => {
      const { template, report, source, message, tenantMessage, replace = false } = options;
      if ((template === undefined) === (report === undefined))
        throw new CommandError("usage", "Name either --template or --report.");
      if ((report === undefined) !== (source === undefined))
        throw new CommandError("usage", "--report and --source belong together.");
      const { client, printer } = await openShell(command, surroundings);
      const body = report === undefined ? null : readReport(report);
      const { id: hostId, name } = await findHost(client, text);
      const { level } =
        template !== undefined
          ? await client.health.apply.mutate({
              hostId,
              template,
              message,
              replace,
              ...(tenantMessage === undefined ? {} : { tenantMessage }),
            })
          : await client.health.add.mutate({
              hostId,
              source: source ?? "",
              mode: replace ? "replace" : "merge",
              report: body ?? { alerts: [] },
              reason: message,
            });
      printer.say(`${template ?? source} reported on ${name}; its health is now: ${level}.`);
    });
}

function addRemove(health: Command, surroundings: Surroundings): void {
  health
    .command("remove")
    .description(contract.health.remove.title)
    .argument("<host>", "name, id, or the start of either")
    .argument("<source>", "as `reclaim hosts health show` names it")
    .requiredOption("--reason <text>", "why")
    .option("--replace", "its replacing report")
    .action(
      async (
        text: string,
        source: string,
        { reason, replace = false }: { reason: string; replace?: boolean },
        command: Command,
      ) => {
        const shell = await openShell(command, surroundings);
        const { client, printer } = shell;
        const { id: hostId, name } = await findHost(client, text);
        const mode = replace ? "replace" : "merge";
        await confirm(
          shell,
          ["Its alerts no longer block the host, until the source reports them again."],
          `Remove the ${mode} report of ${source} from ${name}?`,
        );
        const { level } = await client.health.remove.mutate({ hostId, source, mode, reason });
        printer.say(`The report of ${source} is removed from ${name}; its health is now: ${level}.`);
      },
    );
}

/** @param hosts the command `reclaim hosts` */
export function addHealth(hosts: Command, surroundings: Surroundings): void {
  const health = hosts
    .command("health")
    .description("health reports of a host: show, add, remove, templates");
  addShow(health, surroundings);
  addAdd(health, surroundings);
  addRemove(health, surroundings);
  health
    .command("templates")
    .description(contract.health.templates.title)
    .action(async (_options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      printer.list(await client.health.templates.query(), templateColumns, "No templates.");
    });
}
