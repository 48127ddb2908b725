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
  if (host.serial === null || host.systemUuid === null) return "the host's identity is not known";
  const identity = identify(host, found, null);
  return identity.kind === "refused" ? identity.message : null;
}

/** All that is kept of a reading. */
export const keptOf = (found: VerifyValue): HostPatch => ({
  learned: null,
  links: found.links,
  manufacturer: found.system.manufacturer,
  model: found.system.model,
  powerState: found.system.power,
  macs: found.macs,
  storage: found.storage,
  firmware: found.firmware,
  platform: found.platform,
  bios: found.bios,
  bmcSettings: found.bmcSettings,
  leftOut: found.leftOut,
  unresolved: found.unresolved,
});

/** How the host starts, as the reading says. */
export function keepBoot({ memory }: Draft, { boot }: Pick<VerifyValue, "boot">): void {
  if (boot === null) memory.forget("bootSettings");
  else memory.keep({ bootSettings: boot });
}
