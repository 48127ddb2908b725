// What is taken into a baseline from a reference host: what its inventory tells, and the BIOS attributes that a person chose.
import { biosUnknown, captureBaseline, chosenBios } from "@/server/domain/inventory/baseline";
import type { PlatformBaseline } from "@/server/domain/inventory/platform";
import { memberRevision } from "@/server/domain/site/difference";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import type { HostFound } from "@/server/usecases/skus/read-found";

interface BiosAsked {
  readonly bios: readonly string[];
  readonly biosRevision?: string | undefined;
}

/** Tells states of a host's BIOS apart; null: not known. Pure. */
export const biosRevisionOf = ({ source: { bios } }: Pick<HostFound, "source">): string | null =>
  bios === null ? null : memberRevision(bios);

/** Refused where an attribute was asked for that is not known, or is not as it was seen. Pure. */
export function captured(
  host: Pick<HostFound, "name" | "source">,
  { bios: names, biosRevision }: BiosAsked,
): Outcome<PlatformBaseline> {
  const { baseline } = captureBaseline(host.source);
  if (names.length === 0) return done(baseline);
  if (host.source.bios === null) return refused("notAllowedNow", `${host.name}: ${biosUnknown}.`, "bios");
  if (biosRevision !== undefined && biosRevision !== biosRevisionOf(host))
    return refused(
      "conflict",
      `The BIOS settings of ${host.name} are no longer as they were shown. Look at them again.`,
      "bios",
    );
  const { bios, unknown } = chosenBios(host.source, names);
  return unknown.length > 0
    ? refused("invalid", `${host.name} has no BIOS attribute ${unknown.join(", ")}`, "bios")
    : done({ ...baseline, bios });
}
