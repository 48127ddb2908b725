// The network address of who asks: the socket's peer, or whom a configured proxy names. Every rule about addresses goes by it.
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { isProvisioningAddress } from "@/server/agents/boot/provisioning-networks";

/** Where the HTTP server tells Next's routes, which do not see the socket. What a caller sends under this name is overwritten. */
export const clientAddressHeader = "x-reclaim-client-address";

/** What a proxy said that is no address. It is in no network, and all such callers share one limit. */
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
 * `X-Forwarded-For` is read from its end, and only as far as configured proxies have written it: what stands before that anybody may have sent.
 * @param proxies networks in CIDR notation, or `loopback`; none: the header is never looked at
 */
export function clientAddress({ headers, socket }: Caller, proxies: readonly string[]): string {
  let address = plainAddress(socket.remoteAddress ?? "");
  const header = headers["x-forwarded-for"];
  const named = (Array.isArray(header) ? header.join(",") : (header ?? ""))
    .split(",")
    .filter((part) => part.trim() !== "");
  while (
    /* safety: client address: only configured proxies are believed → named.length > 0 */ isProvisioningAddress(
      address,
      proxies,
    )
  ) {
    // safety: client address: read from its end → named.shift()
    const before = named.pop();
    if (before === undefined) return address;
    address = plainAddress(before);
    if (isIP(address) === 0) return unknownAddress;
  }
  return address;
}
