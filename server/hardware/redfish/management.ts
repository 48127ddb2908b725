// Boot source by Redfish: set for the next boot and read back. If a BMC refuses it permanently, the next kind of boot is tried (docs/adr/0064-the-next-way.md).
import type {
  BmcLinks,
  HardwareResult,
  ManagementInterface,
  SystemReading,
} from "@/server/hardware/interfaces";
import { changeBootSettings, readBootSettings } from "@/server/hardware/redfish/change-boot";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import { declinesValue, failure, type Failed } from "@/server/hardware/redfish/client/errors";
import { beginWithLinks } from "@/server/hardware/redfish/power";
import {
  bootAttributes,
  clearBootAttributes,
  setBootAttribute,
  type Attempt,
  type BootAttributeName,
} from "@/server/hardware/redfish/resources/boot-attributes";
import { bootBody, bootWays, sameWay, type BootWay } from "@/server/hardware/redfish/resources/boot-ways";
import { readBack } from "@/server/hardware/redfish/resources/read-back";
import type { Call } from "@/server/hardware/redfish/client/sender";
import { changeBoot } from "@/server/hardware/redfish/resources/boot-mode";
import { bootTargetOf, readPendingBoot, readSystem } from "@/server/hardware/redfish/resources/system";

/** The management interface of every Redfish BMC. */
export function redfishManagement(client: RedfishClient): ManagementInterface {
  return {
    async setBootOnce(target, source, options) {
      const begun = await beginWithLinks(client, target, options);
      if (!begun.ok) return begun;
      return source === "none"
        ? clearBoot(client, begun.call, begun.links)
        : bootFromNetwork(client, begun.call, begun.links, source);
    },

    async readBoot(target, options) {
      const begun = await beginWithLinks(client, target, options);
      if (!begun.ok) return begun;
      const read = await readBootSettings(client, begun.call, begun.links);
      return read.ok ? { ok: true, value: read.found.value } : read;
    },

    async changeBoot(target, change, options) {
      const begun = await beginWithLinks(client, target, options);
      return begun.ok ? changeBootSettings(client, begun.call, begun.links, change) : begun;
    },
  };
}

/** Tries what this BMC accepted last first, and each kind of network boot once. */
async function bootFromNetwork(
  client: RedfishClient,
  call: Call,
  links: BmcLinks,
  source: BootWay["source"],
): Promise<HardwareResult<SystemReading>> {
  const { bmc } = call;
  const uri = client.settings.httpBootUri;
  const ways = [...bootWays(links, source, uri), ...bootAttributes.map(({ name }) => name)];
  const known = ways.filter((way) => bmc.bootWay !== null && isSame(way, bmc.bootWay));
  const refusals: string[] = [];
  for (const way of [...known, ...ways.filter((way) => !known.includes(way))]) {
    const set =
      typeof way === "string"
        ? await setBootAttribute(client, call, links, { name: way, uri, declines: declinesValue })
        : await setBoot(client, call, links, way);
    if (set.next === null) {
      if (set.result.ok) bmc.bootWay = way;
      return set.result;
    }
    refusals.push(set.next);
  }
  const offered = `${links.system} offers BootSourceOverrideTarget ${listed(links.bootTargets)} and BootSourceOverrideEnabled ${listed(links.bootEnabled ?? [])}`;
  return failure(
    "unsupported",
    `The BMC does not accept a network boot. ${[...refusals, `${offered}.`].join("; ")}`,
  );
}

const isSame = (left: BootWay | BootAttributeName, right: BootWay | BootAttributeName): boolean =>
  typeof left === "string" || typeof right === "string" ? left === right : sameWay(left, right);

const listed = (names: readonly string[]): string => (names.length === 0 ? "(not told)" : names.join(", "));

/** The address of the boot program, where the boot source is written. */
async function readUri(
  client: RedfishClient,
  call: Call,
  { system, pendingBoot }: BmcLinks,
): Promise<{ readonly ok: true; readonly uri: string | null } | Failed> {
  if (pendingBoot !== undefined) {
    const pending = await readPendingBoot(client, call, pendingBoot);
    return pending.ok ? { ok: true, uri: pending.boot.HttpBootUri ?? null } : pending;
  }
  const read = await readSystem(client, call, system);
  return read.ok ? { ok: true, uri: read.system.Boot?.HttpBootUri ?? null } : read;
}

/** BMCs read an address back in a spelling of their own: case of the host, escapes, the slash after it. */
const isSameAddress = (read: string | null, asked: string): boolean =>
  read !== null && (URL.parse(read)?.href ?? read) === (URL.parse(asked)?.href ?? asked);

