// Whether an address is in a site's provisioning networks.
import { BlockList, isIP } from "node:net";
import { z } from "zod";

const networks = z.array(z.string().min(1));
const built = new Map<string, BlockList>();

function add(list: BlockList, network: string): void {
  if (network === "loopback") {
    list.addSubnet("127.0.0.0", 8, "ipv4");
    list.addAddress("::1", "ipv6");
    return;
  }
  const [address = "", bits] = network.split("/", 2);
  const version = isIP(address);
  if (version === 0)
    throw new Error(`the site's policy contains an invalid provisioning network: ${network}`);
  list.addSubnet(
    address,
    bits === undefined ? (version === 4 ? 32 : 128) : Number(bits),
    version === 4 ? "ipv4" : "ipv6",
  );
}

/** `policy` is the list from a site's policy as stored: CIDRs or `loopback`. IPv4-mapped IPv6 addresses count as IPv4. */
export function isProvisioningAddress(address: string, policy: unknown): boolean {
  const key = JSON.stringify(policy);
  let list = built.get(key);
  if (list === undefined) {
    list = new BlockList();
    for (const network of networks.parse(policy)) add(list, network);
    if (built.size > 1_000) built.clear();
    built.set(key, list);
  }
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  const version = isIP(plain);
  return version !== 0 && list.check(plain, version === 4 ? "ipv4" : "ipv6");
}
