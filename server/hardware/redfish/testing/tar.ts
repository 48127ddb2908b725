// Reads a .tar.gz into memory: the trees have names too long and too odd for some file systems.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const blockBytes = 512;

/** Files by path, without the leading `./`. Knows regular files and GNU long names, which is all that the trees use; throws on anything else. */
export function readTarGz(path: string | URL): ReadonlyMap<string, Buffer> {
  const tar = gunzipSync(readFileSync(path));
  const files = new Map<string, Buffer>();
  let longName: string | null = null;
  for (let offset = 0; offset + blockBytes <= tar.length && tar[offset] !== 0;) {
    const header = tar.subarray(offset, offset + blockBytes);
    const size = Number.parseInt(field(header, 124, 12), 8);
    const content = tar.subarray(offset + blockBytes, offset + blockBytes + size);
    const type = field(header, 156, 1);
    if (type === "L") longName = field(content, 0, size);
    else if (type === "0") {
      files.set((longName ?? field(header, 0, 100)).replace(/^\.\//, ""), content);
      longName = null;
    } else throw new Error(`an entry of type ${type} in ${String(path)}`);
    offset += blockBytes + Math.ceil(size / blockBytes) * blockBytes;
  }
  return files;
}

function field(block: Buffer, start: number, length: number): string {
  const bytes = block.subarray(start, start + length);
  const end = bytes.indexOf(0);
  return bytes.toString("utf8", 0, end === -1 ? length : end).trim();
}
