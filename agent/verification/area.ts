// A range of blocks that is sampled as one (a namespace or a whole disk), and how a batch of positions is read.
import type { BlockTarget, BlockTools } from "@/agent/tools/tools";

export interface Area {
  readonly target: BlockTarget;
  readonly blocks: number;
  readonly blockBytes: number;
}

export interface Position {
  readonly area: number;
  readonly block: number;
}

/** How a drive is divided, in a few words: places derived from a seed are the same only if this is. */
export const areasText = (areas: readonly Area[]): string =>
  areas
    .map(
      ({ target, blocks, blockBytes }) =>
        `${target.kind === "nvme" ? target.namespace : target.kind}/${blocks}/${blockBytes}`,
    )
    .join(",")
    .slice(0, 2000);

/** The first area of which neither the first, the middle nor the last block can be read; null if there is none. */
export async function unreadableArea(tools: BlockTools, areas: readonly Area[]): Promise<Area | null> {
  for (const area of areas) {
    const answer = await tools.read(area.target, area.blockBytes, [
      0,
      Math.floor(area.blocks / 2),
      area.blocks - 1,
    ]);
    if (!answer.value?.some((content) => content !== null)) return area;
  }
  return null;
}

/** Reads the blocks at these positions, in their order; null where the device reported an error or could not be read at all. */
export async function readPositions(
  tools: BlockTools,
  areas: readonly Area[],
  positions: readonly Position[],
): Promise<(Uint8Array | null)[]> {
  const contents = new Array<Uint8Array | null>(positions.length).fill(null);
  for (const [index, area] of areas.entries()) {
    const wanted: number[] = [];
    const places: number[] = [];
    for (const [place, position] of positions.entries()) {
      if (position.area !== index) continue;
      wanted.push(position.block);
      places.push(place);
    }
    if (wanted.length === 0) continue;
    const answer = await tools.read(area.target, area.blockBytes, wanted);
    for (const [order, place] of places.entries()) contents[place] = answer.value?.[order] ?? null;
  }
  return contents;
}
