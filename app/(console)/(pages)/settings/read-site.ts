// Prefetches what every settings page needs: the sites, and the settings of the site in the URL.
import { notFound } from "next/navigation";
import { getQueryClient, serverTrpc } from "@/app/server-api";

/** @param wanted a site's name, or null for the first site. An unknown name never falls back to another site. */
export async function readSite(wanted: string | null): Promise<void> {
  const { cleaning, site, queue } = serverTrpc();
  const client = getQueryClient();
  const { sites } = await client.fetchQuery(cleaning.scopes.queryOptions());
  const chosen = wanted === null ? sites[0] : sites.find(({ name }) => name === wanted);
  if (chosen === undefined && wanted !== null) notFound();
  if (chosen === undefined) return;
  await Promise.all([
    client.fetchQuery(site.get.queryOptions({ site: chosen.name })),
    client.fetchQuery(site.lastChanges.queryOptions({ site: chosen.name })),
    client.fetchQuery(queue.get.queryOptions()),
  ]);
}
