// A whole log in memory for tests: its files by path, as the server and an export provide them.
import { generateKeyPairSync } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { signCheckpoint } from "@/server/domain/audit-log/signing";
import type { LogSigner } from "@/server/domain/audit-log/signing";
import { bodyHash, entryOf } from "@/server/domain/audit-log/entry";
import type { EventBody, LoggedEvent } from "@/server/domain/audit-log/entry";
import { GrowingTree, leafHash } from "@/server/domain/audit-log/merkle";
import type { Hash } from "@/server/domain/audit-log/merkle";
import { verifierKey } from "@/server/domain/audit-log/note";
import {
  encodeBundle,
  levelsOf,
  tileHeight,
  tilePath,
  tilesOfLevel,
  tileWidth,
} from "@/server/domain/audit-log/tiles";

export const testOrigin = "reclaim.test/audit-log";

export function newSigner(origin = testOrigin): LogSigner {
  const { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject } =
    generateKeyPairSync("ed25519");
  return { key: verifierKey(origin, "ed25519", publicKey), secret: privateKey };
}

/** An event that happened at second `n`. */
export function testEvent(n: number, given: Partial<EventBody> = {}): LoggedEvent {
  const body: EventBody = {
    id: `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
    actorKind: "person",
    actorId: null,
    actorName: "Ada",
    action: "host.retry",
    targetKind: "host",
    targetId: `h-${n}`,
    tenantId: null,
    requestId: null,
    address: null,
    outcome: "done",
    before: null,
    after: { n },
    ...given,
  };
  return { ...body, at: new Date(n * 1_000), bodySha256: bodyHash(body) };
}

export interface MemoryLog {
  readonly files: Map<string, Uint8Array>;
  readonly read: (path: string) => Promise<Uint8Array | null>;
}

/** All files of a log with these entries, signed by `signers`. */
export function memoryLog(entries: readonly Uint8Array[], signers: readonly LogSigner[]): MemoryLog {
  const levels: Hash[][] = [entries.map((entry) => leafHash(entry))];
  const tree = new GrowingTree();
  for (const leaf of levels[0] ?? [])
    tree.append(leaf, (height, _position, hash) => {
      if (height > 0 && height % tileHeight === 0) (levels[height / tileHeight] ??= []).push(hash);
    });
  const files = new Map<string, Uint8Array>();
  const size = entries.length;
  const origin = signers[0]?.key.name ?? testOrigin;
  files.set("checkpoint", Buffer.from(signCheckpoint(origin, { size, root: tree.root() }, signers)));
  for (const tile of tilesOfLevel("entries", 0, size))
    files.set(
      tilePath(tile),
      encodeBundle(entries.slice(tile.number * tileWidth, tile.number * tileWidth + tile.width)),
    );
  for (const level of levelsOf(size))
    for (const tile of tilesOfLevel("hashes", level, size))
      files.set(
        tilePath(tile),
        Buffer.concat(
          (levels[level] ?? []).slice(tile.number * tileWidth, tile.number * tileWidth + tile.width),
        ),
      );
  return { files, read: (path) => Promise.resolve(files.get(path) ?? null) };
}

export const testEntries = (count: number): Uint8Array[] =>
  Array.from({ length: count }, (_, n) => entryOf(testEvent(n)));
