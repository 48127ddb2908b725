// Every way to change a log is detected and named. The same on a copy of a real database: cli/commands/audit-log/tampering.itest.ts.
import { describe, expect, it } from "vitest";
import { policyOfKeys } from "@/server/domain/audit-log/policy";
import { signCheckpoint } from "@/server/domain/audit-log/signing";
import { entryOf } from "@/server/domain/audit-log/entry";
import { GrowingTree, leafHash } from "@/server/domain/audit-log/merkle";
import { formatKey } from "@/server/domain/audit-log/note";
import {
  memoryLog,
  newSigner,
  testEntries,
  testEvent,
  testOrigin,
} from "@/server/domain/audit-log/testing/memory-log";
import type { MemoryLog } from "@/server/domain/audit-log/testing/memory-log";
import { decodeBundle, encodeBundle } from "@/server/domain/audit-log/tiles";
import { rotationAction, rotationPath } from "@/server/domain/audit-log/trusted-keys";
import { verifyLog } from "@/server/domain/audit-log/verify-log";

const signer = newSigner();
const size = 600;
const honest = (): MemoryLog => memoryLog(testEntries(size), [signer]);
const verify = (log: MemoryLog, kept: readonly string[] = [], readAhead = 0) =>
  verifyLog(log.read, { policy: policyOfKeys([signer.key]), kept, readAhead });
const checkpointOf = ({ files }: MemoryLog): string => Buffer.from(files.get("checkpoint") ?? []).toString();

const changeEntries = (log: MemoryLog, path: string, change: (entries: Uint8Array[]) => void): void => {
  const entries = [...(decodeBundle(log.files.get(path) ?? Buffer.of()) ?? [])];
  change(entries);
  log.files.set(path, encodeBundle(entries));
};
const flip = (log: MemoryLog, path: string, at: number): void => {
  const bytes = Uint8Array.from(log.files.get(path) ?? []);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  log.files.set(path, bytes);
};
const last = "tile/entries/002.p/88";
const forged = entryOf({ ...testEvent(300), actorName: "Eve" });

it("an honest log has no faults, at every size around a tile's", async () => {
  for (const count of [0, 1, 2, 255, 256, 257, 600]) {
    const log = memoryLog(testEntries(count), [signer]);
    for (const readAhead of [0, 2])
      expect(await verify(log, [checkpointOf(log)], readAhead)).toMatchObject({
        faults: [],
        size: count,
        signer: signer.key,
      });
  }
});

describe("names what is wrong", () => {
  const swap = (entries: Uint8Array[]): void => {
    [entries[3], entries[5]] = [entries[5] ?? Buffer.of(), entries[3] ?? Buffer.of()];
  };
  it.each<[string, (log: MemoryLog) => void, readonly RegExp[]]>([
    [
      "one byte of one event",
      (log) => changeEntries(log, "tile/entries/001", (entries) => void (entries[44] = forged)),
      [/^event 300 .*is not what was logged/, /^event 300 .*changed between/],
    ],
    [
      "an event taken out",
      (log) => changeEntries(log, "tile/entries/001", (entries) => void (entries[44] = Buffer.of())),
      [/^event 300: is missing/],
    ],
    [
      "an event cut out",
      (log) => changeEntries(log, last, (entries) => void entries.splice(86, 1)),
      [/has 87 entries, and should have 88/, /^event 598 .*was logged as event 599/],
    ],
    [
      "two events swapped",
      (log) => changeEntries(log, "tile/entries/000", swap),
      [/^event 3 .*was logged as event 5/, /^event 5 .*was logged as event 3/],
    ],
    [
      "a bundle that is gone",
      (log) => void log.files.delete("tile/entries/001"),
      [/^tile\/entries\/001: is missing/],
    ],
    [
      "a leaf in a tile",
      (log) => flip(log, "tile/0/001", 44 * 32),
      [/^tile of event 300 \(tile\/0\/001\): has another/],
    ],
    [
      "a tile above",
      (log) => flip(log, "tile/1/000.p/2", 32),
      [/^tile\/1\/000\.p\/2: hash 1 is not the one over tile\/0\/001/],
    ],
    [
      "a tile that is too short",
      (log) => void log.files.set("tile/1/000.p/2", Buffer.alloc(32)),
      [/has 32 bytes/],
    ],
    [
      "a tile that is gone",
      (log) => void log.files.delete("tile/0/002.p/88"),
      [/^tile\/0\/002\.p\/88: is missing/],
    ],
    [
      "the checkpoint",
      (log) => void log.files.set("checkpoint", Buffer.from(checkpointOf(log).replace("\n600\n", "\n599\n"))),
      [/^checkpoint: the signature of the key \w+ does not verify/],
    ],
    [
      "the checkpoint that is gone",
      (log) => void log.files.delete("checkpoint"),
      [/^checkpoint: is missing/],
    ],
    [
      "all of it, signed by a fresh key",
      (log) => {
        const entries = testEntries(size);
        entries[300] = forged;
        for (const [path, bytes] of memoryLog(entries, [newSigner()]).files) log.files.set(path, bytes);
      },
      [/^checkpoint: it is signed by none of the trusted keys/],
    ],
    [
      "a root of nothing, signed by the log's own key",
      (log) =>
        void log.files.set(
          "checkpoint",
          Buffer.from(signCheckpoint(testOrigin, { size, root: leafHash(forged) }, [signer])),
        ),
      [/^checkpoint: its root over 600 events follows neither/],
    ],
  ])("%s", async (_what, tamper, expected) => {
    const log = honest();
    tamper(log);
    const lines = (await verify(log)).faults.map(({ what, why }) => `${what}: ${why}`);
    for (const line of expected) expect(lines).toContainEqual(expect.stringMatching(line));
    if (!/cut out|gone|short|fresh key|checkpoint|root/.test(_what))
      expect(lines.length).toBeLessThanOrEqual(expected.length);
  });
});

