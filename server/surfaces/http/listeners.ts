// The listeners of a process: one for people and programs, and one for hosts if that is wanted (docs/operations.md#a-listener-for-hosts).
import { createServer, type Server } from "node:http";
import { limitWaits, type ConnectionLimit } from "@/server/surfaces/http/connection-limit";
import type { ReceivedBytes } from "@/server/surfaces/http/counted-body";
import { createFront, type FrontDeps, type RequestListener } from "@/server/surfaces/http/front";

export interface SocketAddress {
  readonly address: string;
  readonly port: number;
}

export interface ListenersDeps extends Omit<FrontDeps, "hostsElsewhere"> {
  /** `/boot` and `/agent`, if they have a listener of their own. */
  readonly hosts: RequestListener;
  /** The limits are of the process, however many listeners it has. */
  readonly connections: ConnectionLimit;
  readonly received: ReceivedBytes;
  readonly keepAliveMs: number;
  readonly at: SocketAddress;
  /** Null: everything is answered by one listener. */
  readonly hostsAt: SocketAddress | null;
}

/** The first one is that for people and programs. */
export async function openListeners({
  hosts,
  at,
  hostsAt,
  keepAliveMs,
  ...deps
}: ListenersDeps): Promise<readonly Server[]> {
  const { connections, received, trustedProxies } = deps;
  const open = (front: RequestListener, where: SocketAddress): Promise<Server> => {
    const server = createServer(front);
    // `Expect: 100-continue`: without this Node itself would tell the client to send its body.
    server.on("checkContinue", front);
    server.on("connection", (socket) => connections.connected(socket));
    limitWaits(server, keepAliveMs);
    return listen(server, where);
  };
  const first = await open(createFront({ ...deps, hostsElsewhere: hostsAt !== null }), at);
  if (hostsAt === null) return [first];
  const own = createFront({ machine: hosts, pages: null, connections, received, trustedProxies });
  return [first, await open(own, hostsAt)];
}

const listen = (server: Server, { address, port }: SocketAddress): Promise<Server> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, address, () => {
      server.off("error", reject);
      resolve(server);
    });
  });
