// Finds the marked and the listed safety checks in a TypeScript file and adds a switch to each: the file is compiled once, and a
// test run chooses the check to disable (the table is in docs/adr/0036-safety-checks-are-marked.md).
import ts from "typescript";
import { parseMark } from "./mark.mjs";
import { placeOf } from "./names.mjs";
import { marksInSql } from "./sql.mjs";

/** @typedef {import("./mark.mjs").Mark} Mark */
/** @typedef {import("./names.mjs").Listed} Listed */
/** @typedef {{ at: number, text: string, opens: boolean, size: number }} Insertion */
/** @typedef {{ name: string, line: number, isSql: boolean, isReplaced: boolean }} Found */
/** @typedef {(node: ts.Node, before: string, after: string) => Insertion[]} Around text before and after a node */

const comments = /\/\/ safety: (.*)$/gm;

const neutral = new Map([
  [ts.SyntaxKind.AmpersandAmpersandToken, "true"],
  [ts.SyntaxKind.BarBarToken, "false"],
  [ts.SyntaxKind.QuestionQuestionToken, "null"],
  [ts.SyntaxKind.PlusToken, "0"],
]);

/** @param {ts.Node} node @param {ts.SourceFile} file @param {number} at @returns {ts.Node} the token that the place, or the comments before it, belong to */
function tokenAt(node, file, at) {
  const child = node.getChildren(file).find(({ pos, end }) => pos <= at && at < end);
  return child === undefined ? node : tokenAt(child, file, at);
}

/** @param {ts.Node} node a bracket, an operator, a word such as `await`: no expression of its own */
const isSign = ({ kind }) =>
  (kind >= ts.SyntaxKind.FirstPunctuation && kind <= ts.SyntaxKind.LastPunctuation) ||
  (kind >= ts.SyntaxKind.FirstKeyword && kind <= ts.SyntaxKind.LastKeyword && !values.has(kind));
const values = new Set([
  ts.SyntaxKind.TrueKeyword,
  ts.SyntaxKind.FalseKeyword,
  ts.SyntaxKind.NullKeyword,
  ts.SyntaxKind.ThisKeyword,
]);

/** @param {ts.Node} token @param {ts.SourceFile} file @returns {ts.Node[]} the nodes that begin with it, innermost first */
function beginningWith(token, file) {
  const chain = [];
  const start = token.getStart(file);
  for (let node = token; !ts.isSourceFile(node) && node.getStart(file) === start; node = node.parent)
    chain.push(node);
  return chain.filter((node) => node.kind !== ts.SyntaxKind.SyntaxList && !isSign(node));
}

/** @param {string} name */
const isOut = (name) => `globalThis.__safety?.(${JSON.stringify(name)})`;

/** @param {ts.Node} node @param {string} value @param {Mark} mark @param {Around} around */
const replaced = (node, value, mark, around) => around(node, `(${isOut(mark.name)} ? (${value}) : (`, "))");

/** Leaves out an element, an argument or a property. @param {ts.Node} node @param {Mark} mark @param {Around} around */
function leftOut(node, mark, around) {
  const nothing = ts.isObjectLiteralElement(node) ? "{}" : "[]";
  if (ts.isSpreadElement(node) || ts.isSpreadAssignment(node))
    return replaced(node.expression, nothing, mark, around);
  return nothing === "{}"
    ? around(node, `...(${isOut(mark.name)} ? {} : {`, "})")
    : around(node, `...(${isOut(mark.name)} ? [] : [`, "])");
}

/** @param {ts.Statement} node @param {Mark} mark @param {Around} around @returns {Insertion[] | undefined} */
function breakStatement(node, mark, around) {
  const { value } = mark;
  if (ts.isIfStatement(node)) {
    return mark.isReplaced
      ? around(node, `if (${isOut(mark.name)}) { ${value} } else `, "")
      : replaced(node.expression, value ?? "false", mark, around);
  }
  if (ts.isReturnStatement(node) && node.expression !== undefined && value !== undefined) {
    const chooses =
      ts.isConditionalExpression(node.expression) &&
      (mark.word === "always" || mark.word === "never") &&
      !mark.isReplaced;
    return replaced(
      ts.isConditionalExpression(node.expression) && chooses ? node.expression.condition : node.expression,
      value,
      mark,
      around,
    );
  }
  if (ts.isVariableStatement(node)) {
    const [declaration, ...more] = node.declarationList.declarations;
    return declaration?.initializer === undefined || more.length > 0 || value === undefined
      ? undefined
      : replaced(declaration.initializer, value, mark, around);
  }
  const canGo =
    ts.isExpressionStatement(node) ||
    ts.isThrowStatement(node) ||
    ts.isReturnStatement(node) ||
    ts.isIterationStatement(node, false);
  if (!canGo) return undefined;
  return mark.isReplaced
    ? around(node, `if (${isOut(mark.name)}) { ${value} } else `, "")
    : around(node, `if (!${isOut(mark.name)}) `, "");
}

