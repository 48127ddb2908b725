// `reclaim policy`: a site's policy, priority overrides, automated cleaning on or off, and admission limits.
import { contract } from "@/server/contract/contract";
import { record } from "@/server/contract/define";
import type { OverrideLine } from "@/server/surfaces/trpc/types";
import type { Client } from "@/cli/client";
import { erase, preview } from "@/cli/commands/cleaning/policy/policy-effects";
import { limits } from "@/cli/commands/cleaning/policy/limits";
import { command, list } from "@/cli/define/command";
import { arg, needed, opt, parsed, siteOr } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import { findHost, findScope, parseStepName } from "@/cli/find";
import { readOnOff, readPriority } from "@/cli/options";
import { leftOutMeaning } from "@/server/domain/assurance/standing";
import { isErase } from "@/server/domain/cleaning/steps/catalogue";
import { durationText } from "@/cli/output/text";
import { formatCounted } from "@/server/domain/numbers";
import type { Column, Part } from "@/cli/output/printer";
import { confirm } from "@/cli/shell";

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

const scopeOptions = {
  site: opt("<site>", "for a site"),
  sku: opt("<sku>", "for a SKU"),
  host: opt("<host>", "for a host"),
};
const step = arg("<step>", "such as deploy.erase_nvme");

const priorities = [
  list("policy priorities list", {
    of: "cleaning.overrides",
    options: scopeOptions,
    input: async (scope, { client }) =>
      Object.values(scope).every((each) => each === undefined)
        ? {}
        : { scopeId: (await findScope(client, scope)).id },
    columns,
    none: "Every step has its default.",
  }),
  command("policy priorities set", {
    title: contract.cleaning.saveOverride.title,
    uses: ["cleaning.previewOverride", "cleaning.saveOverride"],
    args: { step, priority: needed(parsed("<priority>", "0 to 1000", readPriority)) },
    options: scopeOptions,
    examples: ["policy priorities set deploy.erase_nvme 95 --sku gpu-h100"],
    run: async (shell, { step: text, priority, ...options }) => {
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
                `${text} will no longer run on ${formatCounted(preview.hosts, "host")} of ${scope} ${name}, and these gates depend on it: ${preview.unproven.join(", ")}. A host with a debt whose gate is not proven does not become Ready.`,
              ]),
          ...(erases ? [`${leftOutMeaning}.`] : []),
        ];
        if (consequences.length > 0 && preview.ties.length === 0)
          await confirm(shell, consequences, "Set it?");
      }
      const saved = await shell.client.cleaning.saveOverride.mutate(change);
      shell.printer.say(
        `${text} has priority ${saved.priority} for ${scope} ${name}, from the next plan on.`,
      );
      if (erases) shell.printer.say(`${leftOutMeaning}.`);
    },
  }),
  command("policy priorities unset", {
    title: contract.cleaning.removeOverride.title,
    uses: ["cleaning.removeOverride"],
    args: { step },
    options: scopeOptions,
    run: async ({ client, printer }, { step: text, ...options }) => {
      const { scope, id, name } = await findScope(client, options);
      await client.cleaning.removeOverride.mutate({ scope, scopeId: id, ...parseStepName(text) });
      printer.say(`${text} no longer has an override for ${scope} ${name}.`);
    },
  }),
];

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

const automatedClean = command("policy automated-clean", {
  title: contract.cleaning.setSiteAutomatedClean.title,
  uses: ["cleaning.setSiteAutomatedClean", "cleaning.setHostAutomatedClean"],
  args: { word: arg("<on|off|default>", "default, for a host: inherited from its site") },
  options: { site: scopeOptions.site, host: scopeOptions.host },
  run: async (shell, { word, ...options }) => {
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
  },
});

export const policy = [
  command("policy show", {
    title: contract.cleaning.sitePolicy.title,
    uses: ["cleaning.sitePolicy"],
    shape: record({
      ...contract.cleaning.sitePolicy.output.unwrap().shape,
      overrides: contract.cleaning.overrides.output,
    }),
    options: { site: siteOr() },
    run: async ({ client, printer }, { site }) => {
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
    },
  }),
  ...priorities,
  automatedClean,
  limits,
  preview,
  erase,
];
