// What a BMC says of its host: whether it is this host's at all, and what of it is kept.
import type { VerifyValue } from "@/server/controller/host/effect-outcome";
import type { HostPatch } from "@/server/controller/host/decision";
import { identify } from "@/server/controller/inventory/identity";
import type { Draft } from "@/server/controller/host/draft";

/** Why the BMC that answered is not this host's; null when it is. A host of which nobody knows who it is has none. */
export function otherHost(
  draft: Draft,
  found: Pick<VerifyValue, "system" | "macs" | "links">,
): string | null {
  const { host } = draft.view;
  if (host.serial === null || host.systemUuid === null) return "the host's own identity is not known";
  const identity = identify(host, found, null);
  return identity.kind === "refused" ? identity.message : null;
}

/** All that is kept of a reading. */
export function keptOf({
  links,
  system,
  macs,
  storage,
  firmware,
  platform,
  leftOut,
  unresolved,
}: VerifyValue): HostPatch {
  return {
    learned: null,
    links,
    manufacturer: system.manufacturer,
    model: system.model,
    powerState: system.power,
    macs,
    storage,
    firmware,
    platform,
    leftOut,
    unresolved,
  };
}
