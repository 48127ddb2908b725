// What every page of settings begins with: the sites, and the settings of the one that the address names.
import { getQueryClient, serverTrpc } from "@/app/server-api";

/** @param wanted a site by name; null or unknown: the first */
export async function readSite(wanted: string | null): Promise<void> {
  const { cleaning, site, queue } = serverTrpc();
  const client = getQueryClient();
  const { sites } = await client.fetchQuery(cleaning.scopes.queryOptions());
  const chosen = sites.find(({ name }) => name === wanted) ?? sites[0];
  if (chosen === undefined) return;
  await Promise.all([
    client.fetchQuery(site.get.queryOptions({ site: chosen.name })),
    client.fetchQuery(site.lastChanges.queryOptions({ site: chosen.name })),
    client.fetchQuery(queue.get.queryOptions()),
  ]);
}
