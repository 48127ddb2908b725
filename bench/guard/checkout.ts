// A built checkout of an earlier commit, to compare with: made once, then kept in `.reclaim/bench`.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root, stateFiles } from "@/scripts/folders.mjs";
import { run } from "@/scripts/setup/command.mjs";

/** The full id of a commit. Throws if there is none of that name. */
export function commitId(name: string): string {
  try {
    return execFileSync("git", ["rev-parse", "--verify", "--quiet", `${name}^{commit}`], {
      cwd: root,
      encoding: "utf8",
    }).trim();
  } catch {
    throw new Error(`--guard: git knows no commit "${name}"`);
  }
}

/** @param commit a full id. Returns the folder; installs and builds there what is not built yet, which takes minutes. */
export async function builtCheckout(commit: string, signal: AbortSignal): Promise<string> {
  const folder = join(stateFiles().folder, "bench", commit.slice(0, 12));
  const built = join(folder, ".reclaim", "built-for-guard");
  if (existsSync(built) && readFileSync(built, "utf8") === commit) return folder;
  if (!existsSync(folder)) {
    mkdirSync(dirname(folder), { recursive: true });
    await run("git", ["clone", "--quiet", "--no-checkout", root, folder], { signal });
    await run("git", ["-C", folder, "checkout", "--quiet", "--detach", commit], { signal });
  }
  await run("npm", ["--prefix", folder, "ci", "--no-audit", "--no-fund"], { signal });
  await run("npm", ["--prefix", folder, "run", "build"], { signal });
  mkdirSync(dirname(built), { recursive: true });
  writeFileSync(built, commit);
  return folder;
}
