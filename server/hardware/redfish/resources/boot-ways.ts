// The ways to a boot from the network that a BMC may take, best first (docs/adr/0064-the-next-way.md).
import type { BmcLinks, BootSource } from "@/server/hardware/interfaces";
import { bootTargetOf } from "@/server/hardware/redfish/resources/system";

/** What is written into `Boot`. */
export interface BootWay {
  readonly source: Exclude<BootSource, "none">;
  readonly enabled: "Once" | "Continuous";
  /** Where the firmware gets its boot program by HTTP; null: its DHCP server tells. */
  readonly uri: string | null;
}

/**
 * For the next boot only before every boot, HTTP before PXE, and an address of ours before that of the DHCP server. None that the BMC does
 * not offer; one that does not tell what it offers is asked.
 */
export function bootWays(
  { bootTargets, bootEnabled = [] }: Pick<BmcLinks, "bootTargets" | "bootEnabled">,
  source: BootWay["source"],
  uri: string | null,
): readonly BootWay[] {
  const offers = (listed: readonly string[], name: string): boolean =>
    listed.length === 0 || listed.includes(name);
  const sources = (source === "uefiHttp" ? (["uefiHttp", "pxe"] as const) : (["pxe"] as const)).filter(
    (name) => offers(bootTargets, bootTargetOf[name]),
  );
  const uris = (name: BootWay["source"]): ReadonlyArray<string | null> =>
    name === "uefiHttp" && uri !== null ? [uri, null] : [null];
  return (["Once", "Continuous"] as const)
    .filter((name) => offers(bootEnabled, name))
    .flatMap((enabled) =>
      sources.flatMap((name) => uris(name).map((address) => ({ source: name, enabled, uri: address }))),
    );
}

export const sameWay = (left: BootWay, right: BootWay): boolean =>
  left.source === right.source && left.enabled === right.enabled && left.uri === right.uri;

/** The body of the change. */
export const bootBody = ({ source, enabled, uri }: BootWay) => ({
  Boot: {
    BootSourceOverrideEnabled: enabled,
    BootSourceOverrideTarget: bootTargetOf[source],
    ...(uri === null ? {} : { HttpBootUri: uri }),
  },
});
