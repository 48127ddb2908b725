// The fleet page; users who may not see it are redirected to the first page they may.
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { FleetPage } from "@/components/fleet/fleet-page";
import { pages } from "@/server/domain/console/routes";
import { getQueryClient, Hydrate, readOr404, requireMe, serverTrpc } from "@/app/server-api";
import { toSearch, type SearchParams } from "@/app/search";
import { parseFleetView } from "@/components/fleet/fleet-view";

export const metadata: Metadata = { title: "Fleet" };

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const me = await requireMe();
  if (!me.pages.includes("fleet")) redirect(pages[me.pages[0] ?? "next"].href);
  const client = getQueryClient();
  const view = parseFleetView(toSearch(await searchParams));
  await readOr404(() =>
    Promise.all([
      client.fetchQuery(serverTrpc().fleet.summary.queryOptions(view)),
      client.fetchQuery(serverTrpc().queue.get.queryOptions()),
    ]),
  );
  return (
    <Hydrate>
      <FleetPage />
    </Hydrate>
  );
}
