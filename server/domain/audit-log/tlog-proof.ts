// Self-contained proofs (https://c2sp.org/tlog-proof): where an entry is in the log, and a checkpoint that covers it.
import { parseCheckpoint } from "@/server/domain/audit-log/checkpoint";
import type { Checkpoint } from "@/server/domain/audit-log/checkpoint";
import { hashBytes } from "@/server/domain/audit-log/merkle";
import type { Hash } from "@/server/domain/audit-log/merkle";
import { fromBase64 } from "@/server/domain/audit-log/note";
import { includes } from "@/server/domain/audit-log/proofs";

const firstLine = "c2sp.org/tlog-proof@v1";

export const hashLine = (hash: Hash): string => `${Buffer.from(hash).toString("base64")}\n`;

/** @param checkpoint the signed note */
export const formatProof = (index: number, hashes: readonly Hash[], checkpoint: string): string =>
  `${firstLine}\nindex ${index}\n${hashes.map(hashLine).join("")}\n${checkpoint}`;

/** Null: not a hash in base64. */
export function parseHash(line: string): Hash | null {
  const bytes = fromBase64(line);
  return bytes?.length === hashBytes ? bytes : null;
}

export interface TlogProof {
  readonly index: number;
  readonly hashes: readonly Hash[];
  readonly checkpoint: Checkpoint;
}

/** Null: not a proof. The checkpoint's signatures are not checked here. */
export function parseProof(text: string): TlogProof | null {
  const end = text.indexOf("\n\n");
  const [first, ...lines] = text.slice(0, Math.max(end, 0)).split("\n");
  if (first !== firstLine) return null;
  if (lines[0]?.startsWith("extra ") === true) lines.shift();
  const [, index = ""] = /^index (0|[1-9]\d*)$/.exec(lines.shift() ?? "") ?? [];
  const hashes = lines.flatMap((line) => parseHash(line) ?? []);
  const checkpoint = parseCheckpoint(text.slice(end + 2));
  if (index === "" || hashes.length !== lines.length || checkpoint === null) return null;
  return { index: Number(index), hashes, checkpoint };
}

/** Whether the proof shows that its checkpoint covers the entry. */
export const provesEntry = ({ index, hashes, checkpoint }: TlogProof, leaf: Hash): boolean =>
  includes({ index, size: checkpoint.size, root: checkpoint.root }, leaf, hashes);
