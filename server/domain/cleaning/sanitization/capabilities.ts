// How a drive can be erased, as it reported itself in the agent's inventory (docs/adr/0053-policy-foresight.md).
import type {
  EraseCapabilities,
  HardwareInventory,
  Media,
  StorageDevice,
} from "@/server/domain/hosts/inventory/inventory";
import { busOf, techniques, techniquesOfBus } from "@/server/domain/cleaning/sanitization/techniques";
import type { Technique } from "@/server/domain/cleaning/sanitization/techniques";

export interface ReportedCapabilities {
  readonly offers: readonly Technique[];
  readonly refuses: readonly Technique[];
}

export interface DriveCapabilities extends ReportedCapabilities {
  /** Neither offered nor refused. Fails closed: techniques that an agent did not name are here. */
  readonly unknown: readonly Technique[];
  /** Null: from an agent of an earlier version, or one that did not list the drive. */
  readonly said: string | null;
}

/** The techniques among these names. Names unknown to this version are ignored. Pure. */
export const namedTechniques = (names: readonly unknown[]): readonly Technique[] =>
  techniques.filter((technique) => names.includes(technique));

/** Capabilities of a drive in an agent's inventory. Null: no step sends an erase to it. Pure. */
export function capabilitiesOf(
  reported: readonly EraseCapabilities[] | undefined,
  { serial, model, media, transport }: Pick<StorageDevice, "serial" | "model" | "media" | "transport">,
): DriveCapabilities | null {
  const bus = busOf(media, transport);
  if (bus === null) return null;
  const entry = reported?.find((one) => one.model === model && one.serials.includes(serial));
  const offers = namedTechniques(entry?.offers ?? []);
  const refuses = namedTechniques(entry?.refuses ?? []).filter((technique) => !offers.includes(technique));
  return {
    offers,
    refuses,
    unknown: techniquesOfBus(bus).filter(
      (technique) => !offers.includes(technique) && !refuses.includes(technique),
    ),
    said: entry?.said ?? null,
  };
}

export interface CapabilityGroup extends DriveCapabilities {
  readonly model: string;
  readonly media: Media;
  readonly serials: readonly string[];
}

/** The drives of an agent's inventory that steps erase. Those of a model with the same report are grouped. Pure. */
export function capabilityGroups({ storage, capabilities }: HardwareInventory): readonly CapabilityGroup[] {
  const groups = new Map<string, CapabilityGroup>();
  for (const drive of storage) {
    const told = capabilitiesOf(capabilities, drive);
    if (told === null) continue;
    const { model, media, serial } = drive;
    const key = JSON.stringify([model, media, told]);
    const { serials = [] } = groups.get(key) ?? {};
    groups.set(key, { ...told, model, media, serials: [...serials, serial] });
  }
  return [...groups.values()];
}
