// Repair: hosts that ask for one, those that a repair tenant has, and how repairs ended.
import type { Metadata } from "next";
import { NoPermission } from "@/components/frame/no-permission";
import { RepairPage } from "@/components/repair/repair-page";
import { parseRepairView, queueQuery } from "@/components/repair/repair-view";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";
import { toSearch, type SearchParams } from "@/app/search";

export const metadata: Metadata = { title: "Repair" };

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const me = await requireMe();
  if (!me.pages.includes("repair")) return <NoPermission title="Repair" me={me} />;
  const view = parseRepairView(toSearch(await searchParams));
  await getQueryClient().fetchInfiniteQuery(
    serverTrpc().repair.queue.infiniteQueryOptions(queueQuery, {
      getNextPageParam: (page) => page.nextCursor,
    }),
  );
  return (
    <Hydrate>
      <RepairPage view={view} />
    </Hydrate>
  );
}
