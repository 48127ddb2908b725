// Which files of a diff have other code than before.
import { expect, it } from "vitest";
import { codeChangedIn } from "@/scripts/testing/changed-files.mjs";

const diff = (file: string, ...lines: string[]) => [
  `--- a/${file}`,
  `+++ b/${file}`,
  "@@ -1 +1 @@",
  ...lines,
];

it.each<readonly [string, boolean, readonly string[]]>([
  ["code", true, ["-const a = 1;", "+const a = 2;"]],
  ["code with a comment behind it", true, ["+const a = 1; // one"]],
  ["the mark of a safety check", true, ["+  // safety: permit: generation"]],
  ["a line taken out", true, ["-  return null;"]],
  ["comments", false, ["-// docs/adr/0036", "+// docs/adr/0035", "+ * and more", "+/** Of a function. */"]],
  ["comments of SQL", false, ["+  -- why"]],
  ["empty lines", false, ["+", "-  "]],
])("%s: %s", (_what, counts, lines) => {
  expect(codeChangedIn(diff("a.ts", ...lines))).toEqual(counts ? ["a.ts"] : []);
});

it("names deleted and new files", () => {
  expect(
    codeChangedIn(["--- a/old.ts", "+++ /dev/null", "-gone", "--- /dev/null", "+++ b/new.ts", "+here"]),
  ).toEqual(["old.ts", "new.ts"]);
});
