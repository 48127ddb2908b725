// Instances: a tenant sees its own, provider users see those of all tenants.
import type { Metadata } from "next";
import { NoPermission } from "@/components/frame/no-permission";
import { InstancesPage } from "@/components/instances/instances-page";
import { instancesQuery, parseInstancesView } from "@/components/instances/instances-view";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";
import { toSearch, type SearchParams } from "@/app/search";

export const metadata: Metadata = { title: "Instances" };

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const me = await requireMe();
  if (!me.pages.includes("instances")) return <NoPermission title="Instances" me={me} />;
  const view = parseInstancesView(toSearch(await searchParams));
  const trpc = serverTrpc();
  await Promise.all([
    getQueryClient().fetchInfiniteQuery(
      trpc.instances.list.infiniteQueryOptions(instancesQuery(view), {
        getNextPageParam: (page) => page.nextCursor,
      }),
    ),
    ...(me.tenant === null
      ? []
      : [getQueryClient().fetchQuery(trpc.notices.list.queryOptions({ status: "open" }))]),
  ]);
  return (
    <Hydrate>
      <InstancesPage />
    </Hydrate>
  );
}
