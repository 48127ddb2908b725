// The hand-written source files of the repository: neither installed nor generated.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../folders.mjs";

const skipped = new Set([
  "node_modules",
  ".git",
  ".next",
  ".reclaim",
  "dist",
  "generated",
  "test-results",
  "playwright-report",
  "coverage",
]);

/**
 * @param {string} [checkout]
 * @returns {string[]} paths relative to it, sorted
 */
export function sourceFiles(checkout = root) {
  return files(checkout, /\.(tsx?|mjs|cjs)$/).filter((path) => path !== "next-env.d.ts");
}

/**
 * @param {string} checkout
 * @param {RegExp} pattern of their paths
 * @returns {string[]} paths of files of any kind, relative to it, sorted
 */
export function files(checkout, pattern) {
  return walk(checkout, "").filter((path) => pattern.test(path));
}

/**
 * @param {string} checkout
 * @param {string} folder
 * @returns {string[]}
 */
function walk(checkout, folder) {
  return readdirSync(join(checkout, folder), { withFileTypes: true })
    .filter((entry) => !skipped.has(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) =>
      entry.isDirectory() ? walk(checkout, join(folder, entry.name)) : [join(folder, entry.name)],
    );
}
