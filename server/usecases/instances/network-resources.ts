// Reserves names for an instance's part of the site's network: a prefix, a loopback and a segment. This version does not configure any network with them.
import { createHash } from "node:crypto";

export interface NetworkResourceValue {
  readonly kind: "prefix" | "loopback" | "segment";
  readonly value: string;
}

/**
 * Derived from the instance's id alone, so that claims share no counter. 40 bits of its SHA-256 are the global id of a unique local IPv6 prefix (RFC 4193);
 * among a thousand instances, two collide with a probability of about one in a million.
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
