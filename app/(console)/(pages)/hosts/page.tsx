// Hosts. The first page of rows is prefetched for the view in the URL; by default, the hosts that need attention.
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { NoPermission } from "@/components/frame/no-permission";
import { HostsPage } from "@/components/hosts/list/hosts-page";
import { hostsQuery } from "@/components/hosts/list/hosts-query";
import { landingFilter, parseHostsView } from "@/components/hosts/list/hosts-view";
import { routes } from "@/server/domain/console/routes";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";
import { toSearch, type SearchParams } from "@/app/search";

export const metadata: Metadata = { title: "Hosts" };

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const me = await requireMe();
  if (!me.pages.includes("hosts")) return <NoPermission title="Hosts" me={me} />;
  const search = toSearch(await searchParams);
  const views = await getQueryClient().fetchQuery(serverTrpc().hosts.views.queryOptions());
  const landing = landingFilter(search, views);
  if (landing !== null) redirect(routes.hosts({ q: landing }));
  const view = parseHostsView(search);
  await getQueryClient().fetchInfiniteQuery(
    serverTrpc().hosts.list.infiniteQueryOptions(hostsQuery(view), {
      getNextPageParam: (page) => page.nextCursor,
    }),
  );
  return (
    <Hydrate>
      <HostsPage />
    </Hydrate>
  );
}
