// Fleet; those who may not see it begin at the first page that they may.
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { FleetPage } from "@/components/fleet/fleet-page";
import { pages } from "@/server/domain/console/routes";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";

export const metadata: Metadata = { title: "Fleet" };

export default async function Page() {
  const me = await requireMe();
  if (!me.pages.includes("fleet")) redirect(pages[me.pages[0] ?? "instances"].href);
  const client = getQueryClient();
  await Promise.all([
    client.fetchQuery(serverTrpc().fleet.summary.queryOptions()),
    client.fetchQuery(serverTrpc().queue.get.queryOptions()),
  ]);
  return (
    <Hydrate>
      <FleetPage />
    </Hydrate>
  );
}
