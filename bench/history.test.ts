// The history of results is appended to, never rewritten.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { circumstances, record, resultText } from "@/bench/history";

const figures = [{ name: "speed", value: 31.25, unit: "hosts/s", budget: { least: 30 } }];
const result = {
  command: "npm run bench",
  circumstances: { ...circumstances("18.4", 0.5), at: "2026-11-21T02:03:04.000Z", commit: "abc1234" },
  setting: ["plan p"],
  sections: [{ title: "Release", figures }],
};

it("adds a line and leaves what was there", () => {
  const folder = mkdtempSync(join(tmpdir(), "reclaim-history-"));
  try {
    const file = join(folder, "history.jsonl");
    writeFileSync(file, '"earlier"\n');
    record(result, file);
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual(["earlier", result]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("is printed as tables", () => {
  const text = resultText(result);
  expect(text.startsWith("## 2026-11-21 02:03 UTC, commit abc1234\n")).toBe(true);
  expect(text).toContain("in the minute before: 0.5.");
  expect(text).toContain("- plan p\n");
  expect(text).toMatch(/\| speed +\| +31\.3 \| hosts\/s \| ≥ 30 +\| holds/);
});
