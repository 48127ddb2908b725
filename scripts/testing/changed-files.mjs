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
      maxBuffer: 256 * 1024 * 1024,
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

/** A line of a diff that changes no code: empty, or a comment. A safety check's mark is a comment that counts. */
const saysNothing = /^[+-]\s*(?:(?:\/\/|\/?\*|--)(?!.*safety: )|$)/;

/** @param {readonly string[]} diff lines of `git diff` @returns {string[]} the files in which more than comments changed */
export function codeChangedIn(diff) {
  const files = new Set();
  let path = "";
  for (const line of diff) {
    const named = /^(?:---|\+\+\+) (?:[ab]\/(.*)|\/dev\/null)$/.exec(line);
    if (named !== null) path = named[1] ?? path;
    else if (/^[+-]/.test(line) && !saysNothing.test(line)) files.add(path);
  }
  return [...files];
}

/** @returns {number | undefined} how many commits there are up to the newest; undefined where git has no answer, or not the whole history */
export function commitNumber() {
  const [count] = git("rev-list", "--count", "HEAD");
  return count === undefined || git("rev-parse", "--is-shallow-repository")[0] !== "false"
    ? undefined
    : Number(count);
}

/** @returns {string[]} the test files that git knows, as paths below the repository */
export const testFiles = () => git("ls-files", "*.itest.ts", "*.test.ts", "*.test.tsx", "*.spec.ts");

/** @returns {string} empty where git has no answer */
export const newestCommit = () => git("rev-parse", "HEAD")[0] ?? "";

/**
 * The files whose code was changed in the last day before the newest commit, by the dates of the commits.
 * @returns {string[] | undefined} undefined if the history does not reach back that far, as in a shallow clone
 */
export function changedOfLate() {
  const [newest] = git("log", "-1", "--format=%ct");
  if (newest === undefined) return undefined;
  const [base] = git("rev-list", "-1", `--before=${Number(newest) - 24 * 60 * 60}`, "HEAD");
  return base === undefined ? undefined : codeChangedIn(git("diff", "--unified=0", base, "HEAD"));
}
