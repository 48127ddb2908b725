// The audit log's Merkle tree: the hashes of RFC 6962, section 2.1, and a tree that grows leaf by leaf and stores only its right edge.
import { sha256 } from "@/server/domain/audit-log/crypto/sha256";

/** 32 bytes. */
export type Hash = Uint8Array;
export const hashBytes = 32;

const leafPrefix = Uint8Array.of(0);
const nodePrefix = Uint8Array.of(1);

export const leafHash = (entry: Uint8Array): Hash => sha256(leafPrefix, entry);

export const nodeHash = (left: Hash, right: Hash): Hash => sha256(nodePrefix, left, right);

/** The root of a tree without leaves. */
export const emptyRoot: Hash = sha256();

export const sameHash = (one: Hash, other: Hash): boolean => Buffer.compare(one, other) === 0;

/** Splits concatenated hashes. A remainder shorter than a hash is dropped. */
export const splitHashes = (bytes: Uint8Array): readonly Hash[] =>
  Array.from({ length: Math.floor(bytes.length / hashBytes) }, (_, at) =>
    bytes.subarray(at * hashBytes, (at + 1) * hashBytes),
  );

/** Sizes may exceed 32 bits, which JavaScript's shifts are limited to. */
export const half = (count: number): number => Math.floor(count / 2);
export const isOdd = (count: number): boolean => count % 2 === 1;

/** Called for each subtree that becomes complete. A leaf is a subtree of height 0. */
export type Completed = (height: number, position: number, hash: Hash) => void;

/** A growing tree. It keeps the roots of its complete subtrees: one for each bit set in its size. */
export class GrowingTree {
  /** By height. Only those whose bit is set in the size are valid. */
  readonly #edge: Hash[] = [];
  #size = 0;

  /** @param edge the complete subtrees, the largest first. Throws if their number does not fit the size. */
  static from(size: number, edge: readonly Hash[]): GrowingTree {
    const tree = new GrowingTree();
    const hashes = [...edge];
    tree.#size = size;
    for (let rest = size, height = 0; rest > 0; rest = half(rest), height += 1) {
      if (!isOdd(rest)) continue;
      const hash = hashes.pop();
      if (hash?.length !== hashBytes) throw new Error(`the edge of a tree of ${size} leaves is not whole`);
      tree.#edge[height] = hash;
    }
    if (hashes.length > 0) throw new Error(`the edge of a tree of ${size} leaves has too many hashes`);
    return tree;
  }

  get size(): number {
    return this.#size;
  }

  /** The complete subtrees, the largest first. */
  get edge(): readonly Hash[] {
    const hashes: Hash[] = [];
    for (let rest = this.#size, height = 0; rest > 0; rest = half(rest), height += 1) {
      const hash = this.#edge[height];
      if (isOdd(rest) && hash !== undefined) hashes.unshift(hash);
    }
    return hashes;
  }

  append(leaf: Hash, completed?: Completed): void {
    let hash = leaf;
    let position = this.#size;
    let height = 0;
    completed?.(height, position, hash);
    for (; isOdd(position); position = half(position), height += 1) {
      const left = this.#edge[height];
      if (left === undefined) throw new Error("the edge of the tree is not whole");
      hash = nodeHash(left, hash);
      completed?.(height + 1, half(position), hash);
    }
    this.#edge[height] = hash;
    this.#size += 1;
  }

  root(): Hash {
    return foldEdge(this.edge);
  }
}

/** The hash over adjacent subtrees, the largest first. */
export function foldEdge(edge: readonly Hash[]): Hash {
  const last = edge.at(-1);
  if (last === undefined) return emptyRoot;
  return edge.slice(0, -1).reduceRight((right, left) => nodeHash(left, right), last);
}

/** The root of one complete subtree over 1, 2, 4 … leaves or nodes. */
export function foldWhole(hashes: readonly Hash[]): Hash {
  const tree = new GrowingTree();
  for (const hash of hashes) tree.append(hash);
  return tree.root();
}
