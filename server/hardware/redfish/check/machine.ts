// The checks of what a host needs of its BMC: power, network boot, drives, and what it tells of network cards.
import type { BmcLinks, PowerState, SystemReading } from "@/server/hardware/interfaces";
import { provesRestarts } from "@/server/domain/hosts/reset-mark";
import { formatCounted } from "@/server/domain/numbers";
import { failed, notKnown, notOffered, passed, type Made } from "@/server/hardware/redfish/check/report";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import type { Call } from "@/server/hardware/redfish/client/sender";
import { CannotTell } from "@/server/hardware/redfish/inventory/gather";
import type { FoundStorage } from "@/server/hardware/redfish/inventory/drives";
import type { FoundMacs } from "@/server/hardware/redfish/inventory/nics";
import { bootAttributesOf } from "@/server/hardware/redfish/resources/boot-attributes";
import { bootWays, sameWay, type BootWay } from "@/server/hardware/redfish/resources/boot-ways";
import { bootTargetOf } from "@/server/hardware/redfish/resources/system";

const offers = (types: readonly string[], ...any: readonly string[]): boolean =>
  any.some((type) => types.includes(type));

export function power({ resetAction, resetTypes }: BmcLinks, reading: SystemReading): Made {
  const state = `the machine is ${reading.power === "unknown" ? "in an unknown state" : reading.power}`;
  if (resetTypes.length === 0)
    return notKnown(
      `${state}, and ${resetAction} does not list what it can do; each kind of reset is tried`,
      "Update the BMC's firmware, if a restart fails.",
    );
  const byMark = offers(resetTypes, "ForceRestart", "PowerCycle") && provesRestarts(reading);
  const byOff = offers(resetTypes, "ForceOff") && offers(resetTypes, "On", "ForceOn");
  const list = `${resetAction} offers ${resetTypes.join(", ")}`;
  if (reading.power === "unknown")
    return notKnown(`the BMC does not tell whether the machine is on (${list})`, "Test again.");
  if (!byMark && !byOff)
    return failed(`${list}: no restart that can be proven`, "Update the BMC's firmware.");
  return passed(
    `${state}; a restart is proven by ${byMark ? "the BMC's mark of the last reset" : "switching off and on"} (${list})`,
  );
}

const wayWords = ({ source, enabled, uri }: BootWay): string =>
  `${bootTargetOf[source]} ${enabled === "Once" ? "once" : "until it is removed"}${uri === null ? "" : " with the address of the boot program"}`;

/** The ways that would be tried, in their order. Whether the BMC accepts one shows only when it is asked to. */
export async function boot(client: RedfishClient, call: Call, links: BmcLinks): Promise<Made> {
  const uri = client.settings.httpBootUri;
  const ways = bootWays(links, "uefiHttp", uri);
  const known = call.bmc.bootWay;
  const last =
    known === null
      ? ""
      : `; accepted last: ${typeof known === "string" ? `the BIOS attribute ${known}` : wayWords(known)}`;
  const first =
    typeof known === "object" && known !== null
      ? (ways.find((way) => sameWay(way, known)) ?? ways[0])
      : ways[0];
  const where = links.pendingBoot === undefined ? links.system : links.pendingBoot;
  const read = await bootAttributesOf(client, call, links);
  if (!read.ok) throw new CannotTell(read.error);
  const attributes = read.names;
  if (first === undefined && attributes.length === 0)
    return failed(
      `${links.system} offers BootSourceOverrideTarget ${links.bootTargets.join(", ")} and BootSourceOverrideEnabled ${(links.bootEnabled ?? []).join(", ") || "(not told)"}: none of them boots from the network`,
      "Switch network boot on in the BIOS, or update the BMC's firmware.",
    );
  if (first === undefined) {
    const attribute = `the BIOS attribute ${attributes.join(", ")} names the boot program`;
    return uri === null
      ? notKnown(
          `${attribute}, and RECLAIM_HTTP_BOOT_URI, which it is set to, is not set here`,
          "Set RECLAIM_HTTP_BOOT_URI on the servers: this machine boots from the network by it alone.",
        )
      : passed(`${attribute}${last}`);
  }
  const instead = ways.filter((way) => way !== first).map(wayWords);
  const words = `${where} is asked for ${wayWords(first)}${instead.length === 0 ? "" : `, then ${instead.join(", ")}`}${attributes.length === 0 ? "" : `, then the BIOS attribute ${attributes.join(", ")}`}${last}`;
  return links.bootTargets.length === 0
    ? notKnown(
        `the BMC does not list its boot sources; ${words}`,
        "The first boot of the host shows which one it takes.",
      )
    : passed(words);
}

export function storage({ drives, unresolved, units }: FoundStorage, state: PowerState): Made {
  const count = `${formatCounted(drives.length, "drive")} behind ${formatCounted(units.length, "controller")}`;
  if (unresolved.length === 0) return passed(count);
  const reasons = [...new Set(unresolved.map(({ reason }) => reason))].join(" ");
  return notKnown(
    `${count}. ${reasons}`,
    state === "on"
      ? "A cleaning asks the agent, too, and a person decides about the rest."
      : "Switch the machine on, and test again.",
  );
}

const enterMacs = "Enter the MAC addresses of the NICs with a cable (Change BMC).";

/** @param leftOut what the BMC does not have. The cards that it lists have addresses, told or not. */
export function network({ macs, hasCards }: FoundMacs, leftOut: readonly string[]): Made {
  if (macs.length > 0)
    return passed(`${formatCounted(macs.length, "MAC address", "MAC addresses")}: ${macs.join(", ")}`);
  return hasCards
    ? notKnown(`the BMC lists network cards, but no MAC address (${leftOut.join("; ")})`, enterMacs)
    : notOffered(leftOut.join("; "), enterMacs);
}
