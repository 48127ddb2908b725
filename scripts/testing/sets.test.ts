// The lists of test files name files that exist: a file that was moved would otherwise run in another set without a word.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "@/scripts/folders.mjs";
import { browserGroups } from "@/scripts/testing/browser-tests.mjs";
import { longFiles } from "@/scripts/testing/longest-first.mjs";
import { onlyInAll, partlyInAll, tag } from "@/scripts/testing/only-in-all.mjs";

describe("lists of test files", () => {
  it("name files that exist", () => {
    const named = [
      ...longFiles,
      ...onlyInAll,
      ...browserGroups(true).flatMap((names) => names.map((name) => `e2e/${name}`)),
    ];
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
  it.each([true, false])("put each browser test in one group (all: %s)", (isAll) => {
    const names = browserGroups(isAll).flat();
    expect(new Set(names).size).toBe(names.length);
  });
  it("name each file in which tests have the tag, with what stays of it", () => {
    const tests = ["*.test.ts", "*.itest.ts", "*.spec.ts", ":!scripts/testing/sets.test.ts"];
    const tagged = execFileSync("git", ["grep", "-lE", `tags: "${tag}"|"@${tag}"`, "--", ...tests], {
      cwd: root,
      encoding: "utf8",
    });
    expect(tagged.trim().split("\n").sort()).toEqual([...partlyInAll].sort());
  });
});
