// One bulk act. The first page of its hosts is prefetched, for the status in the URL.
import type { Metadata } from "next";
import { RunPage } from "@/components/hosts/bulk/run-page";
import { parseRunStatus, runQuery } from "@/components/hosts/bulk/run-view";
import { NoPermission } from "@/components/frame/no-permission";
import { getQueryClient, Hydrate, readOr404, requireMe, serverTrpc } from "@/app/server-api";
import { toSearch, type SearchParams } from "@/app/search";

export const metadata: Metadata = { title: "Run" };

export default async function Page({
  params,
  searchParams,
}: {
  params: Promise<{ run: string }>;
  searchParams: SearchParams;
}) {
  const me = await requireMe();
  if (!me.pages.includes("cleaning")) return <NoPermission title="Run" me={me} />;
  const { run: id } = await params;
  const status = parseRunStatus(toSearch(await searchParams));
  await readOr404(() =>
    getQueryClient().fetchInfiniteQuery(
      serverTrpc().bulk.progress.infiniteQueryOptions(runQuery(id, status), {
        getNextPageParam: (page) => page.nextCursor,
      }),
    ),
  );
  return (
    <Hydrate>
      <RunPage id={id} status={status} />
    </Hydrate>
  );
}
