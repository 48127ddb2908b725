// Which files a change touches, from git.
import { execFileSync } from "node:child_process";
import { root } from "../folders.mjs";

/** @param {readonly string[]} args @returns {string[]} lines; none where git has no answer */
function git(...args) {
  try {
    const output = execFileSync("git", args, {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return output.split("\n").filter((line) => line !== "");
  } catch {
    return [];
  }
}

/**
 * The files that differ from what others have (`origin/main`; without it: from the last commit), new ones included.
 * @returns {string[]} paths below the repository
 */
export function changedHere() {
  const [base = "HEAD"] = git("merge-base", "HEAD", "origin/main");
  return [
    ...new Set([
      ...git("diff", "--name-only", "--diff-filter=d", base),
      ...git("ls-files", "--others", "--exclude-standard"),
    ]),
  ];
}

/**
 * The files that were changed in the last day before the newest commit, by the dates of the commits.
 * @returns {string[] | undefined} undefined if the history does not reach back that far, as in a shallow clone
 */
export function changedOfLate() {
  const [newest] = git("log", "-1", "--format=%ct");
  if (newest === undefined) return undefined;
  const [base] = git("rev-list", "-1", `--before=${Number(newest) - 24 * 60 * 60}`, "HEAD");
  return base === undefined ? undefined : git("diff", "--name-only", base, "HEAD");
}
