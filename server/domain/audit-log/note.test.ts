// Notes, checkpoints, proofs and tiles in their standard formats, with the examples of the standards.
import { describe, expect, it } from "vitest";
import { parseCheckpoint, signerOf } from "@/server/domain/audit-log/checkpoint";
import { signCheckpoint } from "@/server/domain/audit-log/signing";
import { bodyHash, entryOf, isAsWritten, parseEntry } from "@/server/domain/audit-log/entry";
import { emptyRoot, leafHash } from "@/server/domain/audit-log/merkle";
import { formatKey, formatNote, parseKey, parseNote, textSignedBy } from "@/server/domain/audit-log/note";
import { newSigner, testEvent, testOrigin } from "@/server/domain/audit-log/testing/memory-log";
import {
  decodeBundle,
  encodeBundle,
  hasTile,
  levelsOf,
  maxEntryBytes,
  parseTilePath,
  tilePath,
  tilesOfLevel,
} from "@/server/domain/audit-log/tiles";
import { formatProof, parseProof, provesEntry } from "@/server/domain/audit-log/tlog-proof";

/** From C2SP signed-note. */
const exampleKey = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";
const example =
  "This is an example message.\n\n— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n";

describe("a signed note", () => {
  const key = parseKey(exampleKey);
  if (key === null) throw new Error("the example's key was not read");

  it("is read and written as the standard has it", async () => {
    const note = parseNote(example);
    expect(note).not.toBeNull();
    if (note === null) return;
    expect([formatNote(note), formatKey(key), await textSignedBy(note, key)]).toEqual([
      example,
      exampleKey,
      "signed",
    ]);
    expect(await textSignedBy({ ...note, text: "This is another message.\n" }, key)).toBe("forged");
    expect(await textSignedBy({ ...note, signatures: [] }, key)).toBe("absent");
  });

  it.each([
    ["no signature", "text\n"],
    ["no blank line", "text\n— a AAAAAAA=\n"],
    ["no end of line", example.slice(0, -1)],
    ["a control character", example.replace("an", "a\u0000")],
    ["no base64", "text\n\n— a b*\n"],
    ["a name with a plus", "text\n\n— a+b AAAAAAA=\n"],
    ["too short a signature", "text\n\n— a AAAAAA==\n"],
  ])("with %s is none", (_what, text) => expect(parseNote(text)).toBeNull());

  it.each(["", "a", exampleKey.replace("530d903a", "530d903b"), exampleKey.replace("foo", "bar"), "a+b+c"])(
    "%j is no key",
    (text) => expect(parseKey(text)).toBeNull(),
  );
});

describe("a checkpoint", () => {
  const signer = newSigner();
  const text = signCheckpoint(testOrigin, { size: 7, root: emptyRoot }, [signer]);

  it("is read as it was signed", async () => {
    const checkpoint = parseCheckpoint(text);
    expect(checkpoint).toMatchObject({ origin: testOrigin, size: 7 });
    expect(checkpoint !== null && (await signerOf(checkpoint, [newSigner().key, signer.key]))).toEqual({
      ok: true,
      key: signer.key,
    });
  });

  it.each([
    ["another size", text.replace("\n7\n", "\n8\n"), [signer.key], /does not verify/],
    ["another key", text, [newSigner().key], /none of the trusted keys/],
    ["no key", text, [], /no trusted key/],
    ["a key of another log", text, [newSigner("else.test/log").key], /no trusted key/],
  ])("is not believed with %s", async (_what, given, keys, why) => {
    const checkpoint = parseCheckpoint(given);
    expect(checkpoint !== null && (await signerOf(checkpoint, keys))).toMatchObject({
      ok: false,
      why: expect.stringMatching(why) as unknown,
    });
  });

  it.each(["\n07\n", "\n-1\n", "\n\n", "\n1e3\n", "\n99999999999999999999\n"])("has no size %j", (size) =>
    expect(parseCheckpoint(text.replace("\n7\n", size))).toBeNull(),
  );
});

