// Names for what an instance will hold of the site's network: a prefix, a loopback and a segment. This version keeps them to itself: no network is told of them.
import { createHash } from "node:crypto";

export interface NetworkResourceValue {
  readonly kind: "prefix" | "loopback" | "segment";
  readonly value: string;
}

/**
 * Follows from the instance's id alone, so that no counter is shared between claims. 40 bits of its SHA-256 are the global id of a unique
 * local IPv6 prefix (RFC 4193), in which two instances meet with a chance of about one in a million among a thousand.
 */
export function networkResources(instanceId: string): readonly NetworkResourceValue[] {
  const digest = createHash("sha256").update(instanceId).digest("hex");
  const prefix = `fd${digest.slice(0, 2)}:${digest.slice(2, 6)}:${digest.slice(6, 10)}`;
  return [
    { kind: "prefix", value: `${prefix}::/48` },
    { kind: "loopback", value: `${prefix}:ffff::1/128` },
    { kind: "segment", value: `vni-${(Number.parseInt(digest.slice(10, 16), 16) % 0xfffffe) + 1}` },
  ];
}
