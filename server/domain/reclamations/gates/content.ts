// How gates judge the content of drives: recorded since their last erase, and found unchanged in the final boot (docs/adr/0021-content-fingerprints.md).
import { deviceKey } from "@/server/domain/hosts/inventory/inventory";
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";

export interface ContentInput {
  readonly expectedDevices: readonly (StorageDevice & { readonly outOfBand?: true })[];
  /** Drives whose content was recorded since their last erase (`recheck`: since the host was Ready), and the boot in which it was found unchanged. */
  readonly content: {
    readonly drives: readonly { readonly serial: string; readonly model: string }[];
    readonly readEpoch: number | null;
  } | null;
  readonly bootEpoch: number;
}

/** Drives whose content an agent can read. */
export const inReachOfAgent = (devices: ContentInput["expectedDevices"]): ContentInput["expectedDevices"] =>
  devices.filter(({ outOfBand }) => outOfBand !== true);

/**
 * The first drive for which no later reading could show that its content is unchanged: no agent reaches it, or none recorded its content.
 * Undefined: all drives can be compared. Pure (docs/adr/0028-recheck-after-maintenance.md).
 */
export function incomparable(
  devices: ContentInput["expectedDevices"],
  content: { readonly drives: readonly { readonly serial: string; readonly model: string }[] } | null,
): StorageDevice | undefined {
  const known = new Set((content?.drives ?? []).map(deviceKey));
  return devices.find((device) => device.outOfBand === true || !known.has(deviceKey(device)));
}

/** Why it is not proven that the content of `devices` is unchanged; null: it is. Fails closed. Pure. */
export function contentUnproven(
  { content, bootEpoch }: ContentInput,
  devices: readonly StorageDevice[],
): string | null {
  if (devices.length === 0) return null;
  if (content === null)
    return /* safety: gates: no content is no proof (null) */ "the drives' content after the erase was not recorded; restart the plan";
  const known = new Set(content.drives.map(deviceKey));
  const unknown = devices.find((device) => !known.has(deviceKey(device)));
  // safety: gates: content of every drive
  if (unknown !== undefined) return `${unknown.serial}: no agent recorded its content after the erase`;
  return content.readEpoch !== null &&
    /* safety: gates: content is read in the final boot */ content.readEpoch === bootEpoch
    ? null
    : "the drives' content was not read again in the final boot";
}

/** Part of a satisfied gate's reason: how many drives were compared, and how many only the BMC reaches. */
export function contentSeen(devices: ContentInput["expectedDevices"]): string {
  const seen = inReachOfAgent(devices).length;
  const hidden = devices.length - seen;
  return [
    seen > 0 ? `content of ${seen} unchanged in the final boot` : "",
    hidden > 0 ? `content of ${hidden} visible to the BMC only, not compared` : "",
  ]
    .filter((part) => part !== "")
    .join("; ");
}

export function contentEvidence({ expectedDevices, content }: ContentInput): Record<string, unknown> {
  return {
    readEpoch: content?.readEpoch ?? null,
    drives: content?.drives.map(({ serial }) => serial) ?? [],
    visibleToBmcOnly: expectedDevices
      .filter(({ outOfBand }) => outOfBand === true)
      .map(({ serial }) => serial),
  };
}
