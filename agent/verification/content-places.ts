// Where on a range of blocks a system keeps what it boots, mounts or assembles: boot records, partition tables, superblocks, RAID and LVM metadata.
import type { ContentPlace } from "@/server/domain/cleaning/sanitization/content";
import type { Area } from "@/agent/verification/area";

const kib = 1024;
const mib = 1024 * kib;
const gptEntriesBytes = 16 * kib;

/** The blocks that contain bytes `from` to before `to`, as far as the area has them. */
function range({ blocks, blockBytes }: Area, from: number, to: number): number[] {
  const first = Math.max(0, Math.floor(from / blockBytes));
  const end = Math.min(blocks, Math.ceil(to / blockBytes));
  return Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
}

/** The last multiple of `step` at or below `bytes`. */
const aligned = (bytes: number, step: number): number => bytes - (bytes % step);

type MetadataPlace = Exclude<ContentPlace, "sampled">;

/**
 * Blocks by place, each block in only one. Byte positions are those of UEFI 2.10 5.3 (GPT), md(4) (superblocks 0.90, 1.0, 1.1, 1.2), ext4
 * (1 KiB), ISO 9660 (32 KiB), btrfs (64 KiB, 64 MiB), ZFS (labels of 256 KiB, two at each end), LVM2 (sectors 0 to 3), LUKS2 (second header),
 * DDF (anchor in the last block) and Intel's IMSM (last two blocks).
 */
export function metadataPlaces(area: Area): Readonly<Record<MetadataPlace, readonly number[]>> {
  const { blocks, blockBytes } = area;
  const size = blocks * blockBytes;
  const at = (from: number, bytes = 4 * kib): number[] => range(area, from, from + bytes);
  const tableBytes = blockBytes + gptEntriesBytes;
  const wanted = {
    bootRecord: at(0, blockBytes),
    // Header and entries: the same number of blocks at both ends.
    partitionTable: range(area, blockBytes, blockBytes + tableBytes),
    end: range(area, Math.max(0, size - tableBytes), size),
    firstPartition: at(mib, 8 * kib),
    superblocks: [4 * kib, 16 * kib, 32 * kib, 64 * kib, 128 * kib, 384 * kib, 64 * mib].flatMap((from) =>
      at(from),
    ),
    // md 0.90: the last whole 64 KiB but one. md 1.0: 8 to 12 KiB before the end. ZFS: the uberblocks of the last two labels.
    raidMetadata: [
      aligned(size, 64 * kib) - 64 * kib,
      aligned(size, 4 * kib) - 12 * kib,
      aligned(size, 256 * kib) - 384 * kib,
      aligned(size, 256 * kib) - 128 * kib,
    ].flatMap((from) => (from < 0 ? [] : at(from))),
  } satisfies Record<MetadataPlace, readonly number[]>;
  const taken = new Set<number>();
  const own = (list: readonly number[]): readonly number[] => {
    const fresh: number[] = [];
    for (const block of list) {
      if (taken.has(block)) continue;
      taken.add(block);
      fresh.push(block);
    }
    return fresh;
  };
  return {
    bootRecord: own(wanted.bootRecord),
    partitionTable: own(wanted.partitionTable),
    end: own(wanted.end),
    firstPartition: own(wanted.firstPartition),
    superblocks: own(wanted.superblocks),
    raidMetadata: own(wanted.raidMetadata),
  };
}

/** A RAID kit itself writes to the end of its drives when the host starts, so nothing there is compared. */
const kitBytes = 64 * mib;

/** Number of blocks, from the start of the area, that only a system or a person writes to. */
export function comparedBlocks({ target, blocks, blockBytes }: Area): number {
  return target.kind === "kit" ? Math.max(0, blocks - Math.ceil(kitBytes / blockBytes)) : blocks;
}
