// How a witness answers a checkpoint (https://c2sp.org/tlog-witness): it remembers the latest one of each log, and cosigns what extends it.
import { parseCheckpoint, signerOf } from "@/server/domain/audit-log/checkpoint";
import type { Checkpoint } from "@/server/domain/audit-log/checkpoint";
import { emptyRoot, sameHash } from "@/server/domain/audit-log/merkle";
import type { Hash } from "@/server/domain/audit-log/merkle";
import type { VerifierKey } from "@/server/domain/audit-log/note";
import { isConsistent } from "@/server/domain/audit-log/proofs";
import { hashLine, parseHash } from "@/server/domain/audit-log/tlog-proof";

const maxProofLines = 63;

export interface AddCheckpoint {
  readonly old: number;
  readonly proof: readonly Hash[];
  readonly checkpoint: Checkpoint;
}

/** @param checkpoint the signed note */
export const formatAddCheckpoint = (old: number, proof: readonly Hash[], checkpoint: string): string =>
  `old ${old}\n${proof.map(hashLine).join("")}\n${checkpoint}`;

/** Null: not such a request. */
export function parseAddCheckpoint(text: string): AddCheckpoint | null {
  const end = text.indexOf("\n\n");
  const [first = "", ...lines] = text.slice(0, Math.max(end, 0)).split("\n");
  const [, old] = /^old (0|[1-9]\d{0,15})$/.exec(first) ?? [];
  const proof = lines.flatMap((line) => parseHash(line) ?? []);
  const checkpoint = parseCheckpoint(text.slice(end + 2));
  if (old === undefined || checkpoint === null || proof.length !== lines.length) return null;
  return proof.length > maxProofLines ? null : { old: Number(old), proof, checkpoint };
}

/** The status of the answer. `size`: that of the latest cosigned checkpoint, if the request did not start from it. */
export type Verdict =
  | { readonly status: 200 }
  | { readonly status: 409; readonly size: number }
  | { readonly status: 400 | 403 | 404 | 422; readonly why: string };

/** @param last the latest checkpoint of this log that was cosigned; null: none @param trusted keys of logs */
export async function judgeCheckpoint(
  { old, proof, checkpoint }: AddCheckpoint,
  last: Checkpoint | null,
  trusted: readonly VerifierKey[],
): Promise<Verdict> {
  if (!trusted.some(({ name }) => name === checkpoint.origin))
    return { status: 404, why: `${checkpoint.origin} is not a log that this witness knows` };
  const signer = await signerOf(checkpoint, trusted);
  // safety: witness: only what the log signed
  if (!signer.ok) return { status: 403, why: signer.why };
  if (old > checkpoint.size) return { status: 400, why: "the old size is above the new one" };
  const known = last ?? { size: 0, root: emptyRoot };
  if (old !== known.size) return { status: 409, size: known.size };
  if (checkpoint.size === 0 && !sameHash(checkpoint.root, emptyRoot))
    return { status: 422, why: "the root of an empty log is another" };
  // safety: witness: only what goes on from what was cosigned
  if (!isConsistent(known, checkpoint, proof))
    return { status: 422, why: `the log does not begin with the ${known.size} events that were cosigned` };
  return { status: 200 };
}
