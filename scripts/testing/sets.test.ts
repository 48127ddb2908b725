// The lists of test files name files that exist: a file that was moved would otherwise run in another set without a word.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "@/scripts/folders.mjs";
import { browserGroups } from "@/scripts/testing/browser-tests.mjs";
import { longFiles } from "@/scripts/testing/longest-first.mjs";
import { onlyInAll } from "@/scripts/testing/only-in-all.mjs";

describe("lists of test files", () => {
  it("name files that exist", () => {
    const named = [
      ...longFiles,
      ...onlyInAll,
      ...browserGroups().flatMap((names) => names.map((name) => `e2e/${name}`)),
    ];
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
  it("put each browser test in one group", () => {
    const names = browserGroups().flat();
    expect(new Set(names).size).toBe(names.length);
  });
});
