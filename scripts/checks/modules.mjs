// Holds every import against the rules of import-rules.mjs.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../folders.mjs";
import { importRules } from "./import-rules.mjs";
import { cyclesOf, importsOf } from "./imports.mjs";
import { sourceFiles } from "./source-files.mjs";

/** @typedef {import("./import-rules.mjs").ImportRule} ImportRule */
/** @typedef {import("./imports.mjs").Import} Import */

const places =
  /^(?:(?:app|components|server|agent|cli|prisma|e2e|bench|scripts)\/|(?:proxy|instrumentation)\.ts$)/;

/** @param {string | readonly string[]} pattern */
const expression = (pattern) => new RegExp(typeof pattern === "string" ? pattern : pattern.join("|"));

/** @param {string} checkout @returns {Set<string>} the packages that its package.json lists */
function declaredIn(checkout) {
  const manifest = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"));
  return new Set(Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }));
}

/**
 * @param {ImportRule} rule
 * @param {ReadonlySet<string>} declared
 * @returns {(one: Import) => boolean} whether it forbids an import
 */
function judgeOf({ from, to }, declared) {
  const source = expression(from.path ?? "");
  const exempt = from.pathNot === undefined ? undefined : expression(from.pathNot);
  /** Patterns of targets, by what the group of the source has matched. @type {Map<string, { wrong: RegExp, right: RegExp | undefined }>} */
  const targets = new Map();
  const targetOf = (/** @type {string} */ group) => {
    const known = targets.get(group);
    if (known !== undefined) return known;
    const fill = (/** @type {string} */ text) => text.replaceAll("$1", group);
    const pathNot = typeof to.pathNot === "string" ? [to.pathNot] : to.pathNot;
    const target = {
      wrong: new RegExp(fill(to.path ?? "")),
      right: pathNot === undefined ? undefined : expression(pathNot.map(fill)),
    };
    targets.set(group, target);
    return target;
  };
  const isWhatItForbids = (/** @type {Import} */ one) =>
    to.is === undefined ||
    (to.is === "unresolved" && !one.isResolved) ||
    (to.is === "undeclared" && one.package !== undefined && !declared.has(one.package));
  return (one) => {
    if ((to.typesToo === false && one.isType) || !isWhatItForbids(one) || exempt?.test(one.from))
      return false;
    const match = source.exec(one.from);
    if (match === null) return false;
    const { wrong, right } = targetOf(match[1] ?? "");
    return wrong.test(one.to) && right?.test(one.to) !== true;
  };
}

/**
 * @param {string} [checkout]
 * @returns {{ problems: string[], summary: string }}
 */
export function checkModules(checkout = root) {
  const sources = sourceFiles(checkout).filter((path) => places.test(path));
  if (sources.length === 0) return { problems: ["found no source files"], summary: "" };
  const imports = importsOf(checkout, sources);
  const declared = declaredIn(checkout);
  const problems = importRules.flatMap((rule) => {
    if (rule.to.is === "in a cycle")
      return cyclesOf(imports).map((files) => `${rule.name}: ${[...files, files[0]].join(" → ")}`);
    const forbids = judgeOf(rule, declared);
    return imports.filter(forbids).map(({ from, to }) => `${rule.name}: ${from} → ${to}`);
  });
  return { problems, summary: `${sources.length} files, ${imports.length} imports` };
}
