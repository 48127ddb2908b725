// Overwrites partition tables, RAID and LVM signatures: up to 34 blocks at each end of each area. Erases no data and proves nothing.
import type { ErasableDevice } from "@/agent/steps/erasable-device";
import type { Tools } from "@/agent/tools/tools";
import type { Area } from "@/agent/verification/area";

const mib = 1024 * 1024;
/** Signatures are in the outermost blocks; overwriting more would only take longer. */
const blocksPerEnd = 34;

const endsOf = ({ blocks, blockBytes }: Area): readonly number[] => {
  const count = Math.min(blocksPerEnd, Math.floor(mib / blockBytes), blocks);
  return [
    ...new Set([
      ...Array.from({ length: count }, (_, index) => index),
      ...Array.from({ length: count }, (_, index) => blocks - 1 - index),
    ]),
  ];
};

/** Returns what went wrong, or null if every block reads back as zeros. */
export async function wipeMetadata(tools: Tools, device: ErasableDevice): Promise<string | null> {
  const prepared = await device.prepare();
  if (!prepared.ok) return prepared.problem;
  for (const area of prepared.value) {
    const places = endsOf(area);
    const zeros = new Uint8Array(area.blockBytes);
    for (const block of places) {
      const written = await tools.blocks.write(area.target, area.blockBytes, block, zeros);
      if (written.value !== true) return `${written.command} answered ${written.exitCode}: ${written.status}`;
    }
    const read = await tools.blocks.read(area.target, area.blockBytes, places);
    const left =
      read.value?.findIndex((content) => content === null || content.some((byte) => byte !== 0)) ?? 0;
    if (left !== -1) return `block ${places[left] ?? 0} does not read back as zeros`;
  }
  return null;
}
