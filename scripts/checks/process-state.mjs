// Module state exists once per bundle: once in the server program and once in each route that Next builds.
// Finds such state in every module of ours that a route loads, directly or not; it is to be declared with `perProcess` (server/process/process-state.ts), by a name of its own.
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import ts from "typescript";
import { root } from "../folders.mjs";
import { sourceFiles } from "./source-files.mjs";

/** What may exist once per bundle, and why. @type {ReadonlyMap<string, string>} */
const harmless = new Map([]);

const containers = new Set(["Map", "Set", "WeakMap", "WeakSet"]);
const values = new Set(["RegExp", "URL", "Date", "TextEncoder", "TextDecoder"]);

/** @param {ts.Expression} expression */
function withoutTypes(expression) {
  let inner = expression;
  while (ts.isAsExpression(inner) || ts.isSatisfiesExpression(inner) || ts.isParenthesizedExpression(inner))
    inner = inner.expression;
  return inner;
}

/** Whether a value is meant to change: an empty container or literal, or an instance of a class. @param {ts.Expression | undefined} initializer */
function isMutable(initializer) {
  if (initializer === undefined) return false;
  if (ts.isAsExpression(initializer) && initializer.type.getText() === "const") return false;
  const made = withoutTypes(initializer);
  if (ts.isArrayLiteralExpression(made)) return made.elements.length === 0;
  if (ts.isObjectLiteralExpression(made)) return made.properties.length === 0;
  if (!ts.isNewExpression(made)) return false;
  const name = made.expression.getText();
  if (containers.has(name)) return made.arguments === undefined || made.arguments.length === 0;
  return !values.has(name) && !name.startsWith("Intl.");
}

/** @param {ts.Statement} statement @returns {readonly { name: string, at: ts.Node }[]} */
function mutableIn(statement) {
  if (ts.isClassDeclaration(statement)) {
    return statement.members.flatMap((member) =>
      ts.isPropertyDeclaration(member) &&
      member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) === true &&
      isMutable(member.initializer)
        ? [{ name: `${statement.name?.text ?? "class"}.${member.name.getText()}`, at: member }]
        : [],
    );
  }
  if (
    !ts.isVariableStatement(statement) ||
    statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword) === true
  )
    return [];
  const changes = (statement.declarationList.flags & ts.NodeFlags.Const) === 0;
  return statement.declarationList.declarations.flatMap((declaration) =>
    changes || isMutable(declaration.initializer)
      ? [{ name: declaration.name.getText(), at: declaration }]
      : [],
  );
}

/** @param {ts.Statement} statement @returns {string | undefined} what is loaded when it runs */
function loaded(statement) {
  if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return undefined;
  const { moduleSpecifier } = statement;
  const types = ts.isImportDeclaration(statement)
    ? statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
    : statement.isTypeOnly;
  return types || moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)
    ? undefined
    : moduleSpecifier.text;
}

/** @param {string} checkout @param {string} from @param {string} specifier @returns {string | undefined} a file of ours, relative to the checkout */
function resolve(checkout, from, specifier) {
  if (!specifier.startsWith("@/") && !specifier.startsWith(".")) return undefined;
  const base = specifier.startsWith("@/") ? specifier.slice(2) : posix.join(dirname(from), specifier);
  return [base, `${base}.ts`, `${base}.tsx`, `${base}/index.ts`].find(
    (path) => existsSync(join(checkout, path)) && statSync(join(checkout, path)).isFile(),
  );
}

/** Names of declared state that stand in two places: the second one would get the first one's value. @param {string} checkout */
function declaredTwice(checkout) {
  /** @type {Map<string, string[]>} */
  const places = new Map();
  for (const path of sourceFiles(checkout).filter((one) => one.startsWith("server/"))) {
    const text = readFileSync(join(checkout, path), "utf8");
    for (const [, name = ""] of text.matchAll(
      /\b(?:perProcess|givenToProcess|perDatabase)(?:<[^(]*>)?\(\s*"([^"]+)"/g,
    ))
      places.set(name, [...(places.get(name) ?? []), path]);
  }
  return [...places]
    .filter(([, paths]) => paths.length > 1)
    .map(([name, paths]) => `${paths.join(", ")}: "${name}" is declared twice`);
}

/**
 * @param {string} [checkout]
 * @returns {{ problems: string[], summary: string }}
 */
export function checkProcessState(checkout = root) {
  const routes = sourceFiles(checkout).filter(
    (path) => path.startsWith("app/") || path === "proxy.ts" || path === "instrumentation.ts",
  );
  const seen = new Set(routes);
  /** @type {string[]} */
  const problems = [...(routes.length === 0 ? ["found no routes"] : []), ...declaredTwice(checkout)];
  for (const path of seen) {
    if (!/\.tsx?$/.test(path) || path.startsWith("server/db/generated/")) continue;
    const file = ts.createSourceFile(
      path,
      readFileSync(join(checkout, path), "utf8"),
      ts.ScriptTarget.Latest,
      true,
    );
    for (const statement of file.statements) {
      const specifier = loaded(statement);
      const found = specifier === undefined ? undefined : resolve(checkout, path, specifier);
      if (found !== undefined) seen.add(found);
      if (!path.startsWith("server/")) continue;
      for (const { name, at } of mutableIn(statement)) {
        if (harmless.has(`${path}: ${name}`)) continue;
        const line = file.getLineAndCharacterOfPosition(at.getStart()).line + 1;
        problems.push(
          `${path}:${line}: ${name} exists once per bundle. Declare it with perProcess (server/process/process-state.ts)`,
        );
      }
    }
  }
  return { problems, summary: `${seen.size} modules of Next's bundles keep nothing for themselves` };
}
