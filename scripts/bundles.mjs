// How esbuild makes the programs: those beside `node_modules`, and those that are one file and need nothing else.
import { join } from "node:path";
import { root } from "./folders.mjs";

/** @type {import("esbuild").BuildOptions} */
export const common = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node22",
  format: "esm",
  sourcemap: true,
  alias: { "@": root },
  logLevel: "warning",
};

/** Packages in CommonJS ask for Node's own modules by `require`, which modules do not have. */
const withRequire = {
  js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
};

/**
 * The agent runs on hosts, where there is nothing but this one file.
 * @type {import("esbuild").BuildOptions}
 */
export const agent = { ...common, entryPoints: { agent: "agent/main.ts" }, banner: withRequire };

/**
 * The command is copied to wherever somebody works, with whatever Node is there, from 20.9. Before 22 that takes a `.js` for CommonJS or for a module
 * by the `package.json` above it, so the file is what reads the same as both: no import and no require outside a function.
 * @type {import("esbuild").BuildOptions}
 */
export const command = {
  ...common,
  entryPoints: { reclaim: "cli/main.ts" },
  target: "node20.9",
  // pdfkit's build for Node reads its colour profile from a file beside itself; the one for browsers has it inside, and makes the same bytes.
  alias: { ...common.alias, pdfkit: join(root, "node_modules", "pdfkit", "js", "pdfkit.browser.mjs") },
  define: { "import.meta.url": JSON.stringify("file:///reclaim.js") },
  format: "cjs",
  sourcemap: false,
  banner: { js: 'import("node:module").then((node) => (function (require, module) {' },
  footer: { js: "})(node.createRequire(process.execPath), { exports: {} }));" },
};
