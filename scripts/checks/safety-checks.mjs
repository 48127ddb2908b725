// Each required safety check must be marked, and each marked one required, so that none vanishes silently in a
// refactoring (docs/adr/0036-safety-checks-are-marked.md).
import { safetyChecks } from "../testing/mutation/list.mjs";
import { known, namesFile as list } from "../testing/mutation/names.mjs";

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
  const marked = safetyChecks().map(({ name }) => name);
  return { problems: compareNames(known.names, marked), summary: `${marked.length} are marked` };
}
