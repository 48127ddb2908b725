// Why machines left and came back. A tenant sees its own.
import type { Metadata } from "next";
import { NoPermission } from "@/components/frame/no-permission";
import { CapacityPage } from "@/components/break-fix/tickets/capacity-page";
import { capacityQuery } from "@/components/break-fix/tickets/tickets-query";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";

export const metadata: Metadata = { title: "Capacity" };

export default async function Page() {
  const me = await requireMe();
  if (!me.pages.includes("tickets")) return <NoPermission title="Tickets" me={me} />;
  await getQueryClient().fetchQuery(capacityQuery(serverTrpc()));
  return (
    <Hydrate>
      <CapacityPage />
    </Hydrate>
  );
}
