// How long an erase may take, and how long one may still be running after its last report (docs/adr/0022-durations-travel.md).
import type { Policy } from "@/server/domain/cleaning/policy/policy";
import type { Media, StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import type { Technique } from "@/server/domain/cleaning/sanitization/techniques";

const minute = 60_000;

/** Added to what capacity and technique require: identifying, markers, reading back. */
const marginMs = 30 * minute;

/** Minimum for a BMC's erase. Its job often reports no percentage, and meanwhile nobody can ask the drives directly. */
const leastByBmcMs = 240 * minute;

interface FloorRate {
  /** MB/s. */
  readonly flash: number;
  readonly disk: number;
}

const byKey: FloorRate | null = null;
const wholeFlash: FloorRate = { flash: 200, disk: 100 };
const wholeDisk: FloorRate = { flash: 150, disk: 50 };

/** The minimum speed of a technique on a working drive, worn ones included; null: the time does not depend on the capacity. */
const floorRates = {
  "nvme-sanitize-crypto": byKey,
  "nvme-sanitize-block": wholeFlash,
  "nvme-sanitize-overwrite": wholeDisk,
  "nvme-format-crypto": byKey,
  "nvme-format-user-data": wholeFlash,
  "nvme-format-none": byKey,
  "delete-namespace": byKey,
  blkdiscard: byKey,
  "ata-sanitize-crypto": byKey,
  "ata-sanitize-block": wholeFlash,
  "ata-secure-erase-enhanced": wholeDisk,
  "ata-secure-erase": wholeDisk,
  overwrite: wholeDisk,
  "scsi-sanitize-crypto": byKey,
  "scsi-sanitize-block": wholeFlash,
  "scsi-format": wholeDisk,
  "dell-boss-decommission": wholeFlash,
  "redfish-drive-secure-erase": wholeDisk,
  "raid-kit-format": wholeFlash,
} satisfies Record<Technique, FloorRate | null>;

function techniqueMs(technique: Technique, device: StorageDevice): number {
  const rate: FloorRate | null = floorRates[technique];
  if (rate === null) return 0;
  return Number(device.capacityBytes) / 1_000 / (device.media === "hdd" ? rate.disk : rate.flash);
}

/**
 * The maximum time for one attempt at erasing these drives without a progress report. It follows from the slowest technique that the policy allows, on the
 * slowest drive, because drives are erased in parallel. Never above the policy's maximum, which also applies if there is no drive or a capacity is unknown.
 * `byBmc`: techniques of a step that the BMC runs. Pure.
 */
export function eraseLimitMs(
  { times, sanitization }: Pick<Policy, "times" | "sanitization">,
  devices: readonly StorageDevice[],
  byBmc: readonly Technique[] = [],
): number {
  const most = times.eraseStepMs;
  // safety: erase: a drive without capacity gets the maximum
  if (devices.length === 0 || devices.some(({ capacityBytes }) => !(Number(capacityBytes) > 0))) return most;
  const allowed = (media: Media): readonly Technique[] =>
    byBmc.length > 0 ? byBmc : sanitization.erase.techniques[media];
  const slowest = Math.max(
    ...devices.flatMap((device) => allowed(device.media).map((technique) => techniqueMs(technique, device))),
    0,
  );
  const neededMs = Math.ceil(marginMs + slowest);
  return Math.min(most, byBmc.length > 0 ? Math.max(leastByBmcMs, neededMs) : neededMs);
}

export interface EraseFacts {
  /** When the attempt reaches its time limit; null: unknown. */
  readonly deadlineAtMs: number | null;
  /** When each drive is expected to finish, by serial number and the database's clock; null: unknown for that drive. */
  readonly ends: Readonly<Record<string, number | null>>;
  /** When the attempt's last report arrived, and the last one with progress. */
  readonly reportedAtMs: number | null;
  readonly movedAtMs: number | null;
  /** Policy: the maximum erase wait after the last report. */
  readonly maxMs: number;
  /** Policy: past its time limit, an erase without progress for this long is assumed to have stopped. */
  readonly noProgressMs: number;
}

/**
 * Until when an erase may still be running: until the slowest drive finishes. If one drive's end is unknown, the step's time limit applies to all of them, and
 * a step that made progress near or past its limit gets the time in which its next progress was due. Null: nothing is known. Pure.
 */
export function eraseMayRunUntilMs({
  deadlineAtMs,
  ends,
  reportedAtMs,
  movedAtMs,
  maxMs,
  noProgressMs,
}: EraseFacts): number | null {
  const times = Object.values(ends);
  const known = times.filter((end) => end !== null);
  const longestMs =
    known.length === 0 ? null : Math.min(Math.max(...known), (reportedAtMs ?? Infinity) + maxMs);
  if (times.length > 0 && known.length === times.length) return longestMs;
  const unknownMs =
    deadlineAtMs === null ? null : Math.max(deadlineAtMs, movedAtMs === null ? 0 : movedAtMs + noProgressMs);
  return longestMs === null || unknownMs === null ? (unknownMs ?? longestMs) : Math.max(longestMs, unknownMs);
}

export interface ProtectionFacts extends EraseFacts {
  /** Left by an ended reclamation or a deleted host. */
  readonly leftUntilMs: number | null;
  /** When the host entered its state. What was left behind is not newer than that. */
  readonly stateSinceMs: number;
}

/**
 * Until when a host marked as erasing is protected: the later of its current attempt's erase and what an earlier one left behind. What was left behind protects
 * it for at most twice the policy's maximum, and an erase of which nothing is known protects it for the maximum once. Pure.
 */
export function eraseProtectedUntilMs({ leftUntilMs, stateSinceMs, ...facts }: ProtectionFacts): number {
  const runsMs = eraseMayRunUntilMs(facts);
  const leftMs = leftUntilMs === null ? null : Math.min(leftUntilMs, stateSinceMs + 2 * facts.maxMs);
  // safety: erase: what nothing is known of is protected
  if (runsMs === null && leftMs === null) return stateSinceMs + facts.maxMs;
  return Math.max(runsMs ?? 0, leftMs ?? 0);
}

/** When a step without further reports times out. A step that made progress does not time out before its next progress was due. Pure. */
export function stepEndsAtMs(deadlineAtMs: number, movedAtMs: number | null, noProgressMs: number): number {
  return Math.max(deadlineAtMs, movedAtMs === null ? 0 : movedAtMs + noProgressMs);
}
