// What a baseline takes from a reference host: values from its inventory, and the BIOS attributes and parts of the BMC that a person chose.
import {
  biosUnknown,
  bmcUnknown,
  captureBaseline,
  chosenBios,
} from "@/server/domain/hosts/inventory/baseline";
import { withBmcParts } from "@/server/domain/hosts/inventory/bmc-settings";
import type { BmcBaseline, BmcPart } from "@/server/domain/hosts/inventory/bmc-settings";
import type { PlatformBaseline } from "@/server/domain/hosts/inventory/platform";
import { memberRevision } from "@/server/domain/sites/difference";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import type { ReadHost } from "@/server/usecases/hosts/skus/read-inventory";

interface CaptureRequest {
  readonly bios: readonly string[];
  readonly biosRevision?: string | undefined;
  readonly bmc: readonly BmcPart[];
  readonly bmcRevision?: string | undefined;
}

/** Distinguishes states of a host's BIOS; null if not known. Pure. */
export const biosRevisionOf = ({ source: { bios } }: Pick<ReadHost, "source">): string | null =>
  bios === null ? null : memberRevision(bios);

/** Distinguishes states of the host's BMC; null if not known. Pure. */
export const bmcRevisionOf = ({ source: { bmcSettings } }: Pick<ReadHost, "source">): string | null =>
  bmcSettings === null ? null : memberRevision(bmcSettings);

type Host = Pick<ReadHost, "name" | "source">;

const changed = (host: Host, what: string, field: string) =>
  refused(
    "conflict",
    `The ${what} of ${host.name} have changed since they were shown. Review them again.`,
    field,
  );

/** Why the settings of a host can be no baseline; null: they can. A tenant may change BIOS and BMC from its system. Pure. */
export const notItsOwn = ({ name, heldBy }: Pick<ReadHost, "name" | "heldBy">): string | null =>
  heldBy === null
    ? null
    : `The BMC of ${name} was read while ${heldBy} had the host, and may show what ${heldBy} has set. Take another host, or read its inventory again when it has returned clean.`;

/** Refused if a requested attribute is not known, or has changed since it was seen. Pure. */
function biosOf(
  host: Host,
  { bios: names, biosRevision }: CaptureRequest,
): Outcome<Pick<PlatformBaseline, "bios">> {
  if (names.length === 0) return done({});
  if (host.source.bios === null) return refused("notAllowedNow", `${host.name}: ${biosUnknown}.`, "bios");
  if (biosRevision !== undefined && biosRevision !== biosRevisionOf(host))
    return changed(host, "BIOS settings", "bios");
  const { bios, unknown } = chosenBios(host.source, names);
  return unknown.length > 0
    ? refused("invalid", `${host.name} has no BIOS attribute ${unknown.join(", ")}`, "bios")
    : done({ bios });
}

/** The same for parts of the BMC. Pure. */
function bmcOf(
  host: Host,
  { bmc: parts, bmcRevision }: CaptureRequest,
  before: BmcBaseline | undefined,
): Outcome<Pick<PlatformBaseline, "bmc">> {
  if (parts.length === 0) return done({});
  if (host.source.bmcSettings === null)
    return refused("notAllowedNow", `${host.name}: ${bmcUnknown}.`, "bmc");
  if (bmcRevision !== undefined && bmcRevision !== bmcRevisionOf(host))
    return changed(host, "settings of the BMC", "bmc");
  const chosen = withBmcParts(before, host.source.bmcSettings, parts);
  return chosen.ok && chosen.bmc !== undefined
    ? done({ bmc: chosen.bmc })
    : refused("invalid", `${host.name}: ${chosen.ok ? "no BMC settings are known" : chosen.reason}.`, "bmc");
}

/** @param before the SKU's BMC baseline, whose parts stay if they were not chosen. Pure. */
export function captured(
  host: Host & Pick<ReadHost, "heldBy">,
  asked: CaptureRequest,
  before?: BmcBaseline,
): Outcome<PlatformBaseline> {
  const foreign = notItsOwn(host);
  // safety: baseline: what a tenant may have set is no reference
  if (foreign !== null) return refused("notAllowedNow", foreign, "hostId");
  const bios = biosOf(host, asked);
  if (!bios.ok) return bios;
  const bmc = bmcOf(host, asked, before);
  if (!bmc.ok) return bmc;
  return done({ ...captureBaseline(host.source).baseline, ...bios.value, ...bmc.value });
}
