// `reclaim policy`: a site's policy, priority overrides, automated cleaning on or off, and admission limits.
import type { Command } from "commander";
import { contract } from "@/server/contract/contract";
import type { OverrideLine } from "@/server/surfaces/trpc/types";
import type { Client } from "@/cli/client";
import { addPolicyEffects } from "@/cli/commands/cleaning/policy/policy-effects";
import { addLimits } from "@/cli/commands/cleaning/policy/limits";
import { CommandError } from "@/cli/exit-codes";
import { findHost, findScope, findSite, parseStepName } from "@/cli/find";
import type { ScopeAsked } from "@/cli/find";
import { readOnOff, readPriority } from "@/cli/options";
import { leftOutMeaning } from "@/server/domain/assurance/standing";
import { isErase } from "@/server/domain/cleaning/steps/catalogue";
import { counted, durationText } from "@/cli/output/text";
import type { Column, Part } from "@/cli/output/printer";
import { confirm, openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

const columns: readonly Column<OverrideLine>[] = [
  { name: "scope", value: (row) => row.scope },
  { name: "of", value: (row) => row.scopeName ?? row.scopeId },
  { name: "step", value: (row) => `${row.interface}.${row.step}`, whole: true },
  {
    name: "priority",
    value: (row) => row.priority,
    text: (row) => (row.priority === 0 ? "0 (disabled)" : String(row.priority)),
  },
  { name: "default", value: (row) => row.defaultPriority },
  { name: "changed", value: (row) => row.changedAt },
  { name: "by", value: (row) => row.changedByName },
  { name: "id", value: (row) => row.scopeId, extra: true },
];

/** Flattens a policy into lines of `a.b` and value; durations in words. */
function flat(value: unknown, path: string): readonly (readonly [string, string])[] {
  if (Array.isArray(value))
    return [
      [path, value.map((one) => (typeof one === "object" ? JSON.stringify(one) : String(one))).join(", ")],
    ];
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, one]) => flat(one, path === "" ? key : `${path}.${key}`));
  return [
    [
      path,
      value === null
        ? "none"
        : typeof value === "number" && path.endsWith("Ms")
          ? durationText(value)
          : String(value),
    ],
  ];
}

function addPriorities(policy: Command, surroundings: Surroundings): void {
  const priorities = policy
    .command("priorities")
    .description("priority overrides of clean steps: list, set, unset");
  const scoped = (command: Command): Command =>
    command
      .option("--site <site>", "of a site")
      .option("--sku <sku>", "of a SKU")
      .option("--host <host>", "of a host");
  scoped(priorities.command("list").alias("ls").description(contract.cleaning.overrides.title)).action(
    async (options: ScopeAsked, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const all = options.site === undefined && options.sku === undefined && options.host === undefined;
      printer.list(
        await client.cleaning.overrides.query(all ? {} : { scopeId: (await findScope(client, options)).id }),
        columns,
        "Every step has its default.",
      );
    },
  );
  scoped(
    priorities
      .command("set")
      .description(contract.cleaning.saveOverride.title)
      .argument("<step>", "such as deploy.erase_nvme")
      .argument("<priority>", "0 to 1000", readPriority),
  ).action(async (text: string, priority: number, options: ScopeAsked, command: Command) => {
    const shell = await openShell(command, surroundings);
    const { scope, id, name } = await findScope(shell.client, options);
    const change = { scope, scopeId: id, ...parseStepName(text), priority };
    const erases = priority === 0 && isErase(text);
    // Needed only if there is a confirmation; the server refuses what may not be saved.
    if (!shell.settings.yes) {
      const preview = await shell.client.cleaning.previewOverride.query(change);
      if (preview.effect?.kind === "otherwise")
        shell.printer.say(`In the last 90 days: ${preview.effect.words}.`);
      const consequences = [
        ...(preview.unproven.length === 0
          ? []
          : [
              `${text} will no longer run on ${counted(preview.hosts, "host")} of ${scope} ${name}, and these gates depend on it: ${preview.unproven.join(", ")}. A host with a debt whose gate is not proven does not become Ready.`,
            ]),
        ...(erases ? [`${leftOutMeaning}.`] : []),
      ];
      if (consequences.length > 0 && preview.ties.length === 0) await confirm(shell, consequences, "Set it?");
    }
    const saved = await shell.client.cleaning.saveOverride.mutate(change);
    shell.printer.say(`${text} has priority ${saved.priority} for ${scope} ${name}, from the next plan on.`);
    if (erases) shell.printer.say(`${leftOutMeaning}.`);
  });
  scoped(
    priorities
      .command("unset")
      .description(contract.cleaning.removeOverride.title)
      .argument("<step>", "such as deploy.erase_nvme"),
  ).action(async (text: string, options: ScopeAsked, command: Command) => {
    const { client, printer } = await openShell(command, surroundings);
    const { scope, id, name } = await findScope(client, options);
    await client.cleaning.removeOverride.mutate({ scope, scopeId: id, ...parseStepName(text) });
    printer.say(`${text} no longer has an override for ${scope} ${name}.`);
  });
}

