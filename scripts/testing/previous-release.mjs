// The previous release, whose controller runs beside this one's in a test (docs/adr/0024-rolling-upgrade.md).
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../folders.mjs";

/** Its commit. To be updated with each release. */
export const previousRelease = "6fc00625d3c89fc1399f76d32155438cd44b6ded";

/** Its last migration. Later migrations only add (scripts/checks/migrations.mjs). */
export const lastMigration = "20261129120100_only_of_0_1_0";

const largestArchiveBytes = 1024 * 1024 * 1024;

/**
 * Writes its source into a folder, which is created.
 * @param {string} folder
 * @throws if this clone does not contain it, with what to do
 */
export function extractPreviousRelease(folder) {
  mkdirSync(folder, { recursive: true });
  let archive;
  try {
    archive = execFileSync("git", ["archive", "--format=tar", previousRelease], {
      cwd: root,
      maxBuffer: largestArchiveBytes,
      stdio: ["ignore", "pipe", "pipe"],
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new Error(
      `the previous release, commit ${previousRelease}, is not in this clone (${reason}). A shallow clone lacks it: run  git fetch --unshallow  in ${root}, then the test again`,
    );
  }
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
}

/** @param {string} folder as given to `extractPreviousRelease` @param {string} node */
export function generatePreviousClient(folder, node) {
  execFileSync(node, [join(root, "node_modules", "prisma", "build", "index.js"), "generate"], {
    cwd: folder,
    env: {
      ...process.env,
      CHECKPOINT_DISABLE: "1",
      PRISMA_HIDE_UPDATE_MESSAGE: "1",
      DATABASE_URL: "postgresql://nowhere/none",
    },
    stdio: "pipe",
  });
}