describe("against a checkpoint that was kept", () => {
  const kept = checkpointOf(memoryLog(testEntries(400), [signer]));
  const rewritten = testEntries(size);
  rewritten[300] = entryOf(testEvent(300, { actorName: "Eve" }));

  it("an honest log is the same", async () => expect((await verify(honest(), [kept])).faults).toEqual([]));
  it("one that was rewritten with the log's own key is found", async () =>
    expect((await verify(memoryLog(rewritten, [signer]), [kept])).faults).toEqual([
      {
        what: "kept checkpoint 1",
        why: "the first 400 events are not the ones that it covers: the log was rewritten",
      },
    ]));
  it("one that was cut is found", async () =>
    expect((await verify(memoryLog(testEntries(399), [signer]), [kept])).faults).toEqual([
      expect.objectContaining({ why: expect.stringContaining("it was cut") as unknown }),
    ]));
  const goesOn = async (log: MemoryLog) => (await verify(log, [kept])).goesOn;
  it("goes on with a fault that stays in it, and not with another past", async () => {
    expect(await goesOn(honest())).toBe(true);
    const changed = honest();
    changeEntries(changed, "tile/entries/001", (entries) => void (entries[44] = forged));
    expect(await goesOn(changed)).toBe(true);
    expect(await goesOn(memoryLog(rewritten, [signer]))).toBe(false);
    expect(await goesOn(memoryLog(testEntries(size), [newSigner()]))).toBe(false);
    // Rewritten and signed, with the tiles left as they were: the next check must not build on it.
    const mixed = memoryLog(rewritten, [signer]);
    for (const [path, bytes] of honest().files)
      if (path.startsWith("tile/") && !path.startsWith("tile/entries/")) mixed.files.set(path, bytes);
    expect(await goesOn(mixed)).toBe(false);
  });
  it("a forged one is refused", async () =>
    expect((await verify(honest(), [kept.replace("\n400\n", "\n300\n"), "x"])).faults).toHaveLength(2));
});

describe("a change of keys", () => {
  const next = newSigner();
  const rotation = entryOf(testEvent(10, { action: rotationAction, after: { key: formatKey(next.key) } }));
  const entries = [...testEntries(10), rotation, ...testEntries(10)];
  const log = (vouchers: readonly (typeof signer)[]): MemoryLog => {
    const made = memoryLog(entries, [next]);
    const tree = new GrowingTree();
    for (const entry of entries.slice(0, 11)) tree.append(leafHash(entry));
    made.files.set(
      rotationPath(10),
      Buffer.from(signCheckpoint(testOrigin, { size: 11, root: tree.root() }, vouchers)),
    );
    return made;
  };
  it("is followed where both keys have signed", async () =>
    expect(await verify(log([signer, next]))).toMatchObject({ faults: [], signer: { id: next.key.id } }));
  it.each([
    ["the new key alone", [next]],
    ["the old key alone", [signer]],
    ["another key", [newSigner(), next]],
  ])("is not with the signature of %s", async (_what, vouchers) =>
    expect((await verify(log(vouchers))).faults).toEqual([
      expect.objectContaining({
        what: "checkpoint",
        why: expect.stringContaining("none of the trusted") as unknown,
      }),
    ]),
  );
});

it("without a trusted key the signer stays unknown", async () =>
  expect(await verifyLog(honest().read, { policy: policyOfKeys([]) })).toMatchObject({
    faults: [],
    signer: null,
  }));
