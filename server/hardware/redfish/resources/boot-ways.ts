// The kinds of network boot that a BMC may accept, best first (docs/adr/0064-the-next-way.md).
import type { BmcLinks, BootSource } from "@/server/hardware/interfaces";
import { bootTargetOf } from "@/server/hardware/redfish/resources/system";

/** What a change of the boot source may have to contain. */
export const bootProperties = [
  "BootSourceOverrideTarget",
  "BootSourceOverrideEnabled",
  "BootSourceOverrideMode",
] as const;
export type BootProperty = (typeof bootProperties)[number];

/** What to write into `Boot`. */
export interface BootWay {
  readonly source: Exclude<BootSource, "none">;
  readonly enabled: "Once" | "Continuous";
  /** The firmware's boot program by HTTP; null: its DHCP server names it. */
  readonly uri: string | null;
}

/**
 * The next boot only before every boot, HTTP before PXE, and our address before the DHCP server's. Leaves out what the BMC does not
 * offer; if it does not list what it offers, everything is tried.
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

/** The request body. */
export const bootBody = ({ source, enabled, uri }: BootWay) => ({
  Boot: {
    BootSourceOverrideEnabled: enabled,
    BootSourceOverrideTarget: bootTargetOf[source],
    ...(uri === null ? {} : { HttpBootUri: uri }),
  },
});
