// Each dependency must have its reason in docs/contributing/dependencies.md, and each reason its dependency.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../folders.mjs";

/**
 * @param {string[]} names of package.json
 * @param {string} page
 * @returns {string[]}
 */
export function unexplained(names, page) {
  const reasons = new Map(
    [...page.matchAll(/^\| `([^`]+)` \| *(.*?) *\|$/gm)].map(([, name = "", reason = ""]) => [name, reason]),
  );
  return [
    ...names
      .filter((name) => !reasons.has(name))
      .map((name) => `${name}: no line in docs/contributing/dependencies.md`),
    ...names
      .filter((name) => reasons.has(name) && (reasons.get(name) ?? "").length < 10)
      .map((name) => `${name}: no reason in docs/contributing/dependencies.md`),
    ...[...reasons.keys()]
      .filter((name) => !names.includes(name))
      .map((name) => `${name}: in docs/contributing/dependencies.md, but not in package.json`),
  ];
}

/** @returns {{ problems: string[], summary: string }} */
export function checkDependencies() {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const names = Object.keys({ ...dependencies, ...devDependencies });
  return {
    problems: unexplained(names, readFileSync(join(root, "docs", "contributing", "dependencies.md"), "utf8")),
    summary: `${names.length} dependencies`,
  };
}
