// Each required safety check must be marked, and each marked one required, so that none vanishes silently in a
// refactoring (docs/adr/0036-safety-checks-are-marked.md).
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../folders.mjs";
import { safetyChecks } from "../testing/mutation/list.mjs";

const list = "scripts/testing/mutation/names.txt";

/**
 * Pure.
 * @param {readonly string[]} required
 * @param {readonly string[]} marked
 * @returns {string[]} problems
 */
export function compareNames(required, marked) {
  return [
    ...required
      .filter((name) => !marked.includes(name))
      .map((name) => `"${name}" is in ${list}, but no longer marked in the source`),
    ...marked
      .filter((name) => !required.includes(name))
      .map((name) => `"${name}" is marked in the source: add it to ${list}`),
    ...required
      .filter((name, index) => required.indexOf(name) !== index)
      .map((name) => `"${name}" stands twice in ${list}`),
  ];
}

/** @returns {{ problems: string[], summary: string }} */
export function checkSafetyChecks() {
  const required = readFileSync(join(root, list), "utf8")
    .split("\n")
    .filter((line) => line !== "");
  const marked = safetyChecks().map(({ name }) => name);
  return { problems: compareNames(required, marked), summary: `${marked.length} are marked` };
}
