// One ticket with its updates, by its reference or id.
import type { Metadata } from "next";
import { NoPermission } from "@/components/frame/no-permission";
import { TicketPage } from "@/components/break-fix/tickets/ticket-page";
import { getQueryClient, Hydrate, readOr404, requireMe, serverTrpc } from "@/app/server-api";

interface Props {
  params: Promise<{ ticket: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Ticket ${decodeURIComponent((await params).ticket)}` };
}

export default async function Page({ params }: Props) {
  const me = await requireMe();
  if (!me.pages.includes("tickets")) return <NoPermission title="Ticket" me={me} />;
  const ticket = decodeURIComponent((await params).ticket);
  await readOr404(() => getQueryClient().fetchQuery(serverTrpc().tickets.get.queryOptions({ ticket })));
  return (
    <Hydrate>
      <TicketPage ticket={ticket} />
    </Hydrate>
  );
}
