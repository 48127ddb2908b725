// The admission queue, with limits and brakes.
import type { Metadata } from "next";
import { NoPermission } from "@/components/frame/no-permission";
import { QueuePage } from "@/components/cleaning/queue/queue-page";
import { queueQuery } from "@/components/cleaning/queue/queue-query";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";

export const metadata: Metadata = { title: "Queue" };

export default async function Page() {
  const me = await requireMe();
  if (!me.pages.includes("cleaning")) return <NoPermission title="Queue" me={me} />;
  const [client, trpc] = [getQueryClient(), serverTrpc()];
  const { sites } = await client.fetchQuery(trpc.queue.get.queryOptions());
  await Promise.all(
    sites
      .filter(({ waiting }) => waiting > 0)
      .map(({ siteId }) =>
        client.fetchInfiniteQuery(
          trpc.queue.hosts.infiniteQueryOptions(queueQuery(siteId), {
            getNextPageParam: (page) => page.nextCursor,
          }),
        ),
      ),
  );
  return (
    <Hydrate>
      <QueuePage />
    </Hydrate>
  );
}
