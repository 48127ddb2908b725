// esbuild options for the programs: those that run beside `node_modules`, and those that are a single self-contained file.
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

/** CommonJS packages load Node's own modules with `require`, which ES modules do not have. */
const withRequire = {
  js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
};

/**
 * The agent runs on hosts, where nothing but this one file exists.
 * @type {import("esbuild").BuildOptions}
 */
export const agent = { ...common, entryPoints: { agent: "agent/main.ts" }, banner: withRequire };

/**
 * The command is copied to wherever somebody works, with whatever Node is there, from 20.9. Before 22 that takes a `.js` for CommonJS or for a module
 * depending on the `package.json` above it, so the file must be valid as both: no import and no require outside a function.
 * @type {import("esbuild").BuildOptions}
 */
export const command = {
  ...common,
  entryPoints: { reclaim: "cli/main.ts" },
  target: "node20.9",
  // pdfkit's build for Node reads its colour profile from a file beside it; the browser build contains the profile and produces the same bytes.
  alias: { ...common.alias, pdfkit: join(root, "node_modules", "pdfkit", "js", "pdfkit.browser.mjs") },
  define: { "import.meta.url": JSON.stringify("file:///reclaim.js") },
  format: "cjs",
  sourcemap: false,
  banner: { js: 'import("node:module").then((node) => (function (require, module) {' },
  footer: { js: "})(node.createRequire(process.execPath), { exports: {} }));" },
};
