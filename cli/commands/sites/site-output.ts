// Output of `reclaim site`: changes, and what was applied.
import { unreadableText } from "@/server/domain/hosts/inventory/sku";
import type { SiteChange } from "@/server/domain/sites/difference";
import type { SiteApplied } from "@/server/surfaces/trpc/types";
import type { Column } from "@/cli/output/printer";
import type { Shell } from "@/cli/shell";

export const changeColumns: readonly Column<SiteChange>[] = [
  { name: "change", value: (row) => row.kind },
  { name: "setting", value: (row) => row.path.join(".") },
  { name: "before", value: (row) => (row.before === null ? null : JSON.stringify(row.before)) },
  { name: "after", value: (row) => (row.after === null ? null : JSON.stringify(row.after)) },
];

/** What was done, or in a dry run would be. */
export function printApplied({ printer, settings }: Shell, answer: SiteApplied, dryRun: boolean): void {
  const { site, changes, version } = answer;
  for (const sku of answer.unreadable) printer.say(unreadableText(sku));
  if (settings.output !== "table") printer.show(answer, []);
  if (version !== null)
    return printer.say(`Site ${site}: ${answer.created ? "created" : "applied"} as version ${version}.`);
  if (settings.output === "table" && dryRun) printer.list(changes, changeColumns, "");
  printer.say(
    dryRun && (changes.length > 0 || answer.created)
      ? `Site ${site}: dry run, nothing was changed.`
      : `Site ${site} matches the document. Nothing was changed.`,
  );
}
