// The host of an address, read once for the layout and the page of one request.
import { redirect } from "next/navigation";
import { cache } from "react";
import { getQueryClient, isMissing, readOr404, serverTrpc } from "@/app/server-api";
import { routes } from "@/server/domain/console/routes";

/** By name or id; one that has left the fleet leads to its record, and one that never was is a page of its own. */
export const readHost = cache(async (host: string) => {
  const client = getQueryClient();
  const trpc = serverTrpc();
  try {
    return await client.fetchQuery(trpc.host.get.queryOptions({ host }));
  } catch (error) {
    if (!isMissing(error)) throw error;
    const { id } = await readOr404(() => client.fetchQuery(trpc.hosts.goneOne.queryOptions({ host })));
    redirect(routes.gone.one(id));
  }
});
