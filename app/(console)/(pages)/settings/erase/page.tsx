// The erase policy of a site.
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ErasePolicyPage } from "@/components/cleaning/policy/erase-policy-page";
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
  const chosen = wanted === null ? sites[0] : sites.find(({ name }) => name === wanted);
  if (chosen === undefined && wanted !== null) notFound();
  if (chosen !== undefined) await client.fetchQuery(cleaning.sitePolicy.queryOptions({ siteId: chosen.id }));
  return (
    <Hydrate>
      <ErasePolicyPage />
    </Hydrate>
  );
}
