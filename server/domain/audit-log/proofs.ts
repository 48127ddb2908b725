// Proofs that a tree contains a leaf, or all of an earlier tree (RFC 6962, section 2.1): the subtrees they consist of, and how to verify them.
import { foldEdge, half, isOdd, nodeHash, sameHash } from "@/server/domain/audit-log/merkle";
import type { Hash } from "@/server/domain/audit-log/merkle";

/** Leaves from `start` up to but excluding `end`. */
export interface LeafRange {
  readonly start: number;
  readonly end: number;
}

/** A complete subtree, over the leaves from `position * 2 ** height`. */
export interface Subtree {
  readonly height: number;
  readonly position: number;
}

/** The largest power of two below `count`, which must be at least 2. */
function split(count: number): number {
  let power = 1;
  while (power * 2 < count) power *= 2;
  return power;
}

/** The ranges whose hashes make up an inclusion proof, the leaf's sibling first. Throws for a leaf outside the tree. */
export function inclusionRanges(index: number, size: number): readonly LeafRange[] {
  if (!(index >= 0 && index < size)) throw new Error(`a tree of ${size} leaves has no leaf ${index}`);
  const ranges: LeafRange[] = [];
  for (let start = 0, end = size; end - start > 1;) {
    const middle = start + split(end - start);
    if (index < middle) {
      ranges.unshift({ start: middle, end });
      end = middle;
    } else {
      ranges.unshift({ start, end: middle });
      start = middle;
    }
  }
  return ranges;
}

/** The ranges whose hashes make up a proof that the tree of `size` leaves begins with the tree of `old` leaves. */
export function consistencyRanges(old: number, size: number): readonly LeafRange[] {
  if (!(old >= 0 && old <= size)) throw new Error(`a tree of ${size} leaves holds none of ${old}`);
  if (old === 0 || old === size) return [];
  const ranges: LeafRange[] = [];
  let start = 0;
  let end = size;
  while (end !== old) {
    const middle = start + split(end - start);
    if (old <= middle) {
      ranges.unshift({ start: middle, end });
      end = middle;
    } else {
      ranges.unshift({ start, end: middle });
      start = middle;
    }
  }
  // Whoever verifies knows the root of the whole old tree, but not the hash of a part of it.
  return start === 0 ? ranges : [{ start, end }, ...ranges];
}

/** The adjacent complete subtrees that make up a range of a proof. */
export function subtreesOf({ start, end }: LeafRange): readonly Subtree[] {
  const subtrees: Subtree[] = [];
  for (let at = start; at < end;) {
    let height = 0;
    while (at % 2 ** (height + 1) === 0 && at + 2 ** (height + 1) <= end) height += 1;
    subtrees.push({ height, position: at / 2 ** height });
    at += 2 ** height;
  }
  return subtrees;
}

/** The hashes of a proof. @param hashOf returns the hash of a complete subtree */
export const proofHashes = (
  ranges: readonly LeafRange[],
  hashOf: (subtree: Subtree) => Hash,
): readonly Hash[] => ranges.map((range) => foldEdge(subtreesOf(range).map(hashOf)));

/** Whether a proof shows that the tree with this root and size has the leaf at this index (RFC 9162, section 2.1.3.2). */
export function includes(
  { index, size, root }: { readonly index: number; readonly size: number; readonly root: Hash },
  leaf: Hash,
  proof: readonly Hash[],
): boolean {
  if (!(index >= 0 && index < size)) return false;
  let at = index;
  let last = size - 1;
  let hash = leaf;
  for (const sibling of proof) {
    if (last === 0) return false;
    if (isOdd(at) || at === last) {
      hash = nodeHash(sibling, hash);
      for (; !isOdd(at) && at !== 0; at = half(at)) last = half(last);
    } else hash = nodeHash(hash, sibling);
    at = half(at);
    last = half(last);
  }
  return last === 0 && sameHash(hash, root);
}

export interface TreeHead {
  readonly size: number;
  readonly root: Hash;
}

/** Whether a proof shows that the new tree begins with the old one (RFC 9162, section 2.1.4.2). */
export function isConsistent(old: TreeHead, now: TreeHead, proof: readonly Hash[]): boolean {
  if (old.size > now.size) return false;
  if (old.size === now.size) return proof.length === 0 && sameHash(old.root, now.root);
  if (old.size === 0) return proof.length === 0;
  const path = Number.isInteger(Math.log2(old.size)) ? [old.root, ...proof] : proof;
  const [first, ...rest] = path;
  if (first === undefined) return false;
  let at = old.size - 1;
  let last = now.size - 1;
  for (; isOdd(at); at = half(at)) last = half(last);
  let oldHash = first;
  let newHash = first;
  for (const hash of rest) {
    if (last === 0) return false;
    if (isOdd(at) || at === last) {
      oldHash = nodeHash(hash, oldHash);
      newHash = nodeHash(hash, newHash);
      for (; !isOdd(at) && at !== 0; at = half(at)) last = half(last);
    } else newHash = nodeHash(newHash, hash);
    at = half(at);
    last = half(last);
  }
  return last === 0 && sameHash(oldHash, old.root) && sameHash(newHash, now.root);
}
