// How long a connection may be silent, and how many connections, or requests that a trusted proxy passes on, one address may have at a time
// (docs/security.md#the-console).
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { addressGroup } from "@/server/domain/access/sign-in-limits";
import { isProvisioningAddress } from "@/server/agents/boot/provisioning-networks";
import { clientAddress } from "@/server/surfaces/http/client-address";

export interface ConnectionLimitOptions {
  readonly mostOfOne: number;
  /** Their connections are those of many callers, so their requests are counted instead, by the address that the proxy names. */
  readonly trustedProxies: readonly string[];
  /** Networks whose connections are not counted: programs on this machine, such as a supervisor, must get through a flood. */
  readonly uncounted: readonly string[];
}

/** How long a refused connection may take to send a request, and read why it is refused. */
const lingerMs = 2_000;

export class ConnectionLimit {
  readonly #options: ConnectionLimitOptions;
  readonly #counts = new Map<string, number>();
  readonly #refused = new WeakSet<Socket>();

  constructor(options: ConnectionLimitOptions) {
    this.#options = options;
  }

  /** For the event `connection` of the server. */
  connected(socket: Socket): void {
    const { uncounted, trustedProxies } = this.#options;
    const address = clientAddress({ socket, headers: {} }, []);
    if (address === "" || [uncounted, trustedProxies].some((list) => isProvisioningAddress(address, list)))
      return;
    const giveBack = this.#take(address);
    if (giveBack !== null) return void socket.once("close", giveBack);
    this.#refused.add(socket);
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once("close", () => clearTimeout(timer));
  }

  /** Whether the request may be served. Its place, if it needs one, is free again when its answer was sent. */
  admits(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.#refused.has(request.socket)) return false;
    const { trustedProxies } = this.#options;
    if (trustedProxies.length === 0) return true;
    const address = clientAddress(request, trustedProxies);
    if (address === clientAddress(request, [])) return true;
    const giveBack = this.#take(address);
    if (giveBack === null) return false;
    response.once("close", giveBack);
    return true;
  }

  #take(address: string): (() => void) | null {
    const group = addressGroup(address);
    const taken = this.#counts.get(group) ?? 0;
    // safety: front: the connections of one address
    if (taken >= this.#options.mostOfOne) return null;
    this.#counts.set(group, taken + 1);
    return () => {
      const left = (this.#counts.get(group) ?? 0) - 1;
      if (left > 0) this.#counts.set(group, left);
      else this.#counts.delete(group);
    };
  }
}

/**
 * Held polls and streams end by themselves; a client that sends nothing must not hold a socket for ever. A load balancer must be the first to close
 * an idle connection: a request that it sends while we close one is lost. A connection that it opened ahead has sent no header yet.
 */
export function limitWaits(server: Server, keepAliveMs: number): void {
  server.keepAliveTimeout = keepAliveMs;
  server.headersTimeout = keepAliveMs + 5_000;
  server.requestTimeout = keepAliveMs + 10_000;
}
