// `reclaim site`: a site as a document: export, diff, apply, history, restore.
import { dirname } from "node:path";
import { stringify } from "yaml";
import { contract } from "@/server/contract/contract";
import { authorities } from "@/cli/commands/sites/authorities";
import { policyEffects } from "@/cli/commands/sites/site-effects";
import { diffVersions, history, restore } from "@/cli/commands/sites/site-history";
import { changeColumns, printApplied } from "@/cli/commands/sites/site-output";
import { unreadableText } from "@/server/domain/hosts/inventory/sku";
import { formatChange } from "@/server/domain/sites/difference";
import { secretName, secretReferences } from "@/server/domain/sites/document";
import { parseSiteDocument } from "@/server/domain/sites/parse-document";
import type { SiteView } from "@/server/surfaces/trpc/types";
import { command } from "@/cli/define/command";
import { arg, flag, needed, opt, parsed, siteArg } from "@/cli/define/values";
import type { Given } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import { findSite } from "@/cli/find";
import { readCount } from "@/cli/options";
import { readNamedSecrets } from "@/cli/settings/secrets";
import { confirm, readText } from "@/cli/shell";
import type { Shell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

/** The values of the secrets that the document refers to. Empty for an invalid document: the server reports its faults. */
async function readSecrets(
  text: string,
  file: string,
  surroundings: Surroundings,
): Promise<Readonly<Record<string, string>>> {
  const parsed = parseSiteDocument(text);
  if (!parsed.ok) return {};
  const names = secretReferences(parsed.document).flatMap(({ reference }) => secretName(reference) ?? []);
  return readNamedSecrets("The document", names, file === "-" ? "." : dirname(file), surroundings);
}

/** YAML that can be applied again; its first lines say what it is. */
function documentText({ site, version, revision, document }: SiteView, url: string): string {
  const which =
    revision === null
      ? `version ${version ?? ""}`
      : version === null
        ? "no document was applied yet"
        : `after version ${version}`;
  const { format, site: name, ...rest } = document;
  return [
    `# yaml-language-server: $schema=${url}/api/site.schema.json`,
    `# Site ${JSON.stringify(site)}, ${which}. Apply it with: reclaim site apply -f <file>`,
    ...(revision === null
      ? []
      : [
          "# It is applied only while the site is at this revision. Remove the line to apply it in any case.",
        ]),
    stringify(
      { format, site: name, ...(revision === null ? {} : { revision }), ...rest },
      { lineWidth: 0, aliasDuplicateObjects: false },
    ),
  ].join("\n");
}

const reasonOption = opt("<text>", "why, for example the ticket; kept in the history and the audit log");
const file = { ...opt("<file>", "YAML or JSON, or - for stdin"), short: "f" };

const applyOptions = {
  file: needed(file),
  dryRun: flag("show what would change, and change nothing"),
  create: flag("create the site if it does not exist"),
  reason: reasonOption,
};

async function apply(shell: Shell, asked: Given<typeof applyOptions>): Promise<void> {
  const { client, printer, surroundings, settings } = shell;
  const document = await readText("document", asked.file, surroundings);
  const given = {
    document,
    secrets: await readSecrets(document, asked.file, surroundings),
    create: asked.create === true,
    reason: asked.reason ?? `reclaim site apply -f ${asked.file}`.slice(0, 500),
  };
  if (asked.dryRun === true) {
    const tried = await client.site.apply.mutate({ ...given, dryRun: true });
    printApplied(shell, tried, true);
    for (const line of await policyEffects(client, document, tried)) printer.say(line);
    return;
  }
  if (settings.yes) return printApplied(shell, await client.site.apply.mutate(given), false);
  // Apply exactly what was confirmed: the server refuses if the site has changed since.
  const plan = await client.site.apply.mutate({ ...given, dryRun: true });
  if (plan.changes.length === 0 && !plan.created) return printApplied(shell, plan, false);
  await confirm(
    shell,
    [
      ...(plan.created ? [`The site ${plan.site} is created.`] : []),
      ...plan.changes.map(formatChange),
      ...(await policyEffects(client, document, plan)),
    ],
    `Apply to site ${plan.site}?`,
  );
  const { revision } = plan;
  printApplied(
    shell,
    await client.site.apply.mutate({ ...given, ...(revision === null ? {} : { revision }) }),
    false,
  );
}

export const site = [
  command("site export", {
    title: "a site as a document; without its secrets",
    uses: ["site.get"],
    shape: contract.site.get.output.unwrap().shape.document,
    args: { site: siteArg },
    options: { at: parsed("<version>", "export an earlier version", readCount) },
    run: async ({ client, printer, settings }, { site: { name }, at: version }) => {
      const view = await client.site.get.query({ site: name, ...(version === undefined ? {} : { version }) });
      for (const sku of view.unreadable) printer.say(unreadableText(sku));
      if (settings.output === "json") return printer.show(view.document, []);
      printer.text(documentText(view, settings.url));
    },
  }),
  command("site diff", {
    title: "what a document would change at its site, or what differs between two versions",
    uses: ["site.compare", "site.difference"],
    shape: contract.site.compare.output.unwrap().shape.changes,
    args: { site: arg("[site]", "with --from: which one, if there are several") },
    options: {
      file,
      from: parsed("<version>", "an earlier version", readCount),
      to: parsed("<version>", "another one; default: the current site", readCount),
    },
    examples: ["site diff -f dfw.yaml", "site diff dfw --from 12 --to 14"],
    run: async (shell, { site: text, file: path, from, to }) => {
      const { client, printer } = shell;
      if (from !== undefined && path === undefined)
        return diffVersions(shell, (await findSite(client, text)).name, { from, to });
      if (path === undefined || from !== undefined)
        throw new CommandError("usage", "Name a document by --file or a version by --from.");
      const document = await readText("document", path, shell.surroundings);
      const compared = await client.site.compare.query({ document });
      if (!compared.exists) printer.say(`There is no site ${compared.site}: compared with a new one.`);
      for (const sku of compared.unreadable) printer.say(unreadableText(sku));
      printer.list(compared.changes, changeColumns, `Site ${compared.site} matches the document.`);
    },
  }),
  command("site apply", {
    title: contract.site.apply.title,
    uses: ["site.apply"],
    shape: contract.site.apply.output,
    options: applyOptions,
    examples: ["site apply -f dfw.yaml --dry-run"],
    run: apply,
  }),
  history,
  restore,
  authorities,
];
