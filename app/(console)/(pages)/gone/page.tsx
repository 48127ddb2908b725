// Hosts that have left the fleet.
import type { Metadata } from "next";
import { GoneList } from "@/components/hosts/decommission/gone-list";
import { goneListQuery } from "@/components/hosts/decommission/gone-query";
import { NoPermission } from "@/components/frame/no-permission";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";

export const metadata: Metadata = { title: "Removed hosts" };

export default async function Page() {
  const me = await requireMe();
  if (!me.pages.includes("hosts")) return <NoPermission title="Removed hosts" me={me} />;
  await getQueryClient().fetchInfiniteQuery(goneListQuery(serverTrpc()));
  return (
    <Hydrate>
      <GoneList />
    </Hydrate>
  );
}
