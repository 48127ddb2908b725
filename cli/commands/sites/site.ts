// `reclaim site`: a site as a document: export, diff, apply, history, restore.
import { dirname } from "node:path";
import type { Command } from "commander";
import { stringify } from "yaml";
import { contract } from "@/server/contract/contract";
import { addAuthorities } from "@/cli/commands/sites/authorities";
import { policyEffects } from "@/cli/commands/sites/site-effects";
import { addHistory, addRestore, diffVersions } from "@/cli/commands/sites/site-history";
import { changeColumns, printApplied } from "@/cli/commands/sites/site-output";
import { unreadableText } from "@/server/domain/hosts/inventory/sku";
import { formatChange } from "@/server/domain/sites/difference";
import { secretName, secretReferences } from "@/server/domain/sites/document";
import { parseSiteDocument } from "@/server/domain/sites/parse-document";
import type { SiteView } from "@/server/surfaces/trpc/types";
import { CommandError } from "@/cli/exit-codes";
import { findSite } from "@/cli/find";
import { readCount } from "@/cli/options";
import { readNamedSecrets } from "@/cli/settings/secrets";
import { confirm, openShell, readText } from "@/cli/shell";
import type { Shell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

interface FileAsked {
  readonly file: string;
}

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

function addExport(site: Command, surroundings: Surroundings): void {
  site
    .command("export")
    .description("a site as a document; without its secrets")
    .argument("[site]", "which one, if there are several")
    .option("--at <version>", "as it was in an earlier version", readCount)
    .action(async (text: string | undefined, { at: version }: { at?: number }, command: Command) => {
      const { client, printer, settings } = await openShell(command, surroundings);
      const { name } = await findSite(client, text);
      const view = await client.site.get.query({ site: name, ...(version === undefined ? {} : { version }) });
      for (const sku of view.unreadable) printer.say(unreadableText(sku));
      if (settings.output === "json") return printer.show(view.document, []);
      printer.text(documentText(view, settings.url));
    });
}

interface DiffAsked {
  readonly file?: string;
  readonly from?: number;
  readonly to?: number;
}

function addDiff(site: Command, surroundings: Surroundings): void {
  site
    .command("diff")
    .description("what a document would change at its site, or what differs between two versions")
    .argument("[site]", "with --from: which one, if there are several")
    .option("-f, --file <file>", "YAML or JSON, or - for stdin")
    .option("--from <version>", "an earlier version", readCount)
    .option("--to <version>", "another one; default: the current site", readCount)
    .action(async (text: string | undefined, { file, from, to }: DiffAsked, command: Command) => {
      const shell = await openShell(command, surroundings);
      const { client, printer } = shell;
      if ((file === undefined) === (from === undefined))
        throw new CommandError("usage", "Name a document by --file or a version by --from.");
      if (from !== undefined) return diffVersions(shell, text, { from, ...(to === undefined ? {} : { to }) });
      if (file === undefined) return;
      const document = await readText("document", file, surroundings);
      const compared = await client.site.compare.query({ document });
      if (!compared.exists) printer.say(`There is no site ${compared.site}: compared with a new one.`);
      for (const sku of compared.unreadable) printer.say(unreadableText(sku));
      printer.list(compared.changes, changeColumns, `Site ${compared.site} matches the document.`);
    });
}

interface ApplyAsked extends FileAsked {
  readonly dryRun?: true;
  readonly create?: true;
  readonly reason?: string;
}

async function apply(shell: Shell, asked: ApplyAsked): Promise<void> {
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

function addApply(site: Command, surroundings: Surroundings): void {
  site
    .command("apply")
    .description(contract.site.apply.title)
    .requiredOption("-f, --file <file>", "YAML or JSON, or - for stdin")
    .option("--dry-run", "dry run: show what would change")
    .option("--create", "create the site if it does not exist")
    .option("--reason <words>", "kept in the history and the audit log, such as the ticket")
    .action(async (asked: ApplyAsked, command: Command) =>
      apply(await openShell(command, surroundings), asked),
    );
}

export function addSite(program: Command, surroundings: Surroundings): void {
  const site = program
    .command("site")
    .description("a site as a document: export, diff, apply, history, restore, authorities");
  addExport(site, surroundings);
  addDiff(site, surroundings);
  addApply(site, surroundings);
  addHistory(site, surroundings);
  addRestore(site, surroundings);
  addAuthorities(site, surroundings);
}
