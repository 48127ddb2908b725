// The last release, whose controller runs beside this one's in a test (docs/adr/0024-rolling-upgrade.md).
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../folders.mjs";

/** Its last migration, set in the commit that sets its version in package.json. Later migrations only add (scripts/checks/migrations.mjs). */
export const lastMigration = "20261129120100_only_of_0_1_0";

const largestArchiveBytes = 1024 * 1024 * 1024;

/** @param {string[]} args @returns {Buffer} */
const git = (args) =>
  execFileSync("git", args, { cwd: root, maxBuffer: largestArchiveBytes, stdio: ["ignore", "pipe", "pipe"] });

/** Its commit: the newest that set the version. A shallow clone may lack it, and shows its oldest commit as the one that set everything. */
function releaseCommit() {
  if (git(["rev-parse", "--is-shallow-repository"]).toString().trim() !== "false")
    throw new Error("the clone is shallow");
  return git(["log", "-1", "--format=%H", "-G", '^  "version":', "--", "package.json"]).toString().trim();
}

/**
 * Writes its source into a folder, which is created.
 * @param {string} folder
 * @throws if this clone does not contain it, with what to do
 */
export function extractPreviousRelease(folder) {
  mkdirSync(folder, { recursive: true });
  let archive;
  try {
    archive = git(["archive", "--format=tar", releaseCommit()]);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new Error(
      `the commit of the last release cannot be read (${reason}). In a shallow clone run  git fetch --unshallow  in ${root}, then the test again`,
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
