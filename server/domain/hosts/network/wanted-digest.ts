// The digest with which a network controller says which configuration it applied (docs/api.md#the-network-controllers-side).
import { hash } from "node:crypto";
import canonicalize from "canonicalize";
import type { NetworkWanted } from "@/server/domain/hosts/network/network-protocol";
import type { TenantNetwork } from "@/server/domain/hosts/network/tenant-network";

/** The exact text that is sent and hashed: canonical JSON (RFC 8785). Throws for a value that JSON cannot represent, which the type rules out. */
export function canonicalWanted(wanted: NetworkWanted): string {
  const text = canonicalize(wanted);
  if (text === undefined) throw new TypeError("the wanted network has no JSON form");
  return text;
}

/** SHA-256 of the canonical JSON in lower-case hexadecimal. An acknowledgement must contain the same. */
export function wantedDigest(wanted: NetworkWanted): string {
  return hash("sha256", canonicalWanted(wanted), "hex");
}

/** Whether a wanted network is the one that the tenant named. Compared canonically, because stored members have no order. */
export const isAttachedTo = ({ attachment }: NetworkWanted, named: TenantNetwork): boolean =>
  attachment !== undefined && canonicalize(attachment) === canonicalize(named);
