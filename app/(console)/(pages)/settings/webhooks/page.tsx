// Webhooks: where events are sent. A tenant sees its own.
import type { Metadata } from "next";
import { NoPermission } from "@/components/frame/no-permission";
import { WebhooksPage } from "@/components/break-fix/webhooks/webhooks-page";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";
import { reachOf } from "@/server/domain/access/access";

export const metadata: Metadata = { title: "Webhooks" };

export default async function Page() {
  const me = await requireMe();
  if (reachOf(me.role, "webhook.read") === "none") return <NoPermission title="Webhooks" me={me} />;
  await getQueryClient().fetchQuery(serverTrpc().webhooks.list.queryOptions());
  return (
    <Hydrate>
      <WebhooksPage />
    </Hydrate>
  );
}
