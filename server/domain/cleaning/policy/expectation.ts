// What a policy would mean for a drive, judging by the records: follows the agent's choice of a technique, using evidence.
import type { Media, Transport } from "@/server/domain/hosts/inventory/inventory";
import type { ReportedCapabilities } from "@/server/domain/cleaning/sanitization/capabilities";
import type { Basis } from "@/server/domain/cleaning/policy/basis";
import { shortfall } from "@/server/domain/cleaning/sanitization/judge";
import type { Sanitization } from "@/server/domain/cleaning/sanitization/judge";
import { busOf, isOfBmc, isSpokenOn } from "@/server/domain/cleaning/sanitization/techniques";
import type { Technique } from "@/server/domain/cleaning/sanitization/techniques";

/** What is recorded about a drive's techniques. */
export interface DriveEvidence {
  /** Completed according to the drive's own status. */
  readonly completed: readonly Technique[];
  /** Not offered in its identification, or sent and not completed. */
  readonly refused: readonly Technique[];
}

export interface JudgedDrive {
  readonly media: Media;
  readonly transport: Transport | null;
  /** Null: no record. */
  readonly evidence: DriveEvidence | null;
  /** What it reported about itself when an agent last read the inventory; null: nothing. */
  readonly reported?: ReportedCapabilities | null;
}

export type Expectation =
  | { readonly kind: "meets"; readonly technique: Technique; readonly basis: Basis }
  | { readonly kind: "cannot"; readonly reason: string; readonly basis: Basis }
  /** Known neither from the evidence nor from the report. */
  | { readonly kind: "unknown"; readonly reason: string };

const unknown = (reason: string): Expectation => ({ kind: "unknown", reason });

/** A technique performed by a BMC; policies do not list those. Null: not known to be one. */
const byBmc = ({ evidence }: JudgedDrive): Technique | null => evidence?.completed.find(isOfBmc) ?? null;

/** The techniques of a policy that the agent would try on the drive, in order; null: its protocol is unknown. */
function asked(drive: JudgedDrive, { erase }: Sanitization): readonly Technique[] | null {
  const bus = busOf(drive.media, drive.transport);
  return bus === null
    ? null
    : erase.techniques[drive.media].filter((technique) => isSpokenOn(technique, bus));
}

/**
 * The techniques by which the drive may be erased under a policy, in order. Refused ones are skipped, and the first one that it completed before or
 * offers ends the list. `certain`: the list ends with such a technique.
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

/** From one source alone. Fails closed: what the source does not show is unknown. Pure. */
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
  // Whichever one applies, the agent stops at the first that completes.
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

/** Adds a drive's own report to the records, which take precedence: a technique that it offers but did not complete counts as refused. Pure. */
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
 * Based on the drive's recorded results first, then on its own report, then, if nothing is recorded, on `ofModel`: what drives of its model and firmware
 * have shown. Pure.
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
