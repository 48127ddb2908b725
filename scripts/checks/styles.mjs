// Class names of the console: each must be defined by a style sheet, used by a component, and made of whole words (docs/adr/0008-plain-css.md).
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { root } from "../folders.mjs";
import { files } from "./source-files.mjs";

/** Whole words: an abbreviation has fewer than three letters, or a number. */
const word = /^[a-z]{3,}(-[a-z]{2,})*$/;

/** Classes that a library sets on its own elements and that our style sheets style. @type {RegExp} */
const foreign = /^recharts-/;

/**
 * @param {string} sheet
 * @returns {Set<string>} the classes that its selectors name
 */
export function definedClasses(sheet) {
  const selectors = sheet
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/"[^"]*"|url\([^)]*\)/g, "")
    .replace(/@import[^;]*;/g, "")
    .replace(/\{[^{}]*\}/g, "{}");
  return new Set([...selectors.matchAll(/\.([a-zA-Z_][\w-]*)/g)].map(([, name = ""]) => name));
}

/**
 * @param {string} path
 * @param {string} text
 * @returns {{ written: Set<string>, possible: Set<string> }} `written`: words of texts in a `className`; `possible`: words of any text
 */
export function usedClasses(path, text) {
  /** @type {Set<string>} */
  const written = new Set();
  /** @type {Set<string>} */
  const possible = new Set();
  /** @param {ts.Node} node @param {boolean} inClass */
  const visit = (node, inClass) => {
    const named =
      (ts.isJsxAttribute(node) && node.name.getText() === "className") ||
      (ts.isPropertyAssignment(node) && node.name.getText() === "className");
    const part =
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddle(node) ||
      ts.isTemplateTail(node)
        ? node.text
        : undefined;
    for (const name of part?.split(/\s+/) ?? []) {
      if (name === "") continue;
      possible.add(name);
      if (inClass && !isCompared(node)) written.add(name);
    }
    node.forEachChild((child) => visit(child, inClass || named));
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX), false);
  return { written, possible };
}

/** A string that is only compared with is not a class. @param {ts.Node} node */
const isCompared = ({ parent }) =>
  ts.isBinaryExpression(parent) && /^[!=]==$/.test(parent.operatorToken.getText());

/**
 * @param {{ path: string, text: string }[]} sheets
 * @param {{ path: string, text: string }[]} components
 * @returns {string[]}
 */
export function problemsOfStyles(sheets, components) {
  /** @type {Map<string, string>} */
  const defined = new Map();
  for (const { path, text } of sheets)
    for (const name of definedClasses(text)) if (!defined.has(name)) defined.set(name, path);
  const used = components.map(({ path, text }) => ({ path, ...usedClasses(path, text) }));
  const possible = new Set(used.flatMap((file) => [...file.possible]));
  const ours = [...defined].filter(([name]) => !foreign.test(name));
  return [
    ...ours
      .filter(([name]) => !possible.has(name))
      .map(([name, path]) => `${path}: no component uses .${name}`),
    ...ours
      .filter(([name]) => !word.test(name))
      .map(([name, path]) => `${path}: .${name} is an abbreviation; say the noun`),
    ...used.flatMap(({ path, written }) =>
      [...written]
        .filter((name) => !defined.has(name))
        .map((name) => `${path}: no sheet defines the class ${name}`),
    ),
  ];
}

/** @returns {{ problems: string[], summary: string }} */
export function checkStyles() {
  /** @param {RegExp} pattern */
  const read = (pattern) =>
    files(root, pattern).map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
  const sheets = read(/^(app|components)\/.*\.css$/);
  const components = read(/^(app|components)\/.*(?<!\.test)\.tsx?$/);
  const problems = problemsOfStyles(sheets, components);
  if (sheets.length === 0) problems.push("found no style sheets");
  return { problems, summary: `${sheets.length} sheets` };
}
