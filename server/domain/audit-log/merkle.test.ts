// The tree and its proofs against a second, naive implementation that follows the text of RFC 6962.
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyRoot, foldWhole, GrowingTree, leafHash } from "@/server/domain/audit-log/merkle";
import type { Hash } from "@/server/domain/audit-log/merkle";
import {
  consistencyRanges,
  includes,
  inclusionRanges,
  isConsistent,
  proofHashes,
} from "@/server/domain/audit-log/proofs";
import type { Subtree } from "@/server/domain/audit-log/proofs";

const sha = (...parts: Uint8Array[]): Hash => createHash("sha256").update(Buffer.concat(parts)).digest();
const largest = (n: number): number => 2 ** Math.ceil(Math.log2(n) - 1);

/** RFC 6962, section 2.1. */
function mth(d: readonly Uint8Array[]): Hash {
  if (d.length === 0) return sha();
  const [only] = d;
  if (d.length === 1 && only !== undefined) return sha(Uint8Array.of(0), only);
  const k = largest(d.length);
  return sha(Uint8Array.of(1), mth(d.slice(0, k)), mth(d.slice(k)));
}
/** Section 2.1.1. */
function path(m: number, d: readonly Uint8Array[]): Hash[] {
  if (d.length <= 1) return [];
  const k = largest(d.length);
  return m < k
    ? [...path(m, d.slice(0, k)), mth(d.slice(k))]
    : [...path(m - k, d.slice(k)), mth(d.slice(0, k))];
}
/** Section 2.1.2. */
function subproof(m: number, d: readonly Uint8Array[], whole: boolean): Hash[] {
  if (m === d.length) return whole ? [] : [mth(d)];
  const k = largest(d.length);
  return m <= k
    ? [...subproof(m, d.slice(0, k), whole), mth(d.slice(k))]
    : [...subproof(m - k, d.slice(k), false), mth(d.slice(0, k))];
}

const data = (count: number): Uint8Array[] =>
  Array.from({ length: count }, (_, n) => Buffer.from(`event ${n}`));
const grown = (d: readonly Uint8Array[]): GrowingTree => {
  const tree = new GrowingTree();
  for (const one of d) tree.append(leafHash(one));
  return tree;
};
const hashOf =
  (d: readonly Uint8Array[]) =>
  ({ height, position }: Subtree): Hash =>
    mth(d.slice(position * 2 ** height, (position + 1) * 2 ** height));
const hex = (hashes: readonly Hash[]): string[] => hashes.map((hash) => Buffer.from(hash).toString("hex"));

const sizes = fc.integer({ min: 1, max: 70 });

describe("a growing tree", () => {
  it("is that of RFC 6962 at every size, also when it is continued from its edge", () => {
    let tree = new GrowingTree();
    expect(tree.root()).toEqual(emptyRoot);
    for (let size = 1; size <= 70; size += 1) {
      tree.append(leafHash(Buffer.from(`event ${size - 1}`)));
      expect(hex([tree.root()])).toEqual(hex([mth(data(size))]));
      tree = GrowingTree.from(tree.size, tree.edge);
    }
  });

  it("tells each complete subtree once", () => {
    const seen = new Map<string, string>();
    const tree = new GrowingTree();
    for (const one of data(40))
      tree.append(leafHash(one), (height, position, hash) => {
        expect(seen.has(`${height}/${position}`)).toBe(false);
        seen.set(`${height}/${position}`, Buffer.from(hash).toString("hex"));
      });
    for (let height = 0; 2 ** height <= 40; height += 1)
      for (let position = 0; (position + 1) * 2 ** height <= 40; position += 1)
        expect(seen.get(`${height}/${position}`)).toBe(
          Buffer.from(hashOf(data(40))({ height, position })).toString("hex"),
        );
  });

  it("takes no edge of another size", () => {
    expect(() => GrowingTree.from(3, grown(data(4)).edge)).toThrow("not whole");
    expect(() => GrowingTree.from(4, grown(data(3)).edge)).toThrow("too many");
  });

  it("folds a whole subtree", () => expect(foldWhole(data(8).map(leafHash))).toEqual(mth(data(8))));
});

describe("proofs", () => {
  it("of inclusion are those of RFC 6962, and prove one leaf at one place", () =>
    fc.assert(
      fc.property(sizes, fc.nat(), fc.nat(), (size, at, other) => {
        const index = at % size;
        const d = data(size);
        const proof = proofHashes(inclusionRanges(index, size), hashOf(d));
        expect(hex(proof)).toEqual(hex(path(index, d)));
        const head = { index, size, root: mth(d) };
        const leaf = leafHash(d[index] ?? Buffer.of());
        expect(includes(head, leaf, proof)).toBe(true);
        expect(includes(head, leafHash(Buffer.from("else")), proof)).toBe(false);
        if (other % size !== index)
          expect(includes({ ...head, index: other % size }, leaf, proof)).toBe(false);
        expect(includes({ ...head, index: size }, leaf, proof)).toBe(false);
        expect(includes(head, leaf, [...proof, head.root])).toBe(false);
        if (proof.length > 0) expect(includes(head, leaf, proof.slice(1))).toBe(false);
      }),
    ));

  it("of consistency are those of RFC 6962, and of nothing else", () =>
    fc.assert(
      fc.property(sizes, fc.nat(), (size, at) => {
        const old = 1 + (at % size);
        const d = data(size);
        const proof = proofHashes(consistencyRanges(old, size), hashOf(d));
        expect(hex(proof)).toEqual(hex(subproof(old, d, true)));
        const before = { size: old, root: mth(d.slice(0, old)) };
        const now = { size, root: mth(d) };
        expect(isConsistent(before, now, proof)).toBe(true);
        const forked = [...data(old - 1), Buffer.from("else")];
        expect(isConsistent({ ...before, root: mth(forked) }, now, proof)).toBe(false);
        expect(isConsistent(before, { ...now, root: before.root }, proof)).toBe(old === size);
        expect(isConsistent(before, now, [...proof, now.root])).toBe(false);
      }),
    ));

  it("with nothing", () => {
    expect(isConsistent({ size: 0, root: emptyRoot }, { size: 3, root: mth(data(3)) }, [])).toBe(true);
    expect(isConsistent({ size: 4, root: mth(data(4)) }, { size: 3, root: mth(data(3)) }, [])).toBe(false);
    expect(() => inclusionRanges(3, 3)).toThrow("no leaf 3");
    expect(() => consistencyRanges(4, 3)).toThrow("holds none of 4");
  });
});
