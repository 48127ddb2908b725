// Reads and writes the tar archive of a pack (POSIX ustar): plain files with short names, and nothing else. A reader that knows links, long names or sizes
// beyond what we write would have to refuse them again, so this one compares each header with the only one that we write (docs/contributing/dependencies.md).

const blockBytes = 512;
const endBytes = 2 * blockBytes;
const maxNameBytes = 100;

export interface Member {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, "0")}\0`;

/** The header of a file: no owner, no time, so that equal content gives equal bytes. Throws if the name is not a plain short one. */
export function headerOf(name: string, size: number): Uint8Array {
  if (!/^[\w.-]+(\/[\w.-]+)?$/.test(name) || name.length > maxNameBytes || name.includes(".."))
    throw new Error(`${name} cannot be the name of a file in a pack`);
  const header = Buffer.alloc(blockBytes);
  header.write(name, 0, "latin1");
  header.write(octal(0o644, 7) + octal(0, 7) + octal(0, 7) + octal(size, 11) + octal(0, 11), 100, "latin1");
  header.fill(" ", 148, 156); // the checksum counts as spaces while it is calculated
  header.write("0", 156, "latin1");
  header.write("ustar\u000000", 257, "latin1");
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return header;
}

const padding = (size: number): number => (blockBytes - (size % blockBytes)) % blockBytes;

/** A file with its header and padding. Pure. */
export const memberBytes = ({ name, bytes }: Member): Uint8Array =>
  Buffer.concat([headerOf(name, bytes.length), bytes, Buffer.alloc(padding(bytes.length))]);

export const archiveEnd: Uint8Array = Buffer.alloc(endBytes);

/** Why an archive is not one of ours. */
export class TarFault extends Error {
  override readonly name = "TarFault";
}

/** Gives exactly as many bytes as are asked for. */
class Source {
  #rest: Uint8Array = new Uint8Array();
  readonly #pieces: AsyncIterator<Uint8Array>;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** Fewer only at the end. */
  async take(count: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    let have = 0;
    while (have < count) {
      if (this.#rest.length === 0) {
        const next = await this.#pieces.next();
        if (next.done === true) break;
        this.#rest = next.value;
        continue;
      }
      const part = this.#rest.subarray(0, count - have);
      this.#rest = this.#rest.subarray(part.length);
      parts.push(part);
      have += part.length;
    }
    return Buffer.concat(parts);
  }
}

const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);

function readHeader(header: Uint8Array): { readonly name: string; readonly size: number } {
  const text = Buffer.from(header).toString("latin1");
  const name = text.slice(0, text.indexOf("\0") === -1 ? 0 : Math.min(text.indexOf("\0"), maxNameBytes));
  const size = /^[0-7]{11}\0$/.test(text.slice(124, 136)) ? Number.parseInt(text.slice(124, 135), 8) : -1;
  let expected: Uint8Array;
  try {
    expected = headerOf(name, Math.max(size, 0));
  } catch {
    throw new TarFault("it has a file with a name that no pack has");
  }
  // safety: pack: a header is the one that we write
  if (size < 0 || !Buffer.from(expected).equals(header))
    throw new TarFault("it is not an archive as Reclaim writes it");
  return { name, size };
}

/**
 * The files in order, one at a time in memory. Throws TarFault at the first byte that we would not have written.
 * @param maxBytesOf the size limit of a file; 0: no such file is expected
 */
export async function* readMembers(
  pieces: AsyncIterable<Uint8Array>,
  maxBytesOf: (name: string) => number,
): AsyncGenerator<Member> {
  const source = new Source(pieces);
  for (;;) {
    const header = await source.take(blockBytes);
    if (header.length < blockBytes) throw new TarFault("it was cut off");
    if (isZero(header)) break;
    const { name, size } = readHeader(header);
    // safety: pack: a file that is too large
    if (size > maxBytesOf(name)) throw new TarFault(`${name} is not a file of a pack, or is too large`);
    const bytes = await source.take(size);
    const rest = await source.take(padding(size));
    if (bytes.length < size || rest.length < padding(size))
      throw new TarFault(`it was cut off within ${name}`);
    if (!isZero(rest)) throw new TarFault(`it has something after ${name}`);
    yield { name, bytes };
  }
  const end = await source.take(blockBytes + 1);
  if (end.length !== blockBytes || !isZero(end))
    throw new TarFault("it was cut off, or something follows its end");
}