/** Handles places where an expression can stand alone. @param {ts.Node} node @param {Mark} mark @param {Around} around @returns {Insertion[] | undefined} */
function breakExpression(node, mark, around) {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) {
    const value = neutral.get(parent.operatorToken.kind);
    // Of a sum, only the right operand can be dropped: the left one starts where larger expressions start.
    if (value !== undefined && (value !== "0" || node === parent.right))
      return replaced(
        node,
        mark.value ?? (value === "null" && node === parent.right ? "undefined" : value),
        mark,
        around,
      );
    return node === parent.right && mark.value !== undefined
      ? replaced(node, mark.value, mark, around)
      : undefined;
  }
  if (ts.isObjectLiteralElement(node) && ts.isObjectLiteralExpression(parent)) {
    return ts.isPropertyAssignment(node) && mark.value !== undefined
      ? replaced(node.initializer, mark.value, mark, around)
      : leftOut(node, mark, around);
  }
  const isListed =
    ts.isArrayLiteralExpression(parent) ||
    ((ts.isCallExpression(parent) || ts.isNewExpression(parent)) && parent.expression !== node);
  if (isListed)
    return mark.value === undefined ? leftOut(node, mark, around) : replaced(node, mark.value, mark, around);
  if (ts.isIfStatement(parent)) return replaced(node, mark.value ?? "false", mark, around);
  const isInitializer =
    (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) && node === parent.initializer;
  const standsAlone =
    isInitializer ||
    ts.isConditionalExpression(parent) ||
    ts.isArrowFunction(parent) ||
    ts.isReturnStatement(parent) ||
    ts.isWhileStatement(parent) ||
    ts.isParenthesizedExpression(parent) ||
    ts.isPrefixUnaryExpression(parent) ||
    ts.isTemplateSpan(parent);
  return standsAlone && mark.value !== undefined ? replaced(node, mark.value, mark, around) : undefined;
}

/** @param {ts.Node} token the one after the mark @param {ts.SourceFile} file @param {Mark} mark @returns {Insertion[] | undefined} */
function breakAt(token, file, mark) {
  /** @type {Around} */
  const around = (node, before, after) => {
    const at = node.getStart(file);
    const size = node.end - at;
    return [
      { at, text: before, opens: true, size },
      { at: node.end, text: after, opens: false, size },
    ];
  };
  if (ts.isBinaryExpression(token.parent) && token.parent.operatorToken === token)
    return breakExpression(token.parent.right, mark, around);
  if (ts.isConditionalExpression(token.parent) && token === token.parent.questionToken)
    return breakExpression(token.parent.whenTrue, mark, around);
  if (ts.isConditionalExpression(token.parent) && token === token.parent.colonToken)
    return breakExpression(token.parent.whenFalse, mark, around);
  const chain = beginningWith(token, file);
  const statement = chain.find((node) => ts.isStatement(node) && !ts.isBlock(node));
  if (statement !== undefined && ts.isStatement(statement)) return breakStatement(statement, mark, around);
  for (const node of chain) {
    const broken = breakExpression(node, mark, around);
    if (broken !== undefined) return broken;
  }
  return undefined;
}

/** @param {string} text @param {Insertion[]} insertions @returns {string} */
function insert(text, insertions) {
  // At the same position, ends come before starts, and the larger node encloses the smaller.
  const sorted = insertions
    .map((one, index) => ({ ...one, index }))
    .sort(
      (a, b) =>
        a.at - b.at ||
        Number(a.opens) - Number(b.opens) ||
        (a.opens ? b.size - a.size || a.index - b.index : a.size - b.size || b.index - a.index),
    );
  let result = "";
  let from = 0;
  for (const { at, text: piece } of sorted) {
    result += text.slice(from, at) + piece;
    from = at;
  }
  return result + text.slice(from);
}

/** Where a listed check begins. @param {string} path @param {string} text @param {Listed} listed @returns {{ at: number, said: string }} */
function placeIn(path, text, { mark, code }) {
  try {
    return { at: placeOf(text, code), said: mark };
  } catch (error) {
    throw new Error(`${path}: ${mark}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

/**
 * Pure.
 * @param {string} path
 * @param {string} text
 * @param {readonly Listed[]} listed the checks in its expressions
 * @returns {{ code: string, found: Found[] }} the code with a switch for each check, and what is marked
 * @throws if a check is at a place where nothing can be disabled
 */
export function instrument(path, text, listed) {
  if (listed.length === 0 && !text.includes("safety: ")) return { code: text, found: [] };
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  /** @type {Found[]} */
  const found = [];
  /** @type {Insertion[]} */
  const insertions = [];
  const marked = [...text.matchAll(comments)].map(({ index: at, 1: said = "" }) => ({ at, said }));
  for (const { at, said } of [...marked, ...listed.map((one) => placeIn(path, text, one))]) {
    const token = tokenAt(file, file, at);
    if (token.getStart(file) < at) continue; // in a string
    const mark = parseMark(said);
    const line = file.getLineAndCharacterOfPosition(at).line + 1;
    const isMark = token.getStart(file) > at;
    if (isMark && text.slice(text.lastIndexOf("\n", at) + 1, at).trim() !== "")
      throw new Error(`${path}:${line}: a mark has a line of its own, above what it marks`);
    const broken = breakAt(token, file, mark);
    if (broken === undefined)
      throw new Error(
        `${path}:${line}: safety: ${mark.name}: the table says nothing of this place, or it needs a word in parentheses`,
      );
    insertions.push(...broken);
    found.push({ name: mark.name, line, isSql: false, isReplaced: mark.isReplaced });
  }
  text.split("\n").forEach((content, index) => {
    for (const mark of marksInSql(content))
      found.push({ name: mark.name, line: index + 1, isSql: true, isReplaced: mark.isReplaced });
  });
  return { code: insert(text, insertions), found };
}
