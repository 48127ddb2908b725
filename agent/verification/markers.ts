// Blocks of random content written before an erase, so that even an empty device has something that must disappear
// (docs/design/sanitization.md#verification).
import { readPositions, type Area, type Position } from "@/agent/verification/area";
import { bytesFrom, numbersFrom } from "@/agent/verification/stream";
import type { BlockTools } from "@/agent/tools/tools";

const mebibyte = 1024 * 1024;

/** One place in the first MiB of each area, one in the last, then anywhere. Follows from the seed. */
export function markerPlaces(seed: string, areas: readonly Area[], count: number): Position[] {
  const number = numbersFrom(seed, "markers");
  return Array.from({ length: count }, (_, index) => {
    const area = index % areas.length;
    const blocks = areas[area]?.blocks ?? 0;
    const span = Math.min(blocks, Math.floor(mebibyte / (areas[area]?.blockBytes ?? mebibyte)));
    const turn = Math.floor(index / areas.length);
    const block = turn === 0 ? number(span) : turn === 1 ? blocks - 1 - number(span) : number(blocks);
    return { area, block };
  });
}

const contentOf = (seed: string, index: number, bytes: number) => bytesFrom(seed, `marker ${index}`, bytes);

/** Writes the markers and returns how many the device accepted; a device that accepts no writes is only sampled. */
export async function writeMarkers(
  tools: BlockTools,
  areas: readonly Area[],
  seed: string,
  count: number,
): Promise<number> {
  let written = 0;
  if (areas.length === 0) return 0;
  for (const [index, position] of markerPlaces(seed, areas, count).entries()) {
    const area = areas[position.area];
    if (!area) continue;
    const answer = await tools.write(
      area.target,
      area.blockBytes,
      position.block,
      contentOf(seed, index, area.blockBytes),
    );
    if (answer.value === true) written += 1;
  }
  return written;
}

/** How many markers can still be read, out of how many readable places. */
export async function findMarkers(
  tools: BlockTools,
  areas: readonly Area[],
  seed: string,
  count: number,
): Promise<{ found: number; read: number; bytes: number }> {
  if (areas.length === 0) return { found: 0, read: 0, bytes: 0 };
  const positions = markerPlaces(seed, areas, count);
  const contents = await readPositions(tools, areas, positions);
  let found = 0;
  let read = 0;
  let bytes = 0;
  for (const [index, content] of contents.entries()) {
    if (content === null) continue;
    read += 1;
    bytes += content.length;
    // safety: agent: comparison of markers
    if (contentOf(seed, index, content.length).equals(content)) found += 1;
  }
  return { found, read, bytes };
}
