// The network address of a caller: the socket's peer, or the one that a configured proxy names. Every rule about addresses uses it.
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { isProvisioningAddress } from "@/server/agents/boot/provisioning-networks";

/** How the HTTP server passes it to Next's routes, which do not see the socket. A header of this name from a caller is overwritten. */
export const clientAddressHeader = "x-reclaim-client-address";

/** `1`: the request says that a proxy has passed it on, trusted or not; overwritten like the address. */
export const viaProxyHeader = "x-reclaim-via-proxy";

/** For a proxy's value that is not an address. It is in no network, and all such callers share one rate limit. */
const unknownAddress = "unknown";

/** Without a port, brackets, or the IPv6 form of an IPv4 address. */
function plainAddress(text: string): string {
  const trimmed = text.trim();
  const bare =
    /^\[(.+)\](?::\d+)?$/.exec(trimmed)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(trimmed)?.[1] ?? trimmed;
  return bare.replace(/^::ffff:(?=\d+\.)/i, "");
}

type Caller = Pick<IncomingMessage, "headers"> & {
  readonly socket: { readonly remoteAddress?: string | undefined };
};

/**
 * `X-Forwarded-For` is read from its end, and only as far as configured proxies have written it: anybody may have sent what stands before that.
 * @param proxies networks in CIDR notation, or `loopback`; none: the header is ignored
 */
export function clientAddress({ headers, socket }: Caller, proxies: readonly string[]): string {
  let address = plainAddress(socket.remoteAddress ?? "");
  const header = headers["x-forwarded-for"];
  const named = (Array.isArray(header) ? header.join(",") : (header ?? ""))
    .split(",")
    .filter((part) => part.trim() !== "");
  while (isProvisioningAddress(address, proxies)) {
    const before = named.pop();
    if (before === undefined) return address;
    address = plainAddress(before);
    if (isIP(address) === 0) return unknownAddress;
  }
  return address;
}
