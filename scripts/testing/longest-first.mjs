// The order of test files: the slowest start first, so that none of them starts when all others have ended and a core is idle.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BaseSequencer } from "vitest/node";
import { root } from "../folders.mjs";
import { longFiles } from "./long-files.mjs";

/**
 * Files that need a DOM come last: a worker ends, and loses its loaded modules, when the next file needs another environment.
 * @param {string} path
 */
const wantsDom = (path) => readFileSync(path, "utf8").includes("@vitest-environment");

export class LongestFirst extends BaseSequencer {
  /**
   * @override
   * @param {import("vitest/node").TestSpecification[]} files
   */
  async sort(files) {
    const rank = new Map(longFiles.map((path, index) => [join(root, path), index]));
    const place = (/** @type {import("vitest/node").TestSpecification} */ { moduleId }) =>
      rank.get(moduleId) ?? longFiles.length;
    const dom = new Set(files.map(({ moduleId }) => moduleId).filter(wantsDom));
    const inOrder = await super.sort(files);
    return inOrder.toSorted(
      (a, b) => Number(dom.has(a.moduleId)) - Number(dom.has(b.moduleId)) || place(a) - place(b),
    );
  }
}
