// Checks a whole log, wherever its files come from: each entry against its leaf, all tiles, the root, the signature, and checkpoints that the auditor
// kept. Names what is wrong.
import { parseCheckpoint, signerOf } from "@/server/domain/audit-log/checkpoint";
import type { Checkpoint } from "@/server/domain/audit-log/checkpoint";
import { isAsWritten, parseEntry } from "@/server/domain/audit-log/entry";
import type { LoggedEntry } from "@/server/domain/audit-log/entry";
import { Faults } from "@/server/domain/audit-log/whole-log/faults";
import type { Fault } from "@/server/domain/audit-log/whole-log/faults";
import { inAdvance } from "@/server/domain/audit-log/whole-log/in-advance";
import { goesOnFrom, whyNotKept } from "@/server/domain/audit-log/whole-log/kept";
import type { ReadLog, Roots } from "@/server/domain/audit-log/whole-log/kept";
import { SideOfLog } from "@/server/domain/audit-log/whole-log/log-sides";
import { hashBytes, leafHash, sameHash, splitHashes } from "@/server/domain/audit-log/merkle";
import type { Hash } from "@/server/domain/audit-log/merkle";
import type { VerifierKey } from "@/server/domain/audit-log/note";
import { quorumOf } from "@/server/domain/audit-log/policy";
import type { Policy } from "@/server/domain/audit-log/policy";
import { TrustedKeys } from "@/server/domain/audit-log/trusted-keys";
import { decodeBundle, levelsOf, tilePath, tilesOfLevel, tileWidth } from "@/server/domain/audit-log/tiles";
import type { TileAt } from "@/server/domain/audit-log/tiles";

export type { Fault };

/** Reads a file of the log by its path below the log's prefix; null: there is none. */
export type ReadLogFile = (path: string) => Promise<Uint8Array | null>;

export interface VerifiedLog {
  readonly faults: readonly Fault[];
  /** More faults were found than are listed. */
  readonly more: boolean;
  readonly size: number;
  readonly origin: string | null;
  /** The key that signed, if it is a trusted one. */
  readonly signer: VerifierKey | null;
  /** Names of the policy's witnesses that cosigned. */
  readonly witnesses: readonly string[];
  /** Whatever else is wrong: the checkpoint has a trusted signature, follows from the log, and extends every kept checkpoint. */
  readonly goesOn: boolean;
  /** The checkpoint, for the auditor to keep. */
  readonly checkpoint: string | null;
}

const maxMismatches = 100_000;

/** An entry whose hash differs from the one in its tile. */
interface Mismatch {
  readonly index: number;
  readonly entry: Hash;
  readonly leaf: Hash | null;
  readonly id: string | null;
}

/** What is read for one bundle of entries; null: the file does not exist. */
interface BundleFiles {
  readonly bytes: Uint8Array | null;
  readonly leaves: Uint8Array | null;
}

/** The tile with the leaves of a bundle. */
const tileOf = (bundle: TileAt): TileAt => ({ ...bundle, kind: "hashes" });

const same = (one: Hash | null, other: Hash | null): boolean =>
  one !== null && other !== null && sameHash(one, other);

const nameOf = (index: number, entry: LoggedEntry | null): string =>
  entry === null ? `event ${index}` : `event ${index} (${entry.action}, ${entry.id})`;

/** One pass over a log. Memory use does not grow with the log: everything it keeps has the size of a tile. */
class LogCheck implements ReadLog {
  readonly faults = new Faults();
  readonly #mismatches: Mismatch[] = [];
  /** Built from the entries, and from the leaves in the tiles. One shared tree until they differ, which in an honest log they never do. */
  readonly #byEntries = new SideOfLog();
  #byTiles = this.#byEntries;
  readonly #kept = new Map<number, Roots>();
  readonly #trusted: TrustedKeys;

  constructor(
    readonly read: ReadLogFile,
    readonly checkpoint: Checkpoint,
    trusted: TrustedKeys,
    readonly keptSizes: readonly number[],
    readonly readAhead: number,
  ) {
    this.#trusted = trusted;
  }

