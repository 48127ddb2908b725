// The queue before cleaning, with limits and brakes.
import type { Metadata } from "next";
import { NoPermission } from "@/components/frame/no-permission";
import { QueuePage } from "@/components/queue/queue-page";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";

export const metadata: Metadata = { title: "Queue" };

export default async function Page() {
  const me = await requireMe();
  if (!me.pages.includes("cleaning")) return <NoPermission title="Queue" me={me} />;
  await getQueryClient().fetchQuery(serverTrpc().queue.get.queryOptions());
  return (
    <Hydrate>
      <QueuePage />
    </Hydrate>
  );
}
