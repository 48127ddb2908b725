// SKUs, and hosts without one.
import type { Metadata } from "next";
import { NoPermission } from "@/components/frame/no-permission";
import { SkusPage } from "@/components/hosts/skus/skus-page";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";

export const metadata: Metadata = { title: "SKUs" };

export default async function Page() {
  const me = await requireMe();
  if (!me.pages.includes("skus")) return <NoPermission title="SKUs" me={me} />;
  await getQueryClient().fetchQuery(serverTrpc().skus.list.queryOptions());
  return (
    <Hydrate>
      <SkusPage />
    </Hydrate>
  );
}
