// What a policy would make of a drive, from what is recorded of it: the agent's own choice of a technique, walked through on evidence.
import type { Media, Transport } from "@/server/domain/inventory/inventory";
import { shortfall } from "@/server/domain/sanitization/judge";
import type { Sanitization } from "@/server/domain/sanitization/judge";
import { isOfBmc, isSpokenOn } from "@/server/domain/sanitization/techniques";
import type { EraseBus, Technique } from "@/server/domain/sanitization/techniques";

/** What is recorded of the techniques of a drive. */
export interface DriveEvidence {
  /** Completed by the drive's own status. */
  readonly completed: readonly Technique[];
  /** Not offered by its identification, or sent and not completed. */
  readonly refused: readonly Technique[];
}

export interface JudgedDrive {
  readonly media: Media;
  readonly transport: Transport | null;
  /** Null: nothing is recorded. */
  readonly evidence: DriveEvidence | null;
}

export type Expectation =
  | { readonly kind: "meets"; readonly technique: Technique }
  | { readonly kind: "cannot"; readonly reason: string }
  /** The evidence does not tell. */
  | { readonly kind: "unknown"; readonly reason: string };

const busOf: Readonly<Record<Transport, EraseBus | null>> = {
  nvme: "nvme",
  sata: "ata",
  sas: "scsi",
  usb: null,
  virtual: null,
};

const cannot = (reason: string): Expectation => ({ kind: "cannot", reason });
const unknown = (reason: string): Expectation => ({ kind: "unknown", reason });

/** Performed by a BMC, whose techniques no policy lists. Null: it is not known to be. */
const byBmc = ({ evidence }: JudgedDrive): Technique | null => evidence?.completed.find(isOfBmc) ?? null;

/** The techniques of a policy that the agent would ask the drive for, in order; null: what it speaks is not known. */
function asked(drive: JudgedDrive, { erase }: Sanitization): readonly Technique[] | null {
  const { media, transport } = drive;
  const bus = media === "raid-kit" ? "raid-kit" : transport === null ? null : busOf[transport];
  return bus === null ? null : erase.techniques[media].filter((technique) => isSpokenOn(technique, bus));
}

/**
 * Which techniques the drive may be erased by under a policy, in order: one that it refused is passed over, and the first that it completed before
 * ends the list. `certain`: the list ends with such a one.
 */
function candidates(list: readonly Technique[], evidence: DriveEvidence | null, fallback: boolean) {
  const open: Technique[] = [];
  for (const technique of fallback ? list : list.slice(0, 1)) {
    if (evidence?.completed.includes(technique) === true)
      return { open: [...open, technique], certain: true };
    if (evidence?.refused.includes(technique) !== true) open.push(technique);
  }
  return { open, certain: false };
}

/** Pure. Fails closed: where the record does not tell, it says so. */
export function expectationOf(drive: JudgedDrive, sanitization: Sanitization): Expectation {
  const { media, evidence } = drive;
  const ofBmc = byBmc(drive);
  if (ofBmc !== null) {
    const short = shortfall(ofBmc, media, sanitization);
    return short === null ? { kind: "meets", technique: ofBmc } : cannot(short);
  }
  const list = asked(drive, sanitization);
  if (list === null) return unknown("what the drive speaks is not recorded");
  if (list.length === 0) return cannot("the policy names no technique for such a drive");
  const { open, certain } = candidates(list, evidence, sanitization.erase.fallback);
  if (open.length === 0) return cannot(`it refused every technique of the policy: ${list.join(", ")}`);
  const shorts = open.map((technique) => shortfall(technique, media, sanitization));
  const [first = null] = shorts;
  // Whichever of them it takes, the agent stops at the first that completes.
  if (shorts.every((short) => short !== null)) return cannot(first ?? "no technique counts");
  const [technique] = open;
  if (certain && technique !== undefined && shorts.every((short) => short === null))
    return { kind: "meets", technique: open.at(-1) ?? technique };
  return unknown(
    evidence === null
      ? "no erase of it is recorded"
      : `it has not been asked for ${open.filter((one) => !evidence.completed.includes(one)).join(", ")}`,
  );
}
