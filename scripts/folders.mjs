// Where things are: the checkout, what is installed in it, and the folder that keeps the state of a running system.
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The pinned Node of the package `node`, which everything but the first steps runs on. */
export const pinnedNode = join(root, "node_modules", ".bin", "node");

/**
 * How each of our programs is run. What one request or one decision needs is garbage a moment later: in a young generation of 64 MiB it is
 * seldom looked through, which took a twelfth of the controller's time in one of 16 MiB.
 */
const memory = ["--max-semi-space-size=64", "--min-semi-space-size=16"];

/** Node reads the source map of each file that it loads, which is a quarter of a start: tests, which start us often, do without. */
export const nodeOptions =
  process.env["RECLAIM_SOURCE_MAPS"] === "0" ? memory : ["--enable-source-maps", ...memory];

/** What lives for a minute does not earn back what it costs to compile Prisma's WebAssembly well (docs/adr/0100-cheaper-starts.md). */
export const shortLivedOptions = ["--liftoff-only", ...memory];

/**
 * Files of one running system. Another folder is another system, with its own database, secrets and ports.
 * @param {string} [folder] relative to the working directory; `.reclaim` in the checkout if not given
 */
export function stateFiles(folder) {
  const state = folder === undefined ? join(root, ".reclaim") : resolve(folder);
  return {
    folder: state,
    secrets: join(state, "secrets.json"),
    fleet: join(state, "fleet.json"),
    simulator: join(state, "simulator.jsonl"),
    demoLogins: join(state, "demo-logins.json"),
    run: join(state, "run.json"),
    postgres: join(state, "postgres.json"),
    postgresData: join(state, "postgres"),
    highWater: join(state, "high-water"),
    image: join(state, "image"),
    imagePackages: join(state, "image-packages"),
    logs: join(state, "logs"),
  };
}
/** @typedef {ReturnType<typeof stateFiles>} StateFiles */
