// The list of safety checks, `names.txt`: a line with the name of each. One that stands inside an expression has no mark there; the line below its name
// says which part of which file it is (docs/adr/0036-safety-checks-are-marked.md).
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "../../folders.mjs";
import { parseMark } from "./mark.mjs";

/** @typedef {{ mark: string, code: string }} Listed `mark` as after `safety: `; `code` stands once in the file, and `«` `»` are around the part if it is not all of it */

export const namesFile = "scripts/testing/mutation/names.txt";
const place = /^ {4}(\S+): (.*)$/;

/**
 * Pure.
 * @param {string} text
 * @returns {{ names: string[], listed: Map<string, Listed[]> }} `listed` by file
 * @throws if a line belongs to no check
 */
export function parseNames(text) {
  /** @type {string[]} */
  const names = [];
  /** @type {Map<string, Listed[]>} */
  const listed = new Map();
  let mark = "";
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const [, path, code] = place.exec(line) ?? [];
    if (path === undefined || code === undefined) {
      mark = line;
      names.push(parseMark(line).name);
    } else {
      if (mark === "") throw new Error(`${namesFile}: the first line is no name`);
      listed.set(path, [...(listed.get(path) ?? []), { mark, code }]);
    }
  }
  return { names, listed };
}

export const known = parseNames(readFileSync(join(root, namesFile), "utf8"));

/** @param {string} path absolute @returns {readonly Listed[]} the checks in its expressions */
export const listedIn = (path) => known.listed.get(relative(root, path)) ?? [];

/** White space and last commas change with the length of a line. @param {string} text @returns {{ packed: string, places: number[] }} */
function withoutLayout(text) {
  const places = [...text.matchAll(/(?!,\s*[)\]}])\S/g)].map(({ index }) => index);
  return { packed: places.map((at) => text[at]).join(""), places };
}

/**
 * Pure.
 * @param {string} text of the file
 * @param {string} code
 * @returns {number} where the listed part begins
 * @throws if the text contains it not once
 */
export function placeOf(text, code) {
  const { packed, places } = withoutLayout(text);
  const wanted = withoutLayout(code.replace(/[«»]/g, "")).packed;
  const first = packed.indexOf(wanted);
  if (first === -1) throw new Error(`${code} is not there`);
  if (packed.includes(wanted, first + 1)) throw new Error(`${code} stands there more than once`);
  const before = code.includes("«") ? withoutLayout(code.slice(0, code.indexOf("«"))).packed.length : 0;
  return places[first + before] ?? 0;
}
