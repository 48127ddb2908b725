// Parses what the checks need from a Markdown page: headings with their GitHub anchors, links, code spans. Fenced code is left out.

/** @typedef {{ target: string, line: number }} Link */

/** @param {string} text @returns {string[]} the lines, with those of fenced code emptied */
function proseLines(text) {
  /** @type {string | null} */
  let fence = null;
  return text.split("\n").map((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== null) {
      if (mark !== undefined && mark.startsWith(fence) && line.trim() === mark) fence = null;
      return "";
    }
    if (mark !== undefined) fence = mark;
    return mark === undefined ? line : "";
  });
}

/** The anchor of a heading, by GitHub's rule: lower case, without punctuation, a hyphen for each space. @param {string} heading */
const slug = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");

/** A heading as plain text: without formatting, and only the text of links. @param {string} heading */
const plain = (heading) =>
  heading
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*]/g, "")
    .trim();

/** @param {string} text @returns {ReadonlySet<string>} */
export function anchorsOf(text) {
  /** @type {Map<string, number>} */
  const seen = new Map();
  const anchors = new Set();
  for (const line of proseLines(text)) {
    const heading = /^ {0,3}#{1,6}\s+(.*?)\s*#*$/.exec(line)?.[1];
    if (heading === undefined) continue;
    const base = slug(plain(heading));
    const times = seen.get(base) ?? 0;
    seen.set(base, times + 1);
    anchors.add(times === 0 ? base : `${base}-${times}`);
  }
  return anchors;
}

/** @param {string} text @returns {Link[]} targets of links and images */
export function linksOf(text) {
  return proseLines(text).flatMap((line, index) => {
    const words = line.replace(/`[^`]*`/g, "");
    return [...words.matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g)].map(([, target = ""]) => ({
      target,
      line: index + 1,
    }));
  });
}

/** @param {string} text @returns {{ code: string, line: number }[]} */
export function codeSpansOf(text) {
  return proseLines(text).flatMap((line, index) =>
    [...line.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => ({ code, line: index + 1 })),
  );
}

/** @param {string} text @returns {{ language: string, body: string, line: number }[]} fenced blocks that name their language; `line` is that of the fence */
export function fencedBlocksOf(text) {
  return [...text.matchAll(/^( *)(`{3,}|~{3,})(\w+).*\n([^]*?)^ *\2/gm)].map(
    ([, indent = "", , language = "", body = ""], index, all) => ({
      language,
      body: body.replace(new RegExp(`^${indent}`, "gm"), ""),
      line: text.slice(0, all[index]?.index).split("\n").length,
    }),
  );
}
