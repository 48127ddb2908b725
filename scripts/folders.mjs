// Paths: the checkout, what is installed in it, and the folder with the state of a running system.
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The pinned Node from the package `node`, on which everything but the first steps runs. */
export const pinnedNode = join(root, "node_modules", ".bin", "node");

/**
 * Node options of all our programs. What one request or decision allocates is garbage a moment later: a young generation of 64 MiB is
 * rarely collected, while one of 16 MiB took a twelfth of the controller's time.
 */
const memory = ["--max-semi-space-size=64", "--min-semi-space-size=16"];

/** Node reads the source map of each file it loads, which is a quarter of the start time; tests, which start programs often, do without. */
export const nodeOptions =
  process.env["RECLAIM_SOURCE_MAPS"] === "0" ? memory : ["--enable-source-maps", ...memory];

/** A process that lives for a minute does not earn back the cost of optimizing Prisma's WebAssembly (docs/adr/0035-cheap-tests.md). */
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
