// Which addresses the controller may connect to: a BMC must be in one of the site's BMC networks (docs/security.md#outgoing-addresses).
import { BlockList, isIP } from "node:net";

/** Stands for 127.0.0.0/8 and ::1 in a list of networks. A CIDR never allows loopback. */
export const loopbackWord = "loopback";

const howToAllow = "To allow it, add its network there and restart the server";

export type AddressVerdict = { readonly ok: true } | { readonly ok: false; readonly reason: string };

type AddressKind = "loopback" | "link-local" | "unspecified" | "multicast" | "private" | "public";

const kinds: ReadonlyArray<readonly [AddressKind, BlockList]> = [
  ["loopback", listOf("127.0.0.0/8", "::1/128")],
  ["link-local", listOf("169.254.0.0/16", "fe80::/10")],
  ["unspecified", listOf("0.0.0.0/8", "::/128", "255.255.255.255/32")],
  ["multicast", listOf("224.0.0.0/4", "ff00::/8")],
  [
    "private",
    listOf(
      "10.0.0.0/8",
      "172.16.0.0/12",
      "192.168.0.0/16",
      "100.64.0.0/10",
      "fc00::/7",
      "fec0::/10",
      "192.0.0.0/24",
      "198.18.0.0/15",
      "240.0.0.0/4",
      "64:ff9b::/96",
      "64:ff9b:1::/48",
      "2002::/16",
    ),
  ],
];

/**
 * May the controller connect to this IP address of a BMC? `networks` are the site's BMC networks: CIDRs, or `loopback`.
 * Loopback is allowed only by that word. Link-local, unspecified and multicast addresses are never allowed, whatever the CIDRs cover.
 */
export function checkBmcAddress(address: string, networks: readonly string[]): AddressVerdict {
  return checkListed(
    address,
    networks,
    () => `${address} is in no network of the server's setting RECLAIM_BMC_NETWORKS. ${howToAllow}`,
  );
}

/** Whether an IP address is public: not private, loopback or otherwise special. */
export const isPublicAddress = (address: string): boolean => kindOf(withoutMapping(address)) === "public";

/** May the controller call a webhook at this IP address? Public ones always; private and loopback ones only if listed (docs/security.md#outgoing-addresses). */
export function checkWebhookAddress(address: string, networks: readonly string[]): AddressVerdict {
  if (isIP(address) !== 0 && kindOf(withoutMapping(address)) === "public") return { ok: true };
  return checkListed(
    address,
    networks,
    () =>
      `${address} is a private address in no network of the server's setting RECLAIM_BMC_NETWORKS. ${howToAllow}`,
  );
}

function checkListed(address: string, networks: readonly string[], unlisted: () => string): AddressVerdict {
  if (isIP(address) === 0) return { ok: false, reason: `${address} is not an IP address` };
  const plain = withoutMapping(address);
  const kind = kindOf(plain);
  if (kind === "link-local" || kind === "unspecified" || kind === "multicast")
    return { ok: false, reason: `${address} is ${kind}` };
  if (kind === "loopback")
    return networks.includes(loopbackWord)
      ? { ok: true }
      : {
          ok: false,
          reason: `${address} is loopback, this machine itself. To allow it, start the server with RECLAIM_BMC_NETWORKS=${[...networks, loopbackWord].join(",")}`,
        };
  return contains(cidrs(networks), plain) ? { ok: true } : { ok: false, reason: unlisted() };
}

/** The IPv4 address inside `::ffff:a.b.c.d`, in either notation: it is the same machine, so the same rule applies. */
function withoutMapping(address: string): string {
  if (isIP(address) !== 6) return address;
  // The URL parser puts every IPv6 address into its canonical form.
  const canonical = new URL(`http://[${address.split("%")[0] ?? address}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical);
  if (mapped?.[1] === undefined || mapped[2] === undefined) return canonical;
  const high = Number.parseInt(mapped[1], 16);
  const low = Number.parseInt(mapped[2], 16);
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

function kindOf(address: string): AddressKind {
  return kinds.find(([, list]) => contains(list, address))?.[0] ?? "public";
}

function contains(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

function listOf(...networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [base, bits] = network.split("/");
    if (base === undefined || bits === undefined || isIP(base) === 0)
      throw new TypeError(`${network} is not a network in CIDR notation`);
    list.addSubnet(base, Number(bits), isIP(base) === 6 ? "ipv6" : "ipv4");
  }
  return list;
}

const parsed = new WeakMap<readonly string[], BlockList>();

function cidrs(networks: readonly string[]): BlockList {
  const known = parsed.get(networks);
  if (known !== undefined) return known;
  const list = listOf(...networks.filter((network) => network !== loopbackWord));
  parsed.set(networks, list);
  return list;
}
