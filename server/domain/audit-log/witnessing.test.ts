// A witness cosigns a checkpoint only if it extends what the witness has seen.
import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { parseCheckpoint } from "@/server/domain/audit-log/checkpoint";
import { cosign, signCheckpoint } from "@/server/domain/audit-log/signing";
import { cosignedBy } from "@/server/domain/audit-log/cosignature";
import { emptyRoot, GrowingTree, leafHash } from "@/server/domain/audit-log/merkle";
import type { Hash } from "@/server/domain/audit-log/merkle";
import { formatKey, formatNote, parseKey, parseNote, verifierKey } from "@/server/domain/audit-log/note";
import { consistencyRanges, proofHashes } from "@/server/domain/audit-log/proofs";
import { newSigner, testEntries, testOrigin } from "@/server/domain/audit-log/testing/memory-log";
import {
  formatAddCheckpoint,
  judgeCheckpoint,
  parseAddCheckpoint,
} from "@/server/domain/audit-log/witnessing";

const signer = newSigner();
const leaves = testEntries(20).map((entry) => leafHash(entry));
const treeOf = (of: readonly Hash[]): GrowingTree => {
  const tree = new GrowingTree();
  for (const leaf of of) tree.append(leaf);
  return tree;
};
const noteAt = (size: number, of = leaves, by = signer): string =>
  signCheckpoint(testOrigin, { size, root: treeOf(of.slice(0, size)).root() }, [by]);
const proofOf = (old: number, size: number): readonly Hash[] =>
  proofHashes(consistencyRanges(old, size), ({ height, position }) =>
    treeOf(leaves.slice(position * 2 ** height, (position + 1) * 2 ** height)).root(),
  );
const at = (size: number) => {
  const checkpoint = parseCheckpoint(noteAt(size));
  if (checkpoint === null) throw new Error("not a checkpoint");
  return checkpoint;
};

describe("a cosignature", () => {
  const secrets = {
    cosignEd25519: generateKeyPairSync("ed25519"),
    cosignMlDsa44: generateKeyPairSync("ml-dsa-44"),
  };
  it.each(["cosignEd25519", "cosignMlDsa44"] as const)(
    "%s is of one checkpoint, by one key, at one time",
    async (type) => {
      const { publicKey, privateKey } = secrets[type];
      const key = verifierKey("witness.test/w1", type, publicKey);
      expect(parseKey(formatKey(key))).toMatchObject({ id: key.id, type });
      const checkpoint = at(7);
      const signature = cosign(checkpoint, { key, secret: privateKey }, new Date(1_679_315_147_000));
      const cosigned = (note = checkpoint.note) =>
        cosignedBy({ ...checkpoint, note: { ...note, signatures: [...note.signatures, signature] } }, key);
      expect(await cosigned()).toBe("signed");
      const text = formatNote({ ...checkpoint.note, signatures: [...checkpoint.note.signatures, signature] });
      expect(parseNote(text)?.signatures).toHaveLength(2);
      expect(await cosignedBy(checkpoint, key)).toBe("absent");
      const later = Uint8Array.from(signature.bytes);
      later[7] = (later[7] ?? 0) ^ 1;
      for (const wrong of [
        { ...at(8), note: { ...at(8).note, signatures: [signature] } },
        { ...checkpoint, note: { ...checkpoint.note, signatures: [{ ...signature, bytes: later }] } },
        {
          ...checkpoint,
          note: { ...checkpoint.note, signatures: [{ ...signature, bytes: later.subarray(0, 8) }] },
        },
      ])
        expect(await cosignedBy(wrong, key)).toBe("forged");
    },
  );
  it("is not made with the key of a log", () =>
    expect(() => cosign(at(1), signer, new Date())).toThrow("does not cosign"));
});

describe("a witness", () => {
  const ask = (old: number, size: number, note = noteAt(size), proof = proofOf(old, size)) =>
    parseAddCheckpoint(formatAddCheckpoint(old, proof, note));
  const judge = (request: ReturnType<typeof ask>, last: number | null, keys = [signer.key]) =>
    request === null ? null : judgeCheckpoint(request, last === null ? null : at(last), keys);

  it("takes what goes on from what it has seen", async () => {
    expect(await judge(ask(0, 7, noteAt(7), []), null)).toEqual({ status: 200 });
    for (const [old, size] of [
      [7, 20],
      [8, 20],
      [7, 7],
      [16, 17],
    ] as const)
      expect(await judge(ask(old, size), old)).toEqual({ status: 200 });
  });
  const forked = [...leaves.slice(0, 3), leafHash(Buffer.from("else")), ...leaves.slice(4)];
  it.each([
    [404, "a log that it does not know", judge(ask(0, 7, noteAt(7), []), null, [])],
    [403, "another key", judge(ask(0, 7, noteAt(7, leaves, newSigner()), []), null)],
    [400, "an old size above the new one", judge(ask(8, 7, noteAt(7), []), 8)],
    [409, "an old size that is not its own", judge(ask(7, 20), 8)],
    [409, "no old size, when it has seen more", judge(ask(0, 20, noteAt(20), []), 8)],
    [422, "a fork", judge(ask(7, 20, noteAt(20, forked)), 7)],
    [422, "a fork of the same size", judge(ask(7, 7, noteAt(7, forked)), 7)],
    [422, "a proof for nothing", judge(ask(0, 7, noteAt(7), [emptyRoot]), null)],
    [
      422,
      "an empty log with a root",
      judge(
        ask(0, 0, signCheckpoint(testOrigin, { size: 0, root: leafHash(Buffer.of()) }, [signer]), []),
        null,
      ),
    ],
  ])("answers %i to %s", async (status, _what, verdict) => expect(await verdict).toMatchObject({ status }));

  it.each([
    "",
    "old 1\n",
    `old 01\n\n${noteAt(1)}`,
    `old 0\nx\n\n${noteAt(1)}`,
    `new 0\n\n${noteAt(1)}`,
    "old 0\n\nx",
  ])("does not understand %j", (text) => expect(parseAddCheckpoint(text)).toBeNull());
});