/** Whether a host is left uncleaned by a setting of its own, or by following its site. */
async function leavesOut(client: Client, word: string, hostId: string): Promise<boolean> {
  if (word !== "default") return word === "off";
  const [host] = await client.hosts.rows.query({ hostIds: [hostId] });
  const { sites } = await client.cleaning.scopes.query();
  return sites.some(({ name, automatedClean }) => name === host?.site && !automatedClean);
}

const cleaningOff = [
  "Hosts without a debt are then provided without cleaning; a host with a debt does not become Ready until it is cleaned.",
  `${leftOutMeaning}.`,
];

function addAutomatedClean(policy: Command, surroundings: Surroundings): void {
  policy
    .command("automated-clean")
    .description(contract.cleaning.setSiteAutomatedClean.title)
    .argument("<on|off|default>", "default, for a host: inherited from its site")
    .option("--site <site>", "of a site")
    .option("--host <host>", "of a host")
    .action(async (word: string, options: Omit<ScopeAsked, "sku">, command: Command) => {
      const shell = await openShell(command, surroundings);
      const { client, printer } = shell;
      if ((options.site === undefined) === (options.host === undefined))
        throw new CommandError("usage", "Name either --site or --host.");
      if (!["on", "off", "default"].includes(word) || (word === "default" && options.host === undefined))
        throw new CommandError("usage", `It takes on or off, and for a host default; not ${word}.`);
      const told = (what: string, off: boolean) =>
        printer.say(off ? `${what}: ${word}. ${leftOutMeaning}.` : `${what}: ${word}`);
      if (options.host !== undefined) {
        const { id, name } = await findHost(client, options.host);
        const off = await leavesOut(client, word, id);
        if (off) await confirm(shell, cleaningOff, `Leave out the automated cleaning of ${name}?`);
        await client.cleaning.setHostAutomatedClean.mutate({
          hostId: id,
          automatedClean: word === "default" ? null : readOnOff(word),
        });
        return told(name, off);
      }
      const { id, name } = await findScope(client, options);
      const seen = (await client.cleaning.scopes.query()).sites.find((site) => site.id === id);
      if (word === "off") await confirm(shell, cleaningOff, `Switch automated cleaning of site ${name} off?`);
      await client.cleaning.setSiteAutomatedClean.mutate({
        siteId: id,
        automatedClean: readOnOff(word),
        ...(seen === undefined ? {} : { policyVersion: seen.policyVersion }),
      });
      told(`Site ${name}`, word === "off");
    });
}

export function addPolicy(program: Command, surroundings: Surroundings): void {
  const policy = program
    .command("policy")
    .description("how hosts are cleaned: show, priorities, automated-clean, limits, preview, erase");
  policy
    .command("show")
    .description(contract.cleaning.sitePolicy.title)
    .option("--site <site>", "which one, if there are several")
    .action(async ({ site: text }: { site?: string }, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const site = await findSite(client, text);
      const [view, overrides] = await Promise.all([
        client.cleaning.sitePolicy.query({ siteId: site.id }),
        client.cleaning.overrides.query({ scopeId: site.id }),
      ]);
      const parts: Part[] = [
        {
          facts: [
            ["site", view.site],
            ["version", String(view.version)],
            ["since", printer.timeAndAge(view.createdAt)],
            ["by", view.createdByName],
            ...flat(view.policy, ""),
          ],
        },
        ...(overrides.length === 0
          ? []
          : [{ title: "Priorities of the site", table: printer.table(overrides, columns) }]),
      ];
      printer.show({ ...view, overrides }, parts);
    });
  addPriorities(policy, surroundings);
  addAutomatedClean(policy, surroundings);
  addLimits(policy, surroundings);
  addPolicyEffects(policy, surroundings);
}
