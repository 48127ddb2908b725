// Tickets and notices: what is wrong with machines, and what is announced for them. A tenant sees its own.
import type { Metadata } from "next";
import { NoPermission } from "@/components/frame/no-permission";
import { TicketsPage } from "@/components/break-fix/tickets/tickets-page";
import { noticesQuery, ticketsQuery, parseTicketsView } from "@/components/break-fix/tickets/tickets-query";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";
import { toSearch, type SearchParams } from "@/app/search";

export const metadata: Metadata = { title: "Tickets" };

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const me = await requireMe();
  if (!me.pages.includes("tickets")) return <NoPermission title="Tickets" me={me} />;
  const view = parseTicketsView(toSearch(await searchParams));
  await Promise.all([
    getQueryClient().fetchInfiniteQuery(ticketsQuery(serverTrpc(), view)),
    getQueryClient().fetchQuery(noticesQuery(serverTrpc())),
  ]);
  return (
    <Hydrate>
      <TicketsPage view={view} />
    </Hydrate>
  );
}
