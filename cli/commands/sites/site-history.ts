// The versions of a site: `reclaim site history`, `restore`, and comparing two of them.
import { z } from "zod";
import { contract } from "@/server/contract/contract";
import { formatChange } from "@/server/domain/sites/difference";
import type { SiteVersionLine } from "@/server/surfaces/trpc/types";
import { policyEffects } from "@/cli/commands/sites/site-effects";
import { changeColumns, printApplied } from "@/cli/commands/sites/site-output";
import { command } from "@/cli/define/command";
import { flag, needed, opt, parsed, siteArg, siteOr, usually } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import { readCount } from "@/cli/options";
import type { Column } from "@/cli/output/printer";
import { confirm } from "@/cli/shell";
import type { Shell } from "@/cli/shell";

/** Compares two versions, or one with the site as it is now. */
export async function diffVersions(
  { client, printer }: Shell,
  name: string,
  { from, to }: { readonly from: number; readonly to: number | undefined },
): Promise<void> {
  const compared = await client.site.difference.query({ site: name, from, to: to ?? null });
  printer.list(compared.changes, changeColumns, "The versions are the same.");
}

export const restore = command("site restore", {
  title: "restores a site to an earlier version; shows first what cannot be restored",
  uses: ["site.previewRestore", "site.apply"],
  shape: contract.site.apply.output,
  args: { version: needed(parsed("<version>", "version from `reclaim site history`", readCount)) },
  options: {
    site: siteOr(),
    shared: flag("also restore SKUs and tenants, which belong to all sites"),
    reason: opt("<text>", "why, for example the ticket; kept in the history and the audit log"),
  },
  run: async (shell, { version, site: { name }, shared, reason }) => {
    const { client } = shell;
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
  },
});

const versionColumns: readonly Column<SiteVersionLine>[] = [
  { name: "version", value: (row) => row.version },
  { name: "at", value: (row) => row.at },
  { name: "by", value: (row) => row.byName, text: (row) => row.byName ?? "other changes" },
  { name: "changes", value: (row) => row.changes.length },
  { name: "reason", value: (row) => row.reason },
];

export const history = command("site history", {
  title: contract.site.versions.title,
  uses: ["site.versions"],
  shape: z.union([contract.site.versions.output, contract.site.compare.output.unwrap().shape.changes]),
  args: { site: siteArg },
  options: {
    at: parsed("<version>", "what changed in this version", readCount),
    limit: usually(parsed("<number>", "maximum number, newest first", readCount), 50),
  },
  run: async ({ client, printer }, { site: { name }, at: version, limit }) => {
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
});
