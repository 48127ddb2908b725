// How long an erase may take, and until when one may still run of which nobody hears any more (docs/adr/0022-durations-travel.md).
import type { Policy } from "@/server/domain/cleaning/policy";
import type { Media, StorageDevice } from "@/server/domain/inventory/inventory";
import type { Technique } from "@/server/domain/sanitization/techniques";

const minute = 60_000;

/** On top of what capacity and technique ask for: identifying, markers, reading back. */
const marginMs = 30 * minute;

/** A BMC's job often tells no percentage, and nobody can ask the drives beside it: so it is given at least this long. */
const leastByBmcMs = 240 * minute;

interface FloorRate {
  /** In MB/s. */
  readonly flash: number;
  readonly disk: number;
}

const byKey: FloorRate | null = null;
const wholeFlash: FloorRate = { flash: 200, disk: 100 };
const wholeDisk: FloorRate = { flash: 150, disk: 50 };

/** The slowest that a technique is on a drive in order, a worn one included; null: what it takes does not depend on the capacity. */
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
 * The longest that one attempt at erasing these drives may take without telling of any progress: the slowest technique that the policy allows
 * on the drive that takes longest, because drives are erased side by side. Never more than the policy's maximum, which also holds where no
 * drive or no capacity is known. `byBmc`: techniques of a step that the BMC carries out. Pure.
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
  /** When the step's attempt has used up its time limit; null: not known. */
  readonly deadlineAtMs: number | null;
  /** By serial, when each drive is expected to end, by the database's clock; null: nobody knows of that drive. */
  readonly ends: Readonly<Record<string, number | null>>;
  /** When a report of the attempt was received last, and when one told of progress. */
  readonly reportedAtMs: number | null;
  readonly movedAtMs: number | null;
  /** Policy: no erase wait is in progress longer than this after it was last heard of. */
  readonly mostMs: number;
  /** Policy: without progress for this long an erase is not believed to run on past its time limit. */
  readonly noProgressMs: number;
}

/**
 * Until when an erase may still run: the end of the drive that takes longest. What nobody knows of one drive makes the step's time limit hold
 * for all of them, and a step that went on past it is given the time in which its next progress was due. Null: nothing is known at all. Pure.
 */
export function eraseMayRunUntilMs({
  deadlineAtMs,
  ends,
  reportedAtMs,
  movedAtMs,
  mostMs,
  noProgressMs,
}: EraseFacts): number | null {
  const times = Object.values(ends);
  const known = times.filter((end) => end !== null);
  const longestMs =
    known.length === 0
      ? null
      : Math.min(
          /* safety: erase: the drive that takes longest → Math.min(...known) */ Math.max(...known),
          /* safety: erase: no end beyond the policy's maximum → Infinity */ (reportedAtMs ?? Infinity) +
            mostMs,
        );
  if (
    times.length > 0 &&
    /* safety: erase: one unknown drive makes the time limit hold */ known.length === times.length
  )
    return longestMs;
  const unknownMs =
    deadlineAtMs === null ? null : Math.max(deadlineAtMs, movedAtMs === null ? 0 : movedAtMs + noProgressMs);
  return longestMs === null || unknownMs === null ? (unknownMs ?? longestMs) : Math.max(longestMs, unknownMs);
}

export interface ProtectionFacts extends EraseFacts {
  /** What an ended reclamation, or a deleted host, left behind. */
  readonly leftUntilMs: number | null;
  /** Since when the host is in its state: what was left behind is not newer. */
  readonly stateSinceMs: number;
}

/**
 * Until when a host that is marked as erasing is protected: the later of the erase of its present attempt and of what was left behind. No time
 * that anybody wrote down protects it for longer than twice the policy's maximum, and an erase of which nothing is known at all for once. Pure.
 */
export function eraseProtectedUntilMs({ leftUntilMs, stateSinceMs, ...facts }: ProtectionFacts): number {
  const runsMs = eraseMayRunUntilMs(facts);
  const leftMs =
    leftUntilMs === null
      ? null
      : Math.min(
          leftUntilMs,
          /* safety: erase: no far time that was remembered → Infinity */ stateSinceMs + 2 * facts.mostMs,
        );
  // safety: erase: what nothing is known of is protected
  if (runsMs === null && leftMs === null) return stateSinceMs + facts.mostMs;
  return Math.max(runsMs ?? 0, leftMs ?? 0);
}

/** When a step that tells of nothing any more is out of time: one that made progress is not timed out before its next progress was due. Pure. */
export function stepEndsAtMs(deadlineAtMs: number, movedAtMs: number | null, noProgressMs: number): number {
  return Math.max(deadlineAtMs, movedAtMs === null ? 0 : movedAtMs + noProgressMs);
}
