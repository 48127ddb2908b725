// The versions of a site: `reclaim site history`, `restore`, and comparing two of them.
import type { Command } from "commander";
import { contract } from "@/server/contract/contract";
import { formatChange } from "@/server/domain/sites/difference";
import type { SiteVersionLine } from "@/server/surfaces/trpc/types";
import { policyEffects } from "@/cli/commands/sites/site-effects";
import { changeColumns, printApplied } from "@/cli/commands/sites/site-output";
import { CommandError } from "@/cli/exit-codes";
import { findSite } from "@/cli/find";
import { readCount } from "@/cli/options";
import type { Column } from "@/cli/output/printer";
import { confirm, openShell } from "@/cli/shell";
import type { Shell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

/** Compares two versions, or one with the site as it is now. */
export async function diffVersions(
  { client, printer }: Shell,
  text: string | undefined,
  { from, to }: { readonly from: number; readonly to?: number },
): Promise<void> {
  const { name } = await findSite(client, text);
  const compared = await client.site.difference.query({ site: name, from, to: to ?? null });
  printer.list(compared.changes, changeColumns, "The versions are the same.");
}

interface RestoreAsked {
  readonly site?: string;
  readonly shared?: true;
  readonly reason?: string;
}

export function addRestore(site: Command, surroundings: Surroundings): void {
  site
    .command("restore")
    .description("restores a site to an earlier version; shows first what cannot be restored")
    .argument("<version>", "`reclaim site history` lists them", readCount)
    .option("--site <site>", "which one, if there are several")
    .option("--shared", "with the SKUs and tenants, which belong to all sites")
    .option("--reason <words>", "kept in the history and the audit log, such as the ticket")
    .action(async (version: number, { site: text, shared, reason }: RestoreAsked, command: Command) => {
      const shell = await openShell(command, surroundings);
      const { client } = shell;
      const { name } = await findSite(client, text);
      const plan = await client.site.previewRestore.query({
        site: name,
        version,
        shared: shared === true,
      });
      const document = JSON.stringify(plan.document);
      for (const words of plan.kept) shell.printer.say(words);
      if (plan.changes.length > 0)
        await confirm(
          shell,
          [
            ...plan.changes.map(formatChange),
            ...(shell.settings.yes ? [] : await policyEffects(client, document, { ...plan, created: false })),
          ],
          `Restore version ${version} of site ${name}?`,
        );
      printApplied(
        shell,
        await client.site.apply.mutate({
          document,
          revision: plan.revision,
          reason: reason ?? `Restore version ${version}`,
        }),
        false,
      );
    });
}

const versionColumns: readonly Column<SiteVersionLine>[] = [
  { name: "version", value: (row) => row.version },
  { name: "at", value: (row) => row.at },
  { name: "by", value: (row) => row.byName, text: (row) => row.byName ?? "other changes" },
  { name: "changes", value: (row) => row.changes.length },
  { name: "reason", value: (row) => row.reason },
];

export function addHistory(site: Command, surroundings: Surroundings): void {
  site
    .command("history")
    .description(contract.site.versions.title)
    .argument("[site]", "which one, if there are several")
    .option("--at <version>", "what changed in this version", readCount)
    .option("--limit <number>", "maximum number, newest first; default 50", readCount)
    .action(
      async (
        text: string | undefined,
        { at: version, limit = 50 }: { at?: number; limit?: number },
        command: Command,
      ) => {
        const { client, printer } = await openShell(command, surroundings);
        const { name } = await findSite(client, text);
        if (version === undefined)
          return printer.list(
            await client.site.versions.query({ site: name, limit: Math.min(limit, 200) }),
            versionColumns,
            "No document has been applied yet.",
          );
        const [line] = await client.site.versions.query({ site: name, before: version + 1, limit: 1 });
        if (line?.version !== version)
          throw new CommandError("notFound", `The site ${name} has no version ${version}.`);
        printer.list(line.changes, changeColumns, "Nothing changed in this version.");
      },
    );
}
