// How a document's policy would have affected recorded reclamations, shown before it is applied, as in the console's dialog (docs/adr/0053-policy-foresight.md).
import { parseSiteDocument } from "@/server/domain/sites/parse-document";
import type { PolicyEffects, SiteApplied } from "@/server/surfaces/trpc/types";
import type { Client } from "@/cli/client";
import { findSite } from "@/cli/find";
import { formatCounted } from "@/server/domain/numbers";

const bearing: ReadonlySet<string> = new Set(["policy", "priorities"]);

/** A line for each setting that would have had an effect, and one for the settings that no record can evaluate. Pure. */
function effectLines({ effects, erase, models, reclamations }: PolicyEffects): readonly string[] {
  const cannot = models.reduce((sum, row) => sum + row.cannot, 0);
  const unknown = effects.filter(({ kind }) => kind === "unknown").map(({ setting }) => setting);
  return [
    ...effects
      .filter(({ kind }) => kind === "otherwise")
      .map(({ setting, words }) => `${setting}: ${words}.`),
    ...(unknown.length === 0 ? [] : [`Not recorded what this would have changed: ${unknown.join("; ")}.`]),
    ...(erase
      ? [
          `Erase policy: ${formatCounted(cannot, "known drive")} cannot meet it; of ${formatCounted(reclamations.total, "reclamation")} of the last 90 days ${reclamations.stop} would have stopped, ${reclamations.unknown} are unknown.`,
        ]
      : []),
  ];
}

/** Empty if the site is new, or if the document changes neither policy nor priorities. */
export async function policyEffects(
  client: Client,
  text: string,
  { created, site, changes }: Pick<SiteApplied, "created" | "site" | "changes">,
): Promise<readonly string[]> {
  if (created || !changes.some(({ path: [part = ""] }) => bearing.has(part))) return [];
  const parsed = parseSiteDocument(text);
  if (!parsed.ok) return [];
  const { id: siteId } = await findSite(client, site);
  const { policy, priorities } = parsed.document;
  return effectLines(await client.policy.preview.query({ siteId, policy, priorities }));
}