/** `next`: why another kind of boot should be tried; null: the result is final. */
async function setBoot(client: RedfishClient, call: Call, links: BmcLinks, way: BootWay): Promise<Attempt> {
  const { system } = links;
  const changed = await changeBoot(client, call, links, bootBody(way).Boot, (status) =>
    readBack(client, call, {
      path: system,
      pendingBoot: links.pendingBoot ?? null,
      fits: ({ bootOverride: { enabled, source } }) =>
        // Some BMCs turn UefiHttp into Pxe. They report it, and it is still a network boot.
        enabled && (source === way.source || (way.source === "uefiHttp" && source === "pxe")),
      limitMs: client.settings.limits.bootReadBackMs,
      done: `PATCH ${system} with boot source ${bootTargetOf[way.source]} was answered ${status}`,
      found: ({ bootOverride }) =>
        `the boot override reads ${bootOverride.source}, ${bootOverride.enabled ? "enabled" : "disabled"}`,
      mayComeLater: false,
    }),
  );
  if (changed.kind === "notTaken")
    return declinesValue(changed.replied.error)
      ? { next: changed.replied.error.message, result: null }
      : { next: null, result: changed.replied };
  const { back } = changed;
  if (back.ok && way.uri !== null) {
    const read = await readUri(client, call, links);
    if (!read.ok)
      return { next: null, result: { ok: false, error: { ...read.error, unknownOutcome: true } } };
    // The firmware would load the program that its DHCP server names, so that is the way that is asked for, and remembered.
    if (!isSameAddress(read.uri, way.uri))
      return {
        next: `${system} took ${bootTargetOf[way.source]}, but HttpBootUri reads ${read.uri ?? "nothing"}, not ${way.uri}`,
        result: null,
      };
  }
  if (!back.ok || way.enabled === "Once") return { next: null, result: back };
  const { bootOverride, ...rest } = back.value;
  return {
    next: null,
    result: { ok: true, value: { ...rest, bootOverride: { ...bootOverride, continuous: true } } },
  };
}

/** Best first. A BMC that does not accept "None" is told to boot from its disk. */
const clearings = [
  { BootSourceOverrideEnabled: "Disabled", BootSourceOverrideTarget: bootTargetOf.none },
  { BootSourceOverrideEnabled: "Disabled" },
  { BootSourceOverrideEnabled: "Continuous", BootSourceOverrideTarget: "Hdd" },
] as const;

/** Removes the boot source, and our address from the BIOS. */
async function clearBoot(
  client: RedfishClient,
  call: Call,
  links: BmcLinks,
): Promise<HardwareResult<SystemReading>> {
  const { bmc } = call;
  const uri = client.settings.httpBootUri;
  // Also where the BMC has accepted a boot source: for another of its systems, or before an update, the address may have been set, by another process, too.
  const attribute =
    uri === null || (bmc.noBootAttribute.get(links.system) ?? 0) > client.settings.now()
      ? null
      : await clearBootAttributes(client, call, links, uri);
  if (attribute?.ok === false) return attribute;
  const cleared = await clearOverride(client, call, links);
  // A BMC that takes no boot source takes no change of one either. There is none to remove if none is enabled.
  return attribute !== null && !cleared.ok && cleared.error.kind === "unsupported" && isClear(attribute.value)
    ? attribute
    : cleared;
}

const isClear = ({ bootOverride: { enabled, source } }: SystemReading): boolean =>
  !enabled || source === "none" || source === "disk";

async function clearOverride(
  client: RedfishClient,
  call: Call,
  links: BmcLinks,
): Promise<HardwareResult<SystemReading>> {
  const { system } = links;
  const refusals: string[] = [];
  for (const clearing of clearings) {
    const changed = await changeBoot(client, call, links, clearing, (status) =>
      readBack(client, call, {
        path: system,
        pendingBoot: links.pendingBoot ?? null,
        fits: isClear,
        limitMs: client.settings.limits.bootReadBackMs,
        done: `PATCH ${system} with boot source None was answered ${status}`,
        found: ({ bootOverride }) =>
          `the boot override reads ${bootOverride.source}, ${bootOverride.enabled ? "enabled" : "disabled"}`,
        mayComeLater: false,
      }),
    );
    if (changed.kind === "taken") return changed.back;
    const { replied } = changed;
    if (!declinesValue(replied.error)) return replied;
    refusals.push(replied.error.message);
  }
  return failure("unsupported", `The BMC does not remove its boot override. ${refusals.join("; ")}`);
}
