// What a policy would make of a drive, from what is recorded of it: the agent's own choice of a technique, walked through on evidence.
import type { Media, Transport } from "@/server/domain/inventory/inventory";
import type { ReportedCapabilities } from "@/server/domain/sanitization/capabilities";
import type { Basis } from "@/server/domain/sanitization/foresight/basis";
import { shortfall } from "@/server/domain/sanitization/judge";
import type { Sanitization } from "@/server/domain/sanitization/judge";
import { busOf, isOfBmc, isSpokenOn } from "@/server/domain/sanitization/techniques";
import type { Technique } from "@/server/domain/sanitization/techniques";

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
  /** What it said itself when an agent last read the inventory; null: nothing. */
  readonly reported?: ReportedCapabilities | null;
}

export type Expectation =
  | { readonly kind: "meets"; readonly technique: Technique; readonly basis: Basis }
  | { readonly kind: "cannot"; readonly reason: string; readonly basis: Basis }
  /** Neither the evidence nor the report tells. */
  | { readonly kind: "unknown"; readonly reason: string };

const unknown = (reason: string): Expectation => ({ kind: "unknown", reason });

/** Performed by a BMC, whose techniques no policy lists. Null: it is not known to be. */
const byBmc = ({ evidence }: JudgedDrive): Technique | null => evidence?.completed.find(isOfBmc) ?? null;

/** The techniques of a policy that the agent would ask the drive for, in order; null: what it speaks is not known. */
function asked(drive: JudgedDrive, { erase }: Sanitization): readonly Technique[] | null {
  const bus = busOf(drive.media, drive.transport);
  return bus === null
    ? null
    : erase.techniques[drive.media].filter((technique) => isSpokenOn(technique, bus));
}

/**
 * Which techniques the drive may be erased by under a policy, in order: one that it refused is passed over, and the first that it completed before,
 * or offers, ends the list. `certain`: the list ends with such a one.
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

/** By one source alone. Pure. Fails closed: where it does not tell, it says so. */
function expectedBy(
  source: Exclude<Basis, "policy">,
  drive: JudgedDrive,
  evidence: DriveEvidence | null,
  sanitization: Sanitization,
): Expectation {
  const basis = source === "recorded" && evidence === null ? "policy" : source;
  const cannot = (reason: string): Expectation => ({ kind: "cannot", reason, basis });
  const ofBmc = byBmc(drive);
  if (ofBmc !== null) {
    const short = shortfall(ofBmc, drive.media, sanitization);
    return short === null ? { kind: "meets", technique: ofBmc, basis } : cannot(short);
  }
  const list = asked(drive, sanitization);
  if (list === null) return unknown("the drive's protocol is not recorded");
  if (list.length === 0) return cannot("the policy has no technique for this kind of drive");
  const { open, certain } = candidates(list, evidence, sanitization.erase.fallback);
  if (open.length === 0) {
    const verb = basis === "reported" ? "refuses" : "refused";
    return cannot(`it ${verb} every technique of the policy: ${list.join(", ")}`);
  }
  const shorts = open.map((technique) => shortfall(technique, drive.media, sanitization));
  const [first = null] = shorts;
  // Whichever of them it takes, the agent stops at the first that completes.
  if (shorts.every((short) => short !== null)) return cannot(first ?? "no technique counts");
  const [technique] = open;
  if (certain && technique !== undefined && shorts.every((short) => short === null))
    return { kind: "meets", technique: open.at(-1) ?? technique, basis };
  if (evidence === null) return unknown("no erase of it is recorded");
  const untold = open.filter((one) => !evidence.completed.includes(one)).join(", ");
  return unknown(
    source === "reported"
      ? `it did not report whether it supports ${untold}`
      : `it was never queried for ${untold}`,
  );
}

/** What is recorded overrides what a drive says of itself: a technique that it offers and did not complete is one that it refused. Pure. */
export function withReported(evidence: DriveEvidence | null, reported: ReportedCapabilities): DriveEvidence {
  const { completed, refused } = evidence ?? { completed: [], refused: [] };
  const told = (technique: Technique): boolean =>
    completed.includes(technique) || refused.includes(technique);
  return {
    completed: [...completed, ...reported.offers.filter((technique) => !told(technique))],
    refused: [...refused, ...reported.refuses.filter((technique) => !told(technique))],
  };
}

/**
 * Recorded results of the drive first, then what it reported of itself, then `ofModel`: what drives of its model and firmware have shown, for a drive
 * of which nothing is recorded. Pure.
 */
export function expectationOf(
  drive: JudgedDrive,
  sanitization: Sanitization,
  ofModel: DriveEvidence | null = null,
): Expectation {
  const { evidence, reported = null } = drive;
  const recorded = expectedBy("recorded", drive, evidence, sanitization);
  if (recorded.kind !== "unknown") return recorded;
  const known = reported === null ? evidence : withReported(evidence, reported);
  const byReport = reported === null ? recorded : expectedBy("reported", drive, known, sanitization);
  if (byReport.kind !== "unknown" || evidence !== null || ofModel === null) return byReport;
  const shown = reported === null ? ofModel : withReported(ofModel, reported);
  return expectedBy("model", { ...drive, evidence: shown }, shown, sanitization);
}
