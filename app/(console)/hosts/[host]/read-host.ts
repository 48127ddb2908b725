// The host of an address, read once for the layout and the page of one request.
import { cache } from "react";
import { getQueryClient, readOr404, serverTrpc } from "@/app/server-api";

/** By name or id; a host that is not there is a page of its own. */
export const readHost = cache((host: string) =>
  readOr404(() => getQueryClient().fetchQuery(serverTrpc().host.get.queryOptions({ host }))),
);