  /** @param progress called after each bundle with the number of entries read */
  async run(progress: (entries: number) => void): Promise<void> {
    const { size } = this.checkpoint;
    this.#keep();
    const bundles = tilesOfLevel("entries", 0, size);
    for await (const [bundle, files] of inAdvance(bundles, this.readAhead, (one) => this.#readFiles(one))) {
      this.#takeBundle(bundle, files);
      progress(bundle.number * tileWidth + bundle.width);
    }
    for (const level of levelsOf(size).slice(1))
      for (const tile of tilesOfLevel("hashes", level, size)) await this.#checkTile(tile);
    this.#explain();
  }

  get roots(): Roots {
    return { byEntries: this.#byEntries.root(), byTiles: this.#byTiles.root() };
  }

  rootsAt = (size: number): Roots | null => this.#kept.get(size) ?? null;

  #keep(): void {
    const size = this.#byEntries.size;
    if (this.keptSizes.includes(size)) this.#kept.set(size, this.roots);
  }

  async #readFiles(bundle: TileAt): Promise<BundleFiles> {
    const [bytes, leaves] = await Promise.all([
      this.read(tilePath(bundle)),
      this.read(tilePath(tileOf(bundle))),
    ]);
    return { bytes, leaves };
  }

  #takeBundle(bundle: TileAt, { bytes, leaves: leafBytes }: BundleFiles): void {
    const leaves = this.#hashesIn(tileOf(bundle), leafBytes);
    const entries = bytes === null ? null : decodeBundle(bytes);
    if (entries === null || entries.length !== bundle.width)
      this.faults.add(
        tilePath(bundle),
        bytes === null
          ? "is missing"
          : `has ${entries === null ? "no whole number of" : entries.length} entries, and should have ${bundle.width}`,
      );
    for (let place = 0; place < bundle.width; place += 1)
      this.#take(bundle.number * tileWidth + place, entries?.[place] ?? null, leaves[place] ?? null);
  }

  #take(index: number, bytes: Uint8Array | null, leaf: Hash | null): void {
    const hash = leafHash(bytes ?? new Uint8Array());
    const entry = bytes === null ? null : parseEntry(bytes);
    const isSame = same(hash, leaf);
    if (!isSame && this.#byTiles === this.#byEntries) this.#byTiles = this.#byEntries.copy();
    this.#byEntries.append(hash);
    if (this.#byTiles !== this.#byEntries) this.#byTiles.append(leaf ?? hash);
    this.#keep();
    if (!isSame) this.#addMismatch({ index, entry: hash, leaf, id: entry?.id ?? null });
    if (bytes === null) return;
    if (bytes.length === 0) return this.faults.add(`event ${index}`, "is missing");
    if (entry === null) return this.faults.add(`event ${index}`, "is not an event in the form of this log");
    if (isAsWritten(entry) === false)
      this.faults.add(nameOf(index, entry), "was changed between its transaction and its number");
    this.#trusted.see(index, entry);
  }

  #addMismatch(mismatch: Mismatch): void {
    if (this.#mismatches.length < maxMismatches) this.#mismatches.push(mismatch);
    else this.faults.more = true;
  }

  /** The hashes of a tile. Empty, and a fault is recorded, if it could not be read. */
  #hashesIn(tile: TileAt, bytes: Uint8Array | null): readonly Hash[] {
    if (bytes === null) this.faults.add(tilePath(tile), "is missing");
    else if (bytes.length !== tile.width * hashBytes)
      this.faults.add(tilePath(tile), `has ${bytes.length} bytes, and should have ${tile.width * hashBytes}`);
    else return splitHashes(bytes);
    return [];
  }

  async #checkTile(tile: TileAt): Promise<void> {
    const byEntries = this.#byEntries.roots(tile.level);
    const byTiles = this.#byTiles.roots(tile.level);
    this.#hashesIn(tile, await this.read(tilePath(tile))).forEach((hash, place) => {
      const position = tile.number * tileWidth + place;
      if (!same(hash, byTiles[position] ?? null) && !same(hash, byEntries[position] ?? null))
        this.faults.add(
          tilePath(tile),
          `hash ${place} is not the one over ${tilePath({ ...tile, level: tile.level - 1, number: position, width: tileWidth })}`,
        );
    });
  }

  /** Decides for each mismatch which side is wrong, according to the signed root. */
  #explain(): void {
    const { root, size } = this.checkpoint;
    const entriesHold = sameHash(this.#byEntries.root(), root);
    const tilesHold = sameHash(this.#byTiles.root(), root);
    const placeOfLeaf = new Map(
      this.#mismatches.flatMap(({ index, leaf }) =>
        leaf === null ? [] : [[Buffer.from(leaf).toString("hex"), index]],
      ),
    );
    const emptyEntry = leafHash(new Uint8Array());
    for (const { index, entry, leaf, id } of this.#mismatches) {
      const tile = `tile of event ${index} (${tilePath({ kind: "hashes", level: 0, number: Math.floor(index / tileWidth), width: tileWidth })})`;
      const event = id === null ? `event ${index}` : `event ${index} (${id})`;
      const moved = placeOfLeaf.get(Buffer.from(entry).toString("hex"));
      if (entriesHold) this.faults.add(tile, "has another hash than the event");
      else if (sameHash(entry, emptyEntry)) continue; // reported already
      else if (moved !== undefined && moved !== index)
        this.faults.add(event, `was logged as event ${moved}: it was moved`);
      else if (leaf !== null)
        this.faults.add(event, "is not what was logged: its hash is not the one of its leaf");
    }
    if (!entriesHold && !tilesHold)
      this.faults.add(
        "checkpoint",
        `its root over ${size} events follows neither from the events nor from the tiles`,
      );
    else if (!entriesHold && this.#mismatches.length === 0)
      this.faults.add("checkpoint", "its root does not follow from the events");
  }
}

