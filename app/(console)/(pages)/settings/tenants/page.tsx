// Tenants of all sites, what they may do at each, and their quotas.
import type { Metadata } from "next";
import { NoPermission } from "@/components/frame/no-permission";
import { TenantsPage } from "@/components/sites/tenants/tenants-page";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";
import { readSite } from "@/app/(console)/(pages)/settings/read-site";
import { toSearch, type SearchParams } from "@/app/search";

export const metadata: Metadata = { title: "Tenants" };

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const me = await requireMe();
  if (!me.pages.includes("settings")) return <NoPermission title="Tenants" me={me} />;
  await Promise.all([
    readSite(toSearch(await searchParams).get("site")),
    getQueryClient().fetchQuery(serverTrpc().tenants.list.queryOptions()),
  ]);
  return (
    <Hydrate>
      <TenantsPage />
    </Hydrate>
  );
}
