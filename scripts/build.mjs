// `npm run build`: Prisma's client, the four programs (esbuild) and the web pages (Next), and a note of what they were made from.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { pinnedNode, root } from "./folders.mjs";
import { run } from "./setup/command.mjs";
import { generate, needsGenerate, recordBuild } from "./setup/outputs.mjs";

/** @type {import("esbuild").BuildOptions} */
const common = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node22",
  format: "esm",
  sourcemap: true,
  alias: { "@": root },
  logLevel: "warning",
};

/** Run beside `node_modules`, so packages stay outside. */
const programs = { server: "server/main.ts", simulator: "server/simulator/main.ts", seed: "prisma/seed.ts" };

async function bundle() {
  for (const entry of [...Object.values(programs), "agent/main.ts"]) {
    if (!existsSync(join(root, entry))) throw new Error(`${entry} does not exist`);
  }
  rmSync(join(root, "dist"), { recursive: true, force: true });
  await build({ ...common, entryPoints: programs, outdir: "dist", packages: "external" });
  // The agent runs on hosts, where there is nothing but this one file.
  await build({
    ...common,
    entryPoints: { agent: "agent/main.ts" },
    outdir: "dist",
    banner: { js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);' },
  });
}

async function buildPages() {
  await run(pinnedNode, [join(root, "node_modules", "next", "dist", "bin", "next"), "build"], {
    name: "next build",
    env: { NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" },
    show: true,
  });
}

if (needsGenerate()) await generate();
await recordBuild(async () => {
  await bundle();
  await buildPages();
});
