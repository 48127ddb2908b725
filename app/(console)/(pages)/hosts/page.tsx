// Hosts; the first page of rows is read here, for the view that the URL holds.
import type { Metadata } from "next";
import { NoPermission } from "@/components/frame/no-permission";
import { HostsPage } from "@/components/hosts/hosts-page";
import { hostsQuery } from "@/components/hosts/hosts-query";
import { parseHostsView } from "@/components/hosts/hosts-view";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";
import { toSearch, type SearchParams } from "@/app/search";

export const metadata: Metadata = { title: "Hosts" };

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const me = await requireMe();
  if (!me.pages.includes("hosts")) return <NoPermission title="Hosts" me={me} />;
  const view = parseHostsView(toSearch(await searchParams));
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
