// The house's habits that can be read off a file: its name, its first line, its length, what it puts off.
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { root } from "../folders.mjs";
import { sourceFiles } from "./source-files.mjs";

/** Lines; a test may be a long list of cases. */
const longest = { code: 400, test: 500 };

/** Files whose names others have chosen, and why. @type {[RegExp, string][]} */
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
  const limit = /\.(test|itest|spec)\.tsx?$/.test(path) ? longest.test : longest.code;
  if (lines.length > limit)
    problems.push(`${path}: ${lines.length} lines; more than ${limit} are more than one thing`);
  lines.forEach((line, index) => {
    if (/\b(TODO|FIXME|XXX|HACK)\b/.test(line))
      problems.push(`${path}:${index + 1}: do it, or open an issue`);
    if (/\b(it|test|describe)\.(skip|only|todo)\b/.test(line))
      problems.push(`${path}:${index + 1}: a test that does not run, or keeps others from running`);
    if (/eslint-disable|@ts-(ignore|nocheck|expect-error)/.test(line))
      problems.push(`${path}:${index + 1}: switches a check off`);
  });
  return problems;
}

/** @returns {{ problems: string[], summary: string }} */
export function checkFiles() {
  // This file and its test spell out what they forbid.
  const files = sourceFiles().filter((path) => !/^scripts\/checks\/(files|checks\.test)\./.test(path));
  const problems = files.flatMap((path) => problemsOf(path, readFileSync(join(root, path), "utf8")));
  if (files.length === 0) problems.push("found no source files");
  return { problems, summary: `${files.length} files` };
}
