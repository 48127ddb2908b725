// Citations within the repository must resolve: links of pages with their anchors, paths that a page names, and what comments cite. YAML and JSON on a page
// must parse, because readers copy it.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, posix } from "node:path";
import { parseAllDocuments } from "yaml";
import { root } from "../folders.mjs";
import { anchorsOf, codeSpansOf, fencedBlocksOf, linksOf } from "./markdown.mjs";
import { files } from "./source-files.mjs";

/**
 * What can be cited in the repository.
 * @typedef {{ exists: (path: string) => boolean, anchors: (path: string) => ReadonlySet<string>, adrs: ReadonlySet<string> }} Repository
 */

const folders = ["agent", "app", "bench", "cli", "components", "docs", "e2e", "prisma", "scripts", "server"];
const pathInCode = new RegExp(`^(${folders.join("|")})/[\\w./()@-]*$`);

/** Pages about the past: what they name may no longer exist. */
const history = /^(CHANGELOG\.md|docs\/benchmarks\.md|docs\/adr\/)/;

/** Sources that nobody edits, or that quote what is forbidden, with the reason. @type {ReadonlyMap<string, string>} */
const leftOut = new Map([
  ["scripts/checks/citations.mjs", "says what is forbidden"],
  ["scripts/checks/citations.test.ts", "tests what is forbidden"],
]);

/** Whether it is a file, or a folder with a file in it: Git keeps no empty folder, which may be left over here. @param {string} path */
function isThere(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || !found.isDirectory()) return found !== undefined;
  return readdirSync(path, { withFileTypes: true, recursive: true }).some((entry) => !entry.isDirectory());
}

/** @param {Repository} repository @param {string} path @param {string | undefined} anchor @returns {string | null} what is wrong */
function unresolved(repository, path, anchor) {
  if (!repository.exists(path)) return `${path} does not exist`;
  if (anchor === undefined || anchor === "") return null;
  if (!path.endsWith(".md")) return `${path} is no page, so it has no #${anchor}`;
  return repository.anchors(path).has(anchor) ? null : `${path} has no heading #${anchor}`;
}

/** @param {Repository} repository @param {string} text @returns {string[]} ADRs that are cited by number and do not exist */
const missingAdrs = (repository, text) =>
  [...text.matchAll(/\bADRs? ?(\d{1,4})\b|\badr\/(\d{1,4})\b/g)]
    .map(([, named, file]) => (named ?? file ?? "").padStart(4, "0"))
    .filter((number) => !repository.adrs.has(number));

/** @param {string} language @param {string} body @returns {string | undefined} why a block does not parse. JSON is parsed as such: YAML accepts more. */
function parseError(language, body) {
  try {
    if (language === "json") JSON.parse(body);
    if (!/^ya?ml$/.test(language)) return undefined;
    const [error] = parseAllDocuments(body).flatMap(({ errors }) => errors);
    return error?.message.split("\n")[0];
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * @param {string} path of a page
 * @param {string} text
 * @param {Repository} repository
 * @returns {string[]}
 */
export function problemsOfPage(path, text, repository) {
  /** @param {number} line @param {string | null} problem */
  const at = (line, problem) => (problem === null ? [] : [`${path}:${line}: ${problem}`]);
  const links = linksOf(text).flatMap(({ target, line }) => {
    if (/^[a-z][a-z+.-]*:/i.test(target)) return [];
    const [file = "", anchor] = target.split("#");
    const cited = file === "" ? path : posix.normalize(posix.join(posix.dirname(path), decodeURI(file)));
    return at(
      line,
      cited.startsWith("..")
        ? `${target} leads out of the repository`
        : unresolved(repository, cited.replace(/\/$/, ""), anchor),
    );
  });
  const paths = history.test(path)
    ? []
    : codeSpansOf(text).flatMap(({ code, line }) =>
        pathInCode.test(code) ? at(line, unresolved(repository, code.replace(/\/$/, ""), undefined)) : [],
      );
  const adrs = text
    .split("\n")
    .flatMap((line, index) =>
      missingAdrs(repository, line).flatMap((number) => at(index + 1, `there is no ADR ${number}`)),
    );
  const blocks = fencedBlocksOf(text).flatMap(({ language, body, line }) => {
    const why = parseError(language, body);
    return why === undefined ? [] : at(line, `the ${language} does not parse: ${why}`);
  });
  return [...links, ...paths, ...adrs, ...blocks];
}

/** The comment on a line; code that only looks like a comment cites nothing. @param {string} path @param {string} line */
const commentOf = (path, line) =>
  (/\.(tsx?|mjs|cjs|css|sql|prisma)$/.test(path)
    ? /(?:(?:^|\s)(?:\/\/|\/\*|--)|^\s*\*(?!\/))(.*)$/
    : /(?:^|\s)#(.*)$/
  ).exec(line)?.[1] ?? "";

/**
 * @param {string} path of a source file
 * @param {string} text
 * @param {Repository} repository
 * @returns {string[]}
 */
export function problemsOfSource(path, text, repository) {
  return text.split("\n").flatMap((line, index) => {
    const comment = commentOf(path, line);
    const pages = [...line.matchAll(/(?<![\w/.])(docs\/[\w./-]+\.md)(?:#([\w-]+))?/g)].map(
      ([, page = "", anchor]) => unresolved(repository, page, anchor),
    );
    const names = [...comment.matchAll(/(?<![\w/.<-])(?:[\w-]+\/)*[\w-]+\.md\b/g)].map(([name]) =>
      name.startsWith("docs/") || repository.exists(name)
        ? null
        : `${name} is nothing that a reader can open: cite it by its path, with #heading`,
    );
    const loose = /\b(design|reference): \w/.test(comment)
      ? ["cite a page of docs/, an ADR, a standard or an upstream file"]
      : [];
    return [
      ...pages,
      ...names,
      ...loose,
      ...missingAdrs(repository, line).map((number) => `there is no ADR ${number}`),
    ].flatMap((problem) => (problem === null ? [] : [`${path}:${index + 1}: ${problem}`]));
  });
}

/**
 * @param {string} [checkout]
 * @returns {{ problems: string[], summary: string }}
 */
export function checkCitations(checkout = root) {
  const pages = files(checkout, /\.md$/);
  /** @param {string} path */
  const read = (path) => readFileSync(join(checkout, path), "utf8");
  /** @type {Map<string, ReadonlySet<string>>} */
  const anchors = new Map();
  /** @type {Repository} */
  const repository = {
    exists: (path) => isThere(join(checkout, path)),
    anchors: (path) => {
      const known = anchors.get(path) ?? anchorsOf(read(path));
      anchors.set(path, known);
      return known;
    },
    adrs: new Set(
      pages.filter((path) => path.startsWith("docs/adr/")).map((path) => basename(path).slice(0, 4)),
    ),
  };
  const sources = files(
    checkout,
    /(\.(tsx?|mjs|cjs|css|sql|prisma|sh|ya?ml)|^\.env\.example|^\.ci\/run)$/,
  ).filter((path) => !leftOut.has(path));
  const problems = [
    ...(pages.length === 0 || sources.length === 0 ? ["found no pages or no source files"] : []),
    ...pages.flatMap((path) => problemsOfPage(path, read(path), repository)),
    ...sources.flatMap((path) => problemsOfSource(path, read(path), repository)),
  ];
  return { problems, summary: `${pages.length} pages, ${sources.length} source files` };
}
