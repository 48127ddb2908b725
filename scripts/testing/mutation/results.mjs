// Results from the workers of the mutation run, one line of JSON each.
import { readFileSync } from "node:fs";

/** @typedef {{ killed: string, by: string } | { survived: string } | { broken: string, why: string }} Verdict */
/** @typedef {Verdict & { file: string, ms: number }} Judged */
/** @typedef {{ file: string, failed: string | undefined, reached: { name: string, tests: number }[], ms: number }} Covered `tests` 0: on import or in hooks; -1: only in what it bundles */
/** @typedef {Judged | Covered} Line */

/** @param {string} path @returns {{ covered: Covered[], judged: Judged[] }} */
export function readResults(path) {
  /** @type {Line[]} */
  const lines = readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  return {
    covered: lines.flatMap((line) => ("reached" in line ? [line] : [])),
    judged: lines.flatMap((line) => ("reached" in line ? [] : [line])),
  };
}
