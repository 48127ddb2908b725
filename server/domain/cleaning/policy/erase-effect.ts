// What a different erase policy would change: which known drives cannot meet it, and which recorded reclamations would have ended differently
// (docs/adr/0053-policy-foresight.md).
import type { Media } from "@/server/domain/hosts/inventory/inventory";
import { expectationOf, withReported } from "@/server/domain/cleaning/policy/expectation";
import type { Basis } from "@/server/domain/cleaning/policy/basis";
import type { DriveEvidence, Expectation, JudgedDrive } from "@/server/domain/cleaning/policy/expectation";
import { shortfall } from "@/server/domain/cleaning/sanitization/judge";
import type { Sanitization } from "@/server/domain/cleaning/sanitization/judge";

/** Known drives with the same records. */
export interface KnownDrives extends JudgedDrive {
  readonly model: string;
  readonly firmware: string | null;
  readonly count: number;
}

/** Last results of drives in reclamations, with the same records. */
export interface RecordedResults extends JudgedDrive {
  readonly model: string;
  readonly evidence: DriveEvidence;
  readonly verdict: "sanitized" | "failed";
  /** Reading back passed. */
  readonly verified: boolean;
  readonly reclamations: readonly string[];
}

export interface ModelEffect {
  readonly model: string;
  readonly media: Media;
  readonly drives: number;
  readonly meets: number;
  readonly cannot: number;
  readonly unknown: number;
  /** How many cannot meet the current policy. */
  readonly cannotNow: number;
  /** Number of drives by what their expectation is based on. */
  readonly basis: Readonly<Record<Basis, number>>;
  /** Why the first of them cannot meet it or is unknown; null: all meet it. */
  readonly reason: string | null;
}

export interface EraseEffect {
  /** Those with the most drives that cannot meet it come first. */
  readonly models: readonly ModelEffect[];
  /** Reclamations by how they would have ended. */
  readonly stops: readonly { readonly reclamation: string; readonly reason: string }[];
  readonly passes: readonly string[];
  readonly unknown: readonly string[];
  readonly same: number;
}

/** What drives of one model and firmware have shown or reported, for drives without records of their own. */
function shownByModel(drives: readonly KnownDrives[]): (drive: KnownDrives) => DriveEvidence | null {
  const keyOf = ({ model, firmware, transport }: KnownDrives): string =>
    JSON.stringify([model, firmware, transport]);
  const shown = new Map<string, DriveEvidence>();
  for (const drive of drives) {
    const { evidence, reported = null } = drive;
    if ((evidence === null && reported === null) || drive.firmware === null) continue;
    const told = reported === null ? evidence : withReported(evidence, reported);
    const before = shown.get(keyOf(drive)) ?? { completed: [], refused: [] };
    const completed = [...new Set([...before.completed, ...(told?.completed ?? [])])];
    const refused = [...new Set([...before.refused, ...(told?.refused ?? [])])].filter(
      (technique) => !completed.includes(technique),
    );
    shown.set(keyOf(drive), { completed, refused });
  }
  return (drive) => shown.get(keyOf(drive)) ?? null;
}

const noDrives = { drives: 0, meets: 0, cannot: 0, unknown: 0, cannotNow: 0, reason: null };

function foreseeModels(
  before: Sanitization,
  after: Sanitization,
  drives: readonly KnownDrives[],
): readonly ModelEffect[] {
  const ofModel = shownByModel(drives);
  const models = new Map<string, ModelEffect>();
  for (const drive of drives) {
    const { model, media, count } = drive;
    const shown = ofModel(drive);
    const expected = expectationOf(drive, after, shown);
    const now = expectationOf(drive, before, shown);
    const key = JSON.stringify([model, media]);
    const row: ModelEffect = models.get(key) ?? {
      ...noDrives,
      ...{ model, media, basis: { policy: 0, recorded: 0, reported: 0, model: 0 } },
    };
    models.set(key, {
      ...row,
      drives: row.drives + count,
      [expected.kind]: row[expected.kind] + count,
      cannotNow: row.cannotNow + (now.kind === "cannot" ? count : 0),
      basis:
        expected.kind === "unknown"
          ? row.basis
          : { ...row.basis, [expected.basis]: row.basis[expected.basis] + count },
      reason: row.cannot > 0 ? row.reason : (reasonOf(expected) ?? row.reason),
    });
  }
  return [...models.values()].sort(
    (a, b) => b.cannot - a.cannot || b.unknown - a.unknown || (a.model < b.model ? -1 : 1),
  );
}

