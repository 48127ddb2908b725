// What is generated from the sources (Prisma's client, the bundles, the web pages), and whether it is up to date.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pinnedNode, root } from "../folders.mjs";
import { run } from "./command.mjs";
import { fingerprint } from "./fingerprint.mjs";

/**
 * @typedef {{ stamp: string, results: string[], input: () => string }} Output `stamp` holds the fingerprint of the input it was made from
 */

/** @type {Output} */
const client = {
  stamp: "server/db/generated/.input",
  results: ["server/db/generated/prisma/client.ts"],
  input: () => fingerprint(["prisma/schema", "prisma.config.ts", "package-lock.json"]),
};

const notBuilt = /(\.i?test\.tsx?|\/testing|\/generated|\/migrations)$/;

/** @type {Output} */
const build = {
  stamp: "dist/.input",
  results: [
    "dist/server.js",
    "dist/simulator.js",
    "dist/agent.js",
    "dist/reclaim.js",
    "dist/seed.js",
    "dist/reset-passkeys.js",
    ".next/BUILD_ID",
  ],
  input: () =>
    fingerprint(
      [
        "agent",
        "app",
        "cli",
        "components",
        "prisma",
        "public",
        "server",
        "scripts/build.mjs",
        "scripts/bundles.mjs",
        "next.config.js",
        "postcss.config.mjs",
        "proxy.ts",
        "instrumentation.ts",
        "prisma.config.ts",
        "package-lock.json",
        "tsconfig.json",
      ],
      (path) => notBuilt.test(path),
    ),
};

/** @param {Output} output */
function isCurrent(output) {
  const stamp = join(root, output.stamp);
  return (
    output.results.every((result) => existsSync(join(root, result))) &&
    existsSync(stamp) &&
    readFileSync(stamp, "utf8") === output.input()
  );
}

/**
 * @param {Output} output
 * @param {() => Promise<unknown>} make
 */
async function makeAnew(output, make) {
  const stamp = join(root, output.stamp);
  rmSync(stamp, { force: true });
  const input = output.input(); // taken before: a file saved in the meantime must count as changed
  await make();
  const missing = output.results.filter((result) => !existsSync(join(root, result)));
  if (missing.length > 0) throw new Error(`not made: ${missing.join(", ")}`);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, input);
}

export const needsGenerate = () => !isCurrent(client);

/** Generates Prisma's client. @param {AbortSignal} [signal] */
export async function generate(signal) {
  await makeAnew(client, () =>
    run(pinnedNode, [join(root, "node_modules", "prisma", "build", "index.js"), "generate"], {
      name: "prisma generate",
      env: { CHECKPOINT_DISABLE: "1", PRISMA_HIDE_UPDATE_MESSAGE: "1" },
      ...(signal === undefined ? {} : { signal }),
    }),
  );
}

export const needsBuild = () => !isCurrent(build);

/** Records that `make` has built everything. @param {() => Promise<unknown>} make */
export const recordBuild = (make) => makeAnew(build, make);

/** Builds in a separate process, on the pinned Node. @param {AbortSignal} [signal] */
export async function runBuild(signal) {
  await run(pinnedNode, [join(root, "scripts", "build.mjs")], {
    name: "npm run build",
    ...(signal === undefined ? {} : { signal }),
  });
}