describe("tiles", () => {
  it.each([
    [{ kind: "hashes", level: 0, number: 1234067, width: 256 }, "tile/0/x001/x234/067"],
    [{ kind: "hashes", level: 2, number: 0, width: 1 }, "tile/2/000.p/1"],
    [{ kind: "entries", level: 0, number: 999, width: 255 }, "tile/entries/999.p/255"],
    [{ kind: "entries", level: 0, number: 1000, width: 256 }, "tile/entries/x001/000"],
  ] as const)("%j is at %s", (at, path) => {
    expect(tilePath(at)).toBe(path);
    expect(parseTilePath(path)).toEqual(at);
  });

  it.each(
    ["tile/0/1", "tile/00/001", "tile/0/001/", "tile/0/x001", "tile/0/x000/001", "tile/64/000"].concat([
      "tile/0/001.p/256",
      "tile/0/001.p/0",
      "tile/entries/../000",
      "checkpoint",
    ]),
  )("%s is none", (path) => expect(parseTilePath(path)).toBeNull());

  it("of 70,000 events are those of the standard's example", () => {
    const all = levelsOf(70_000).map((level) =>
      tilesOfLevel("hashes", level, 70_000).map(({ width }) => width),
    );
    expect(all.map((widths) => [widths.filter((width) => width === 256).length, widths.at(-1)])).toEqual([
      [273, 112],
      [1, 17],
      [0, 1],
    ]);
    expect(hasTile({ kind: "hashes", level: 0, number: 273, width: 112 }, 70_000)).toBe(true);
    expect(hasTile({ kind: "hashes", level: 0, number: 273, width: 113 }, 70_000)).toBe(false);
  });

  it("of entries are read as they were written", () => {
    const entries = ["", "a", "x".repeat(maxEntryBytes)].map((text) => Buffer.from(text));
    const bytes = encodeBundle(entries);
    expect(decodeBundle(bytes)?.map((entry) => Buffer.from(entry).toString())).toEqual(entries.map(String));
    expect(decodeBundle(bytes.subarray(0, -1))).toBeNull();
    expect(decodeBundle(Buffer.of(0))).toBeNull();
    expect(() => encodeBundle([Buffer.alloc(maxEntryBytes + 1)])).toThrow();
  });
});

describe("an entry", () => {
  it("is read as it was written, and tells when its body is another", () => {
    const event = testEvent(1, { after: { ü: "😀", list: ["a"], n: 1, none: null } });
    const entry = parseEntry(entryOf(event));
    expect(entry).toMatchObject({ at: "1970-01-01T00:00:01.000Z", after: event.after });
    expect(entry !== null && isAsWritten(entry)).toBe(true);
    const changed = parseEntry(entryOf({ ...event, actorName: "Eve" }));
    expect(changed !== null && isAsWritten(changed)).toBe(false);
    const older = parseEntry(entryOf({ ...event, bodySha256: null }));
    expect(older !== null && isAsWritten(older)).toBeNull();
  });

  it("holds digests of facts that are too long for it", () => {
    const event = testEvent(1, { after: { text: "x".repeat(maxEntryBytes) } });
    const entry = parseEntry(entryOf(event));
    expect(entry).toMatchObject({ after: null, afterDigest: { bytes: maxEntryBytes + 11 } });
    expect(entryOf(event)).not.toEqual(entryOf({ ...event, after: { text: "y".repeat(maxEntryBytes) } }));
    expect(bodyHash(event)).toBe(event.bodySha256);
  });

  it.each(["", "{}", '{"id":1}', "\u00ff"])("%j is none", (text) =>
    expect(parseEntry(Buffer.from(text))).toBeNull(),
  );

  it("has one form only", () => {
    const text = Buffer.from(entryOf(testEvent(1))).toString();
    expect(parseEntry(Buffer.from(text.replace("{", "{ ")))).toBeNull();
  });
});

it("a proof shows where an entry is, and no other", () => {
  const signer = newSigner();
  const leaf = leafHash(Buffer.from("only"));
  const text = formatProof(0, [], signCheckpoint(testOrigin, { size: 1, root: leaf }, [signer]));
  const proof = parseProof(text);
  expect(proof !== null && [provesEntry(proof, leaf), provesEntry(proof, emptyRoot)]).toEqual([true, false]);
  expect(parseProof(text.replace("@v1", "@v2"))).toBeNull();
  expect(parseProof(text.replace("index 0", "index 00"))).toBeNull();
  expect(parseProof(text.replace("@v1\n", "@v1\nextra eA==\n"))).not.toBeNull();
});
