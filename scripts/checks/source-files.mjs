// The source files of the repository that somebody wrote: neither installed nor generated.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../folders.mjs";

const skipped = new Set(["node_modules", ".git", ".next", ".reclaim", "dist", "generated", "test-results", "playwright-report", "coverage"]);

/**
 * @param {string} [checkout]
 * @returns {string[]} paths relative to it, sorted
 */
export function sourceFiles(checkout = root) {
  return walk(checkout, "").filter((path) => /\.(tsx?|mjs|cjs)$/.test(path) && path !== "next-env.d.ts");
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
    .flatMap((entry) => (entry.isDirectory() ? walk(checkout, join(folder, entry.name)) : [join(folder, entry.name)]));
}
