// What a BMC says of its host: whether it is this host's BMC at all, and what is kept of the reading.
import type { VerifyValue } from "@/server/controller/host/effect-outcome";
import type { HostPatch } from "@/server/controller/host/decision";
import { identify } from "@/server/controller/inventory/identity";
import type { Draft } from "@/server/controller/host/draft";

/** Why the BMC that answered is not this host's; null if it is. If the host's identity is unknown, no BMC is. */
export function otherHost(
  draft: Draft,
  found: Pick<VerifyValue, "system" | "macs" | "links">,
): string | null {
  const { host } = draft.view;
  if (host.serial === null || host.systemUuid === null) return "the host's identity is not known";
  const identity = identify(host, found, null);
  return identity.kind === "refused" ? identity.message : null;
}

/** What is kept of a reading. */
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
  parts: found.parts,
  leftOut: found.leftOut,
  unresolved: found.unresolved,
});

/** Keeps the boot settings of the reading. */
export function keepBoot({ memory }: Draft, { boot }: Pick<VerifyValue, "boot">): void {
  if (boot === null) memory.forget("bootSettings");
  else memory.keep({ bootSettings: boot });
}