const reasonOf = (expected: Expectation): string | null =>
  expected.kind === "meets" ? null : expected.reason;

type Predicted =
  | { readonly kind: "sanitized" }
  | { readonly kind: "failed" | "unknown"; readonly reason: string };

/** The verdict of a recorded result under another policy. A result that failed for a reason other than the policy stays failed. */
function predict(result: RecordedResults, before: Sanitization, after: Sanitization): Predicted {
  const expected = expectationOf(result, after);
  if (expected.kind === "unknown") return expected;
  if (expected.kind === "cannot") return { kind: "failed", reason: expected.reason };
  if (result.verdict === "sanitized") return { kind: "sanitized" };
  const [technique] = result.evidence.completed;
  const byPolicy = technique !== undefined && shortfall(technique, result.media, before) !== null;
  return byPolicy && result.verified
    ? { kind: "sanitized" }
    : { kind: "failed", reason: "the drive failed, whatever the policy" };
}

interface Prediction {
  failed: boolean;
  stops: string | null;
  unknown: boolean;
}

function foreseeReclamations(
  before: Sanitization,
  after: Sanitization,
  results: readonly RecordedResults[],
): Pick<EraseEffect, "stops" | "passes" | "unknown" | "same"> {
  const told = new Map<string, Prediction>();
  for (const result of results) {
    const predicted = predict(result, before, after);
    for (const id of result.reclamations) {
      const row = told.get(id) ?? { failed: false, stops: null, unknown: false };
      if (result.verdict === "failed") row.failed = true;
      if (predicted.kind === "failed") row.stops ??= `${result.model}: ${predicted.reason}`;
      if (predicted.kind === "unknown") row.unknown = true;
      told.set(id, row);
    }
  }
  const stops: { reclamation: string; reason: string }[] = [];
  const passes: string[] = [];
  const unknown: string[] = [];
  let same = 0;
  for (const [reclamation, row] of told) {
    if (row.stops !== null && !row.failed) stops.push({ reclamation, reason: row.stops });
    else if (row.stops !== null) same += 1;
    else if (row.unknown) unknown.push(reclamation);
    else if (row.failed) passes.push(reclamation);
    else same += 1;
  }
  return { stops, passes, unknown, same };
}

/** Pure. */
export const foreseeErase = (
  before: Sanitization,
  after: Sanitization,
  drives: readonly KnownDrives[],
  results: readonly RecordedResults[],
): EraseEffect => ({
  models: foreseeModels(before, after, drives),
  ...foreseeReclamations(before, after, results),
});

/** Changed settings whose effect no record shows. Pure. */
export function untold(before: Sanitization, after: Sanitization): readonly string[] {
  const notes: string[] = [];
  const { erase: a } = before;
  const { erase: b } = after;
  if (a.samplesPerDevice !== b.samplesPerDevice || a.markersPerDevice !== b.markersPerDevice)
    notes.push("Samples and markers: the effect of more or fewer is not recorded.");
  if (before.canariesPerDevice !== after.canariesPerDevice || before.requireProbe !== after.requireProbe)
    notes.push("Remnant probe: what canaries would have found is not recorded.");
  if (a.noProgressTimeoutMs !== b.noProgressTimeoutMs)
    notes.push("No-progress limit: how long recorded erases stalled is not recorded.");
  if (JSON.stringify(before.excludedMedia ?? []) !== JSON.stringify(after.excludedMedia ?? []))
    notes.push("Excluded media: drives that were excluded have no recorded erase.");
  return notes;
}
