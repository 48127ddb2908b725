// The lists of test files name files that exist: a file that was moved would otherwise run in another set without a word.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "@/scripts/folders.mjs";
import { browserGroups } from "@/scripts/testing/browser-tests.mjs";
import { inTurns, leftToOthers, turns } from "@/scripts/testing/in-turns.mjs";
import { testFiles } from "@/scripts/testing/changed-files.mjs";
import { longFiles } from "@/scripts/testing/long-files.mjs";
import { onlyInAll, partlyInAll, tag } from "@/scripts/testing/only-in-all.mjs";

describe("lists of test files", () => {
  it("name files that exist", () => {
    const named = [
      ...longFiles,
      ...onlyInAll,
      ...inTurns,
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

describe("tests that take turns", () => {
  const files = testFiles();
  it("have each had theirs after so many commits, and none twice", () => {
    const ran = Array.from({ length: turns }, (_, commit) => {
      const left = new Set(leftToOthers(files, commit, []));
      return files.filter((path) => !left.has(path));
    });
    const always = files.filter((path) => ran.every((paths) => paths.includes(path)));
    const inTurn = ran.flat().filter((path) => !always.includes(path));
    expect([...always, ...inTurn].sort()).toEqual([...files].sort());
    expect(new Set(inTurn).size).toBe(inTurn.length);
    expect(inTurn.length).toBeGreaterThan(turns);
  });
  it("run whose turn it is not if they stand beside something that is not on main yet", () => {
    const [commit, changed] = [0, ["cli/find.ts"]];
    const left = leftToOthers(files, commit, changed);
    expect(left.length).toBeGreaterThan(0);
    expect(left.filter((path) => /^cli\/[^/]*$/.test(path))).toEqual([]);
    expect(leftToOthers(files, commit, []).some((path) => /^cli\/[^/]*$/.test(path))).toBe(true);
  });
  it("are none of what decides about a host or a tenant", () => {
    const subjects = [
      "server/controller/",
      "server/db/",
      "server/jobs/",
      "server/usecases/access/people/",
      "server/usecases/assurance/exceptions/",
      "server/usecases/assurance/approvals/",
      "server/usecases/hosts/",
      "server/usecases/instances/",
      "server/surfaces/machine/agent/",
      "server/surfaces/tenancy",
    ];
    const left = Array.from({ length: turns }, (_, commit) => leftToOthers(files, commit, [])).flat();
    expect(left.filter((path) => subjects.some((subject) => path.startsWith(subject)))).toEqual([]);
  });
});