/** Enough to keep both the server and the verifier busy. */
export const readAheadOfServer = 3;

export interface VerifyOptions {
  /** Whom the auditor trusts. Without log keys the signer stays unknown. */
  readonly policy: Policy;
  /** Checkpoints that the auditor kept from earlier. */
  readonly kept?: readonly string[];
  /** Bundles to request ahead while one is checked; left out: none. */
  readonly readAhead?: number;
  readonly progress?: (entries: number) => void;
}

const nothingRead = {
  more: false,
  size: 0,
  origin: null,
  signer: null,
  witnesses: [],
  goesOn: false,
  checkpoint: null,
};

export async function verifyLog(
  read: ReadLogFile,
  { policy, kept = [], readAhead = 0, progress = () => undefined }: VerifyOptions,
): Promise<VerifiedLog> {
  const bytes = await read("checkpoint");
  const text = bytes === null ? null : Buffer.from(bytes).toString("utf8");
  const checkpoint = text === null ? null : parseCheckpoint(text);
  if (checkpoint === null)
    return {
      ...nothingRead,
      faults: [{ what: "checkpoint", why: text === null ? "is missing" : "is not a signed checkpoint" }],
    };
  const keptHeads = kept.map((one) => parseCheckpoint(one));
  const trust = new TrustedKeys(policy.logs);
  const check = new LogCheck(
    read,
    checkpoint,
    trust,
    keptHeads.flatMap((head) => head?.size ?? []),
    readAhead,
  );
  await check.run(progress);
  const { faults } = check;
  const keys = await trust.through(read);
  const signer = policy.logs.length === 0 ? null : await signerOf(checkpoint, keys);
  if (signer?.ok === false) faults.add("checkpoint", signer.why);
  const { met, witnesses, forged } = await quorumOf(checkpoint, policy);
  for (const { name } of forged)
    faults.add("checkpoint", `the cosignature of the witness ${name} does not verify`);
  if (!met) faults.add("checkpoint", "fewer witnesses have cosigned it than the policy asks for");
  let keptHold = true;
  for (const [place, head] of keptHeads.entries()) {
    const what = `kept checkpoint ${place + 1}`;
    const why =
      head === null
        ? "is not a signed checkpoint"
        : await whyNotKept(check, head, signer === null ? null : keys);
    if (why === null) continue;
    keptHold = false;
    faults.add(what, why);
  }
  const heads = keptHeads.flatMap((head) => head ?? []);
  // safety: self-audit: a checkpoint that does not go on from the one before is not kept (true)
  const goesOn = keptHold && signer?.ok === true && goesOnFrom(check, heads);
  return {
    faults: faults.list,
    more: faults.more,
    size: checkpoint.size,
    origin: checkpoint.origin,
    signer: signer?.ok === true ? signer.key : null,
    witnesses: witnesses.map(({ name }) => name),
    goesOn,
    checkpoint: text,
  };
}
