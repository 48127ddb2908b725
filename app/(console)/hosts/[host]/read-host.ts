// The host in the URL, read once per request for both layout and page.
import { redirect } from "next/navigation";
import { cache } from "react";
import { getQueryClient, isMissing, readOr404, serverTrpc } from "@/app/server-api";
import { routes } from "@/server/domain/console/routes";

/** Finds a host by name or id. One that has left the fleet redirects to its record; an unknown one is a 404. */
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
