// `npm run build`: Prisma's client, the programs (esbuild) and the web pages (Next), plus a fingerprint of the sources they were made from.
import { chmodSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { agent, command, common } from "./bundles.mjs";
import { pinnedNode, root } from "./folders.mjs";
import { run } from "./setup/command.mjs";
import { generate, needsGenerate, recordBuild } from "./setup/outputs.mjs";

/** These run beside `node_modules`, so packages are not bundled. */
const programs = {
  server: "server/main.ts",
  simulator: "server/simulator/main.ts",
  seed: "prisma/seed.ts",
  "reset-passkeys": "server/reset-passkeys.ts",
};

async function bundle() {
  for (const entry of [...Object.values(programs), "agent/main.ts", "cli/main.ts"]) {
    if (!existsSync(join(root, entry))) throw new Error(`${entry} does not exist`);
  }
  rmSync(join(root, "dist"), { recursive: true, force: true });
  // Code splitting, so that a process loads only the code of its roles.
  await build({ ...common, entryPoints: programs, outdir: "dist", packages: "external", splitting: true });
  await build({ ...agent, outdir: "dist" });
  await build({ ...command, outdir: "dist" });
  chmodSync(join(root, "dist", "reclaim.js"), 0o755);
}

/** A checkout that was built before will be built again; a clone for tests or an image is built once. */
const isRebuilt = existsSync(join(root, ".next", "BUILD_ID"));

async function buildPages() {
  await run(pinnedNode, [join(root, "node_modules", "next", "dist", "bin", "next"), "build"], {
    name: "next build",
    env: {
      NEXT_TELEMETRY_DISABLED: "1",
      NODE_ENV: "production",
      RECLAIM_KEEP_BUILD: isRebuilt ? "1" : "0",
    },
    show: true,
  });
}

if (needsGenerate()) await generate();
await recordBuild(async () => {
  await bundle();
  await buildPages();
});
