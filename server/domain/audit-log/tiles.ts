// How the log is split into files (https://c2sp.org/tlog-tiles): tiles of 256 hashes per level, and bundles of 256 entries.

/** Hashes in a full tile, entries in a full bundle. */
export const tileWidth = 256;
/** Levels of the tree in one tile: 2 ** 8 = 256. */
export const tileHeight = 8;

export interface TileAt {
  /** A tile of hashes has a level; a bundle of entries belongs to level 0. */
  readonly kind: "hashes" | "entries";
  readonly level: number;
  readonly number: number;
  /** 256: full. */
  readonly width: number;
}

/** 1234067 is `x001/x234/067`. */
function numberPath(number: number): string {
  const digits = String(number);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, "0").match(/\d{3}/g) ?? [];
  return groups.map((group, place) => (place === groups.length - 1 ? group : `x${group}`)).join("/");
}

/** The path below the log's prefix, without a leading slash. */
export const tilePath = ({ kind, level, number, width }: TileAt): string =>
  `tile/${kind === "entries" ? "entries" : level}/${numberPath(number)}${width === tileWidth ? "" : `.p/${width}`}`;

const pathForm = /^tile\/(entries|0|[1-9]\d?)\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/** Null: not the path of a tile in its only valid form. */
export function parseTilePath(path: string): TileAt | null {
  const [, level = "", digits = "", width] = pathForm.exec(path) ?? [];
  if (level === "") return null;
  const at: TileAt = {
    kind: level === "entries" ? "entries" : "hashes",
    level: level === "entries" ? 0 : Number(level),
    number: Number(digits.replaceAll(/[x/]/g, "")),
    width: width === undefined ? tileWidth : Number(width),
  };
  return at.level <= 63 && Number.isSafeInteger(at.number) && tilePath(at) === path ? at : null;
}

/** How many hashes a level has in a tree of `size` leaves. Only full tiles of the level below count. */
export const levelSize = (level: number, size: number): number => Math.floor(size / tileWidth ** level);

/** Whether a tree of `size` leaves has this much of the tile. */
export const hasTile = ({ level, number, width }: TileAt, size: number): boolean =>
  number * tileWidth + width <= levelSize(level, size);

/** All tiles of one level of a tree. The last one may be partial. */
export function tilesOfLevel(kind: TileAt["kind"], level: number, size: number): readonly TileAt[] {
  const count = levelSize(level, size);
  return Array.from({ length: Math.ceil(count / tileWidth) }, (_, number) => ({
    kind,
    level,
    number,
    width: Math.min(tileWidth, count - number * tileWidth),
  }));
}

/** The tile levels of a tree of `size` leaves. */
export function levelsOf(size: number): readonly number[] {
  const levels: number[] = [];
  for (let level = 0; levelSize(level, size) > 0; level += 1) levels.push(level);
  return levels;
}

/** The longest entry that a bundle can hold. */
export const maxEntryBytes = 65_535;

/** Entries one after another, each preceded by its length. Throws if one is too long. */
export function encodeBundle(entries: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(
    entries.flatMap((entry) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(entry.length);
      return [length, entry];
    }),
  );
}

/** Null: the bytes end within an entry. */
export function decodeBundle(bytes: Uint8Array): readonly Uint8Array[] | null {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const entries: Uint8Array[] = [];
  for (let at = 0; at < all.length;) {
    if (at + 2 > all.length) return null;
    const end = at + 2 + all.readUInt16BE(at);
    if (end > all.length) return null;
    entries.push(all.subarray(at + 2, end));
    at = end;
  }
  return entries;
}
