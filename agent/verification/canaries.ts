// Canaries of the remnant probe: one block of random content in each of many equal slices of a drive (docs/adr/0088-remnant-probe.md).
import { maskOf, type ProbeReading } from "@/server/domain/cleaning/sanitization/probe";
import type { FingerprintRequest } from "@/server/domain/cleaning/sanitization/content";
import { areasText, readPositions, type Area, type Position } from "@/agent/verification/area";
import { comparedBlocks } from "@/agent/verification/content-places";
import { bytesFrom, numbersFrom } from "@/agent/verification/stream";
import type { BlockTools } from "@/agent/tools/tools";

interface Named {
  readonly serial: string;
  readonly model: string;
}

interface Canary extends Position {
  /** Position among all blocks of the drive, over all areas. */
  readonly place: number;
}

/** Slices treat all areas as one range. Places follow from the secret, so nobody without it can erase around them. */
function places({ serial, model }: Named, areas: readonly Area[], secret: string, count: number): Canary[] {
  const sizes = areas.map(comparedBlocks);
  const total = sizes.reduce((sum, blocks) => sum + blocks, 0);
  const slices = Math.min(count, total);
  const number = numbersFrom(secret, `canaries ${serial} ${model}`);
  return Array.from({ length: slices }, (_, slice) => {
    const from = Math.floor((slice * total) / slices);
    const place = from + number(Math.floor(((slice + 1) * total) / slices) - from);
    let block = place;
    let area = 0;
    while (area < sizes.length - 1 && block >= (sizes[area] ?? 0)) {
      block -= sizes[area] ?? 0;
      area += 1;
    }
    return { area, block, place };
  });
}

const contentOf = (secret: string, { serial, model }: Named, { place }: Canary, bytes: number): Buffer =>
  bytesFrom(secret, `canary ${serial} ${model} ${place}`, bytes);

async function look(
  tools: BlockTools,
  drive: Named,
  areas: readonly Area[],
  { secret }: FingerprintRequest,
  canaries: readonly Canary[],
): Promise<{ readonly read: boolean[]; readonly found: boolean[] }> {
  const contents = await readPositions(tools, areas, canaries);
  const found = canaries.map((canary, index) => {
    const content = contents[index] ?? null;
    // safety: agent: comparison of canaries (false)
    return content !== null && contentOf(secret, drive, canary, content.length).equals(content);
  });
  return { read: contents.map((content) => content !== null), found };
}

/**
 * Writes the canaries, except where `taken` has a sample or a marker, and reads them again: what the drive did not accept is not a canary. Returns
 * a mask; null: none are requested.
 */
export async function writeCanaries(
  tools: BlockTools,
  drive: Named,
  areas: readonly Area[],
  request: FingerprintRequest | undefined,
  taken: readonly Position[],
): Promise<string | null> {
  if (request?.canaries === undefined) return null;
  const blocked = new Set(taken.map(({ area, block }) => `${area}/${block}`));
  const canaries = places(drive, areas, request.secret, request.canaries);
  const sent: boolean[] = [];
  for (const canary of canaries) {
    const area = areas[canary.area];
    const free = !blocked.has(`${canary.area}/${canary.block}`);
    const answer =
      area === undefined || !free
        ? null
        : await tools.write(
            area.target,
            area.blockBytes,
            canary.block,
            contentOf(request.secret, drive, canary, area.blockBytes),
          );
    sent.push(answer?.value === true);
  }
  const { found } = await look(tools, drive, areas, request, canaries);
  return maskOf(found.map((there, index) => there && sent[index] === true));
}

/** Reads every canary's place. Null: none are requested. */
export async function findCanaries(
  tools: BlockTools,
  drive: Named,
  areas: readonly Area[],
  request: FingerprintRequest | undefined,
): Promise<ProbeReading | null> {
  if (request?.canaries === undefined) return null;
  const canaries = places(drive, areas, request.secret, request.canaries);
  const { read, found } = await look(tools, drive, areas, request, canaries);
  return { areas: areasText(areas), read: maskOf(read), found: maskOf(found) };
}
