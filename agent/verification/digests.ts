// Keyed digests of random blocks, taken before an erase and compared after it: the tenant's own data is the marker
// (docs/design/sanitization.md#verification).
import { hash } from "node:crypto";
import { readPositions, type Area, type Position } from "@/agent/verification/area";
import { bytesFrom, numbersFrom } from "@/agent/verification/stream";
import type { BlockTools } from "@/agent/tools/tools";

const keyBytes = 32;
const positionBytes = 12;
const wordLimit = 4_294_967_296;
/**
 * 72 bits: noise matches by accident one time in 10^21, and a match can only refute an erase. Six characters would be enough, and are half as much in the
 * database. A release may take fewer once no agent runs any more that compares twelve: that one would find no match, however little was erased.
 */
const digestLength = 12;
/** Maximum digests per device in the journal. */
const maxCandidates = 2000;

/**
 * Where to look: two rounds of `samples` places, spread evenly over all areas. The first round is read completely, in order of area and block; the
 * second only until enough was found, so it alternates between the areas.
 */
function candidates(seed: string, areas: readonly Area[], samples: number): Position[] {
  const number = numbersFrom(seed, "positions");
  const round = (count: number) =>
    Array.from({ length: count }, (_, index) => {
      const area = index % areas.length;
      return { area, block: number(areas[area]?.blocks ?? 0) };
    });
  const first = Math.min(samples, maxCandidates);
  return [
    ...round(first).sort((a, b) => a.area - b.area || a.block - b.block),
    ...round(Math.min(samples, maxCandidates - first)),
  ];
}

function digester(seed: string): (position: Position, content: Uint8Array, length: number) => string {
  let scratch = Buffer.alloc(0);
  const key = bytesFrom(seed, "digest key", keyBytes);
  return (position, content, length) => {
    const bytes = keyBytes + positionBytes + content.length;
    if (scratch.length !== bytes) {
      scratch = Buffer.alloc(bytes);
      key.copy(scratch);
    }
    scratch.writeUInt32LE(position.area, keyBytes);
    scratch.writeUInt32LE(position.block % wordLimit, keyBytes + 4);
    scratch.writeUInt32LE(Math.floor(position.block / wordLimit), keyBytes + 8);
    scratch.set(content, keyBytes + positionBytes);
    return hash("sha256", scratch, "base64url").slice(0, length);
  };
}

/** A block of one repeated byte is no evidence: it may read the same after an honest erase. */
function isConstant(content: Uint8Array): boolean {
  const first = content[0];
  for (let index = 1; index < content.length; index += 1) if (content[index] !== first) return false;
  return true;
}

/**
 * Digests of `samples` random non-constant blocks, or fewer if two rounds did not find that many. One entry per place looked at, in order; empty
 * where the block was constant or unreadable.
 */
export async function takeDigests(
  tools: BlockTools,
  areas: readonly Area[],
  seed: string,
  samples: number,
): Promise<string[]> {
  if (areas.length === 0) return [];
  const digest = digester(seed);
  const places = candidates(seed, areas, samples);
  const taken: string[] = [];
  let found = 0;
  for (const round of [places.slice(0, samples), places.slice(samples)]) {
    if (found >= samples) break;
    const contents = await readPositions(tools, areas, round);
    for (const [index, position] of round.entries()) {
      const content = contents[index];
      const useful = content !== null && content !== undefined && found < samples && !isConstant(content);
      taken.push(useful ? digest(position, content, digestLength) : "");
      if (useful) found += 1;
    }
  }
  return taken;
}

/** The places whose digests `takeDigests` returned. */
export const sampledPlaces = (
  seed: string,
  areas: readonly Area[],
  samples: number,
  taken: readonly string[],
): readonly Position[] => candidates(seed, areas, samples).filter((_, index) => taken[index]);

export interface DigestComparison {
  readonly compared: number;
  readonly unreadable: number;
  readonly matches: number;
  readonly bytes: number;
}

/** Reads the same places again. An unchanged block is a match and refutes the erase. */
export async function compareDigests(
  tools: BlockTools,
  areas: readonly Area[],
  seed: string,
  samples: number,
  taken: readonly string[],
): Promise<DigestComparison> {
  const digest = digester(seed);
  const before: { position: Position; digest: string }[] = [];
  for (const [index, position] of candidates(seed, areas, samples).entries()) {
    const old = taken[index];
    if (old) before.push({ position, digest: old });
  }
  const contents = await readPositions(
    tools,
    areas,
    before.map(({ position }) => position),
  );
  let compared = 0;
  let matches = 0;
  let bytes = 0;
  for (const [index, { position, digest: old }] of before.entries()) {
    const content = contents[index];
    if (content === null || content === undefined) continue;
    compared += 1;
    bytes += content.length;
    // safety: agent: comparison of digests
    if (digest(position, content, old.length) === old) matches += 1;
  }
  return { compared, unreadable: before.length - compared, matches, bytes };
}
