// A drive's content as keyed digests, so that a later boot can tell whether anything was written since (docs/adr/0021-content-fingerprints.md).
import { createHmac } from "node:crypto";
import { contentPlaces } from "@/server/domain/cleaning/sanitization/content";
import type {
  ContentArea,
  ContentPlace,
  Fingerprint,
  FingerprintRequest,
} from "@/server/domain/cleaning/sanitization/content";
import type { ErasableDevice, Outcome } from "@/agent/steps/erasable-device";
import type { Area } from "@/agent/verification/area";
import { comparedBlocks, metadataPlaces } from "@/agent/verification/content-places";
import { numbersFrom } from "@/agent/verification/stream";
import type { BlockTools } from "@/agent/tools/tools";

const digestLength = 22;

const chunkBytes = 16_384;
/** Maximum length of the text before a block: its number and its length. */
const longestHead = 64;

const nameOf = ({ target }: Area): string =>
  target.kind === "nvme" ? `namespace ${target.namespace}` : "drive";

/** Places follow from the secret, so nobody without it can write around them. */
function sampledBlocks(secret: string, purpose: string, blocks: number, count: number): number[] {
  const number = numbersFrom(secret, purpose);
  // A typed array sorts numbers without a callback for each pair.
  const sampled = new Float64Array(blocks === 0 ? 0 : count);
  for (let index = 0; index < sampled.length; index += 1) sampled[index] = number(blocks);
  return Array.from(sampled.sort());
}

/** Digest of the blocks with their numbers. An unreadable block has a value of its own, because it becomes readable once something is written there. */
function digestOf(
  secret: string,
  purpose: string,
  blocks: readonly number[],
  contents: readonly (Uint8Array | null)[],
): string {
  const hmac = createHmac("sha256", secret).update(purpose);
  // Each update of the digest costs more than copying a small block.
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let filled = 0;
  const flush = () => {
    hmac.update(chunk.subarray(0, filled));
    filled = 0;
  };
  const add = (bytes: Uint8Array) => {
    if (filled + bytes.length > chunkBytes) flush();
    if (bytes.length > chunkBytes) return void hmac.update(bytes);
    chunk.set(bytes, filled);
    filled += bytes.length;
  };
  for (const [index, block] of blocks.entries()) {
    const content = contents[index] ?? null;
    if (filled + longestHead > chunkBytes) flush();
    const head = `\u0000${block} ${content === null ? "unreadable" : content.length}\u0000`;
    filled += chunk.write(head, filled, "latin1");
    // safety: agent: what a block holds is in its digest
    if (content !== null) add(content);
  }
  flush();
  return hmac.digest("base64url").slice(0, digestLength);
}

async function areaOf(
  tools: BlockTools,
  serial: string,
  area: Area,
  samples: number,
  secret: string,
): Promise<Outcome<ContentArea>> {
  const name = nameOf(area);
  const compared = comparedBlocks(area);
  const blocksOf = {
    ...metadataPlaces(area),
    sampled: sampledBlocks(secret, `content ${serial} ${name}`, compared, samples),
  } satisfies Record<ContentPlace, readonly number[]>;
  const wanted = contentPlaces.map((place) => ({
    place,
    blocks: blocksOf[place].filter((block) => block < compared),
  }));
  const answer = await tools.read(
    area.target,
    area.blockBytes,
    wanted.flatMap(({ blocks }) => blocks),
  );
  if (answer.value === null)
    return { ok: false, problem: `${answer.command} answered ${answer.exitCode}: ${answer.status}` };
  const places: ContentArea["places"] = {};
  let from = 0;
  for (const { place, blocks } of wanted) {
    if (blocks.length > 0)
      places[place] = digestOf(
        secret,
        `${serial} ${name} ${place}`,
        blocks,
        answer.value.slice(from, from + blocks.length),
      );
    from += blocks.length;
  }
  return { ok: true, value: { name, blocks: area.blocks, blockBytes: area.blockBytes, places } };
}

/** Fingerprint of everything on the drive that can be reached now. Read-only. */
export async function takeFingerprint(
  tools: BlockTools,
  device: Pick<ErasableDevice, "facts" | "areas">,
  { secret, samplesPerDevice }: FingerprintRequest,
): Promise<Outcome<Fingerprint>> {
  const areas = await device.areas();
  if (!areas.ok) return areas;
  if (areas.value.length === 0)
    return { ok: false, problem: "nothing on it can be read: it has no namespace" };
  const taken: ContentArea[] = [];
  for (const area of areas.value) {
    const content = await areaOf(
      tools,
      device.facts.serial,
      area,
      Math.ceil(samplesPerDevice / areas.value.length),
      secret,
    );
    if (!content.ok) return content;
    taken.push(content.value);
  }
  return { ok: true, value: taken };
}
