// The erase policy of a site.
import type { Metadata } from "next";
import { ErasePolicyPage } from "@/components/erase-policy/erase-policy-page";
import { NoPermission } from "@/components/frame/no-permission";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";
import { toSearch, type SearchParams } from "@/app/search";

export const metadata: Metadata = { title: "Erase policy" };

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const me = await requireMe();
  if (!me.pages.includes("settings")) return <NoPermission title="Erase policy" me={me} />;
  const wanted = toSearch(await searchParams).get("site");
  const { cleaning } = serverTrpc();
  const client = getQueryClient();
  const { sites } = await client.fetchQuery(cleaning.scopes.queryOptions());
  const chosen = sites.find(({ name }) => name === wanted) ?? sites[0];
  if (chosen !== undefined) await client.fetchQuery(cleaning.sitePolicy.queryOptions({ siteId: chosen.id }));
  return (
    <Hydrate>
      <ErasePolicyPage />
    </Hydrate>
  );
}
