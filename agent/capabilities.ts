// How the drives of a host can be erased, as they report it: the rules by which a step chooses a technique, read with the inventory
// (docs/adr/0053-policy-foresight.md).
import {
  isNamed,
  type EraseCapabilities,
  type StorageDevice,
} from "@/server/domain/hosts/inventory/inventory";
import {
  techniquesOfBus,
  type EraseBus,
  type Technique,
} from "@/server/domain/cleaning/sanitization/techniques";
import { ataRefusal, scsiRefusal } from "@/agent/steps/erase-disks/disk-facts";
import { nvmeIdentification, nvmeRefusal } from "@/agent/steps/erase-nvme/nvme-facts";
import { kitRefusal } from "@/agent/steps/erase-raid-kit/kit-device";
import { clip } from "@/agent/steps/results";
import type { Answer, AtaIdentity, AtaTools, Disk, NvmeController, ScsiTools } from "@/agent/tools/tools";

/** What one drive reports. */
export type Identification = Pick<EraseCapabilities, "offers" | "refuses" | "said">;

type Refusal = (technique: Technique) => string | null;

const longestSaid = 256;

/** `later`: what the drive refuses once temporary conditions have ended. What it refuses only for now is unknown. */
function identified(bus: EraseBus, said: string, now: Refusal, later: Refusal = now): Identification {
  const spoken = techniquesOfBus(bus);
  return {
    offers: spoken.filter((technique) => now(technique) === null),
    refuses: spoken.filter((technique) => later(technique) !== null),
    said: clip(said, longestSaid),
  };
}

const unread = ({ command, exitCode, status }: Answer<unknown>): Identification => ({
  offers: [],
  refuses: [],
  said: clip(`${command} answered ${exitCode}: ${status}`, longestSaid),
});

export const ofNvme = (identity: NvmeController): Identification =>
  identified("nvme", nvmeIdentification(identity), (technique) => nvmeRefusal(identity, technique));

export const ofKit = (): Identification => identified("raid-kit", "Format by passthrough", kitRefusal);

const named = (words: Readonly<Record<string, boolean>>): string =>
  Object.keys(words)
    .filter((word) => words[word])
    .join(", ") || "none";

/** A suspend ends the freeze, and Reclaim's own password can be removed, but not while an inventory is read. */
function ofAta(identity: AtaIdentity): Identification {
  const { sanitize, security } = identity;
  const { supported, enhancedErase, locked, frozen } = security;
  const said = [
    `Sanitize: ${named({ "crypto scramble": sanitize.crypto, "block erase": sanitize.block })}`,
    `Security: ${named({ supported, "enhanced erase": enhancedErase, locked, frozen })}`,
  ].join("; ");
  const thawed = { ...identity, security: { ...security, frozen: false } };
  const later: Refusal = (technique) => ataRefusal(thawed, technique);
  const now: Refusal = (technique) => (locked ? "locked" : ataRefusal(identity, technique));
  return identified("ata", said, now, later);
}

interface IdentifyingTools {
  readonly ata: Pick<AtaTools, "identify">;
  readonly scsi: Pick<ScsiTools, "supported">;
}

/** Null: no step erases this disk. */
export async function ofDisk(
  { ata, scsi }: IdentifyingTools,
  disk: Pick<Disk, "path" | "transport" | "unerasable">,
): Promise<Identification | null> {
  if (disk.unerasable !== undefined) return null;
  if (disk.transport === "sata") {
    const answer = await ata.identify(disk.path);
    return answer.value === null ? unread(answer) : ofAta(answer.value);
  }
  if (disk.transport === "sas") {
    const answer = await scsi.supported(disk.path);
    const { value } = answer;
    if (value === null) return unread(answer);
    const { sanitizeCrypto, sanitizeBlock } = value;
    const said = `Supported operation codes: ${named({ "SANITIZE cryptographic erase": sanitizeCrypto, "SANITIZE block erase": sanitizeBlock })}`;
    return identified("scsi", said, (technique) => scsiRefusal(value, technique));
  }
  return null;
}

/** One entry for all drives of a model that report the same. */
export function grouped(
  drives: readonly { readonly facts: StorageDevice; readonly identification: Identification | null }[],
): EraseCapabilities[] {
  const groups = new Map<string, EraseCapabilities>();
  for (const { facts, identification } of drives) {
    if (identification === null || !isNamed(facts)) continue;
    const { model, serial } = facts;
    const key = JSON.stringify([model, identification]);
    const { serials = [] } = groups.get(key) ?? {};
    groups.set(key, { model, serials: [...serials, serial], ...identification });
  }
  return [...groups.values()];
}
