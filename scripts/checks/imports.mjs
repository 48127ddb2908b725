// What each source file imports, and where that is: read with oxc's parser, resolved as TypeScript and Node do.
import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { ResolverFactory } from "oxc-resolver";

/** @typedef {{ specifier: string, isType: boolean }} Specifier `isType`: it imports types alone, so that nothing of it is there when the program runs */
/** @typedef {{ from: string, to: string, isType: boolean, isResolved: boolean, package?: string }} Import `to` is as `import-rules.mjs` says */

/** What the module record of the parser does not have: types by `import("…")`, `require`, and dynamic imports of a text. */
const called = /\b(?:import|require)\s*\(/;

/**
 * @param {string} path
 * @param {string} text
 * @returns {Specifier[]}
 */
export function specifiersOf(path, text) {
  const parsed = parseSync(path, text);
  const { staticImports, staticExports } = parsed.module;
  /** @type {Specifier[]} */
  const found = staticImports.map(({ moduleRequest, entries }) => ({
    specifier: moduleRequest.value,
    isType: entries.length > 0 && entries.every(({ isType }) => isType),
  }));
  for (const { entries } of staticExports) {
    const [request] = entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []);
    if (request !== undefined)
      found.push({ specifier: request, isType: entries.every(({ isType }) => isType) });
  }
  if (called.test(text)) found.push(...calledIn(parsed.program));
  return found;
}

/**
 * @param {import("oxc-parser").Program} program
 * @returns {Specifier[]}
 */
function calledIn(program) {
  /** @type {Specifier[]} */
  const found = [];
  const add = (/** @type {import("oxc-parser").Node | undefined} */ node, isType = false) => {
    const only =
      node?.type === "TemplateLiteral" && node.quasis.length === 1 ? node.quasis[0]?.value.cooked : undefined;
    const specifier = node?.type === "Literal" ? node.value : only;
    if (typeof specifier === "string") found.push({ specifier, isType });
  };
  new Visitor({
    ImportExpression: ({ source }) => add(source),
    TSImportType: ({ source }) => add(source, true),
    TSExternalModuleReference: ({ expression }) => add(expression),
    CallExpression: ({ callee, arguments: [first] }) => {
      if (callee.type === "Identifier" && callee.name === "require") add(first);
    },
  }).visit(program);
  return found;
}

/**
 * @param {string} checkout
 * @param {readonly string[]} paths relative to it
 * @returns {Import[]}
 */
export function importsOf(checkout, paths) {
  const resolver = new ResolverFactory({
    tsconfig: { configFile: join(checkout, "tsconfig.json") },
    extensions: [".ts", ".tsx", ".mjs", ".js", ".json", ".css", ".d.ts"],
    conditionNames: ["import", "require", "node", "default", "types"],
    mainFields: ["module", "main", "types"],
  });
  return paths.flatMap((from) => {
    const folder = dirname(join(checkout, from));
    return specifiersOf(from, readFileSync(join(checkout, from), "utf8")).map(({ specifier, isType }) => {
      if (isBuiltin(specifier))
        return { from, to: specifier.replace(/^node:/, ""), isType, isResolved: true };
      const { path } = resolver.sync(folder, specifier);
      const isOwn = /^(\.|@\/)/.test(specifier);
      if (isOwn)
        return {
          from,
          to: path === undefined ? specifier : relative(checkout, path),
          isType,
          isResolved: path !== undefined,
        };
      const name = specifier
        .split("/")
        .slice(0, specifier.startsWith("@") ? 2 : 1)
        .join("/");
      return {
        from,
        to: `node_modules/${specifier}/`,
        isType,
        isResolved: path !== undefined,
        package: name,
      };
    });
  });
}

/**
 * The groups of files that need each other when they run. Tarjan's algorithm: strongly connected components.
 * @param {readonly Import[]} imports
 * @returns {string[][]} each sorted
 */
export function cyclesOf(imports) {
  /** @type {Map<string, string[]>} */
  const needs = new Map();
  for (const { from, to, isType } of imports) if (!isType) needs.set(from, [...(needs.get(from) ?? []), to]);
  /** @type {Map<string, number>} */
  const order = new Map();
  /** @type {string[]} */
  const open = [];
  const isOpen = new Set();
  /** @type {string[][]} */
  const cycles = [];
  /** @param {string} file @returns {number} the lowest place that it reaches */
  const visit = (file) => {
    const place = order.size;
    order.set(file, place);
    open.push(file);
    isOpen.add(file);
    let low = place;
    for (const next of needs.get(file) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (isOpen.has(next)) low = Math.min(low, order.get(next) ?? low);
    }
    if (low === place) {
      const cycle = open.splice(open.indexOf(file));
      for (const each of cycle) isOpen.delete(each);
      if (cycle.length > 1 || needs.get(file)?.includes(file)) cycles.push(cycle.toSorted());
    }
    return low;
  };
  for (const file of needs.keys()) if (!order.has(file)) visit(file);
  return cycles;
}
