// Repair: hosts that need one, those that a repair tenant has, and outcomes of earlier repairs.
import type { Metadata } from "next";
import { NoPermission } from "@/components/frame/no-permission";
import { RepairPage } from "@/components/repair/repair-page";
import { outcomesQuery, parseRepairView, queueQuery } from "@/components/repair/repair-view";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";
import { toSearch, type SearchParams } from "@/app/search";

export const metadata: Metadata = { title: "Repair" };

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const me = await requireMe();
  if (!me.pages.includes("repair")) return <NoPermission title="Repair" me={me} />;
  const { tab } = parseRepairView(toSearch(await searchParams));
  const client = getQueryClient();
  const { repair } = serverTrpc();
  const getNextPageParam = (page: { nextCursor: string | null }) => page.nextCursor;
  await Promise.all([
    client.fetchInfiniteQuery(repair.queue.infiniteQueryOptions(queueQuery, { getNextPageParam })),
    client.fetchQuery(repair.held.queryOptions()),
    tab === "outcomes"
      ? client.fetchInfiniteQuery(repair.outcomes.infiniteQueryOptions(outcomesQuery, { getNextPageParam }))
      : null,
    tab === "offenders" ? client.fetchQuery(repair.offenders.queryOptions()) : null,
  ]);
  return (
    <Hydrate>
      <RepairPage />
    </Hydrate>
  );
}
