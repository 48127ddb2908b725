// Conventions that can be checked per file: its name, its first line, and postponed work. Its length is advice only.
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { root } from "../folders.mjs";
import { files as allFiles, sourceFiles } from "./source-files.mjs";

/**
 * A file is one subject, which no number of lines can tell, so a limit only makes people cut files by length. Longer files are listed, for somebody
 * to look at; those of tests are lists of cases (docs/design/code.md).
 */
const worthALook = 500;
const ofTests = /\.(test|itest|spec)\.tsx?$/;

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
 * @param {string} path
 * @param {string} text
 */
export const isLong = (path, text) => !ofTests.test(path) && text.split("\n").length - 1 > worthALook;

/** @returns {{ problems: string[], summary: string }} */
export function checkFiles() {
  // This file and its test contain what they forbid.
  const files = [...sourceFiles(), ...allFiles(root, /\.css$/)].filter(
    (path) => !/^scripts\/checks\/(files|checks\.test)\./.test(path),
  );
  const texts = files.map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
  const problems = texts.flatMap(({ path, text }) => problemsOf(path, text));
  if (files.length === 0) problems.push("found no source files");
  const long = texts.filter(({ path, text }) => isLong(path, text)).map(({ path }) => path);
  const advice = long.length === 0 ? "" : `; over ${worthALook} lines: ${long.join(", ")}`;
  return { problems, summary: `${files.length} files${advice}` };
}
