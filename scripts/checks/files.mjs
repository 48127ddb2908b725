// Conventions that can be checked per file: its name, its first line, its length, and postponed work.
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { root } from "../folders.mjs";
import { files as allFiles, sourceFiles } from "./source-files.mjs";

/** Maximum lines; a test may be a long list of cases. */
const longest = { code: 300, test: 640 };
const ofTests = /\.(test|itest|spec)\.tsx?$/;
/** Longer for a reason. @type {ReadonlyMap<string, string>} */
const mayBeLonger = new Map([
  ["bench/ironic/ironic-client.mjs", "one file, to be copied to where an Ironic runs"],
  [".dependency-cruiser.cjs", "one list of rules, which its program reads from one file"],
]);

/** Maximum number of files in a folder. */
const maxInFolder = 20;
/** Folders that hold more for a reason. @type {ReadonlyMap<string, string>} */
const mayHoldMore = new Map([
  ["docs/adr", "a list by number, to which each decision adds one"],
  [".", "where tools look for their settings"],
]);

/** Files named by someone else, and why. @type {[RegExp, string][]} */
const foreignNames = [
  [/^app\/.*\[[\w.-]+\]/, "Next: a folder in brackets is a parameter"],
  [/^\.[\w.-]+$/, "a tool looks for this name"],
];

/**
 * @param {string} path
 * @param {string} text
 * @returns {string[]}
 */
export function problemsOf(path, text) {
  const problems = [];
  const lines = text.split("\n");
  if (
    !foreignNames.some(([pattern]) => pattern.test(path)) &&
    !/^[a-z0-9]+([-.][a-z0-9]+)*$/.test(basename(path))
  ) {
    problems.push(`${path}: the name is not kebab-case`);
  }
  const opening =
    lines.filter(
      (line) =>
        !line.startsWith("#!") && !/^["']use (client|server)["'];?$/.test(line.trim()) && line.trim() !== "",
    )[0] ?? "";
  if (!/^(\/\/|\/\*)/.test(opening))
    problems.push(`${path}: the first line does not say what the file is for`);
  const limit = ofTests.test(path) ? longest.test : longest.code;
  // The text ends with a newline, so the last element is empty.
  if (lines.length - 1 > limit && !mayBeLonger.has(path))
    problems.push(`${path}: ${lines.length - 1} lines; more than ${limit} are more than one thing`);
  lines.forEach((line, index) => {
    if (/\b(TODO|FIXME|XXX|HACK)\b/.test(line))
      problems.push(`${path}:${index + 1}: do it, or open an issue`);
    if (/\b(it|test|describe)\.(skip|only|todo)\b/.test(line))
      problems.push(`${path}:${index + 1}: a test that does not run, or keeps others from running`);
    if (/(eslint|oxlint)-disable|@ts-(ignore|nocheck|expect-error)/.test(line))
      problems.push(`${path}:${index + 1}: switches a check off`);
  });
  return problems;
}

/**
 * @param {string[]} paths
 * @returns {string[]}
 */
export function fullFolders(paths) {
  /** @type {Map<string, number>} */
  const files = new Map();
  for (const path of paths) files.set(dirname(path), (files.get(dirname(path)) ?? 0) + 1);
  return [...files]
    .filter(([folder, count]) => count > maxInFolder && !mayHoldMore.has(folder))
    .map(([folder, count]) => `${folder}: ${count} files; more than ${maxInFolder} are more than one room`);
}

/** @returns {{ problems: string[], summary: string }} */
export function checkFiles() {
  // This file and its test contain what they forbid.
  const files = [...sourceFiles(), ...allFiles(root, /\.css$/)].filter(
    (path) => !/^scripts\/checks\/(files|checks\.test)\./.test(path),
  );
  const problems = files.flatMap((path) => problemsOf(path, readFileSync(join(root, path), "utf8")));
  problems.push(...fullFolders(allFiles(root, /./)));
  if (files.length === 0) problems.push("found no source files");
  return { problems, summary: `${files.length} files` };
}
