// Reads the captured Redfish trees of this folder into memory, because their file names are too long and too unusual for some file systems.
import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** The files of a captured tree by path, without the leading `./`. */
export const readCapture = (name: string): Map<string, string> => readArchive(readFileSync(fileOf(name)));

/** Beside the source, or from the bundle in dist/. */
function fileOf(name: string): URL {
  const candidates = [`./${name}.tar.gz`, `../server/simulator/trees/${name}.tar.gz`].map(
    (path) => new URL(path, import.meta.url),
  );
  const found = candidates.find((url) => existsSync(url));
  if (!found)
    throw new Error(`the captured Redfish tree ${name} is at none of ${candidates.map(String).join(", ")}`);
  return found;
}

const blockBytes = 512;

function text(header: Buffer, from: number, length: number): string {
  const field = header.subarray(from, from + length);
  const end = field.indexOf(0);
  return field.toString("utf8", 0, end === -1 ? length : end);
}

/** Regular files by name. Supports GNU long names, because the trees have some. */
function readArchive(compressed: Buffer): Map<string, string> {
  const data = gunzipSync(compressed);
  const files = new Map<string, string>();
  let longName: string | null = null;
  for (let at = 0; at + blockBytes <= data.length;) {
    const header = data.subarray(at, at + blockBytes);
    if (header[0] === 0) break;
    const size = Number.parseInt(text(header, 124, 12).trim() || "0", 8);
    const kind = text(header, 156, 1);
    const content = data.toString("utf8", at + blockBytes, at + blockBytes + size);
    const prefix = text(header, 257, 5) === "ustar" && header[263] === 0x30 ? text(header, 345, 155) : "";
    const name = longName ?? (prefix ? `${prefix}/${text(header, 0, 100)}` : text(header, 0, 100));
    longName = kind === "L" ? content.replace(/\0+$/, "") : null;
    if (kind === "0" || kind === "") files.set(name.replace(/^\.\//, ""), content);
    at += blockBytes + Math.ceil(size / blockBytes) * blockBytes;
  }
  return files;
}
