// The places where a system, RAID controller or volume manager keeps what it boots and assembles, for any block size.
import { describe, expect, it } from "vitest";
import { comparedBlocks, metadataPlaces } from "@/agent/verification/content-places";
import type { Area } from "@/agent/verification/area";

const kib = 1024;
const mib = 1024 * kib;
const size = 480_103_981_056;
const area = (blockBytes: number, bytes = size): Area => ({
  target: { kind: "disk", disk: "/dev/sda" },
  blocks: bytes / blockBytes,
  blockBytes,
});

const known: readonly (readonly [string, number])[] = [
  ["MBR, LUKS, XFS", 0],
  ["GPT header of 512-byte blocks, LVM label", 512],
  ["ext4 superblock", kib],
  ["GPT header of 4K blocks, md 1.2", 4 * kib],
  ["ISO 9660", 32 * kib],
  ["btrfs", 64 * kib],
  ["second btrfs superblock", 64 * mib],
  ["ZFS uberblocks", 128 * kib],
  ["first partition", mib],
  ["ext4 in the first partition", mib + kib],
  ["md 1.2 in the first partition", mib + 4 * kib],
  ["backup GPT header, DDF anchor", size - 512],
  ["IMSM", size - 1_024],
  ["backup GPT entries", size - 33 * 512],
  ["md 1.0", size - (size % (4 * kib)) - 8 * kib],
  ["md 0.90", size - (size % (64 * kib)) - 64 * kib],
];

describe.each([512, 4096])("of a drive with blocks of %i bytes", (blockBytes) => {
  const blocks = new Set(Object.values(metadataPlaces(area(blockBytes))).flat());

  it.each(known)("%s is read", (_what, at) => {
    expect(blocks.has(Math.floor(at / blockBytes))).toBe(true);
  });

  it("no block is read twice, and few are", () => {
    const all = Object.values(metadataPlaces(area(blockBytes))).flat();
    expect(all.length).toBe(blocks.size);
    expect(all.length).toBeLessThan(250);
    expect(all.every((block) => block >= 0 && block < size / blockBytes)).toBe(true);
  });
});

it("a drive of a few blocks is read as far as it goes", () => {
  expect(
    Object.values(metadataPlaces(area(512, 4 * 512)))
      .flat()
      .sort(),
  ).toEqual([0, 1, 2, 3]);
});

it("what a RAID kit writes at the end of its drives by itself is not compared", () => {
  const kit: Area = {
    target: { kind: "kit", kit: "/dev/nvme0", bay: 0 },
    blocks: size / 512,
    blockBytes: 512,
  };
  expect(comparedBlocks(kit)).toBe(size / 512 - (64 * mib) / 512);
  expect(comparedBlocks(area(512))).toBe(size / 512);
});
