// A hash over the content of files and folders, by which a step detects that its input is unchanged.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "../folders.mjs";

/**
 * @param {string[]} paths relative to the checkout; a missing path is part of the hash
 * @param {(path: string) => boolean} [leaveOut] called for every file and folder below
 */
export function fingerprint(paths, leaveOut = () => false) {
  const hash = createHash("sha256");
  /** @param {string} path */
  const add = (path) => {
    const full = join(root, path);
    if (!existsSync(full)) hash.update(`${path}\0absent\0`);
    else if (statSync(full).isDirectory()) {
      for (const name of readdirSync(full).sort()) if (!leaveOut(join(path, name))) add(join(path, name));
    } else {
      const content = readFileSync(full);
      hash.update(`${path}\0${content.length}\0`).update(content);
    }
  };
  for (const path of paths) add(path);
  return hash.digest("hex");
}
