// The history of results is appended to, never rewritten.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { circumstances, record } from "@/bench/history";

it("adds a section and leaves what was there", () => {
  const folder = mkdtempSync(join(tmpdir(), "reclaim-history-"));
  try {
    const file = join(folder, "benchmarks.md");
    writeFileSync(file, "# Benchmarks\n");
    const figures = [{ name: "speed", value: 31.25, unit: "hosts/s", budget: { least: 30 } }];
    record(
      {
        command: "npm run bench",
        circumstances: { ...circumstances("18.4", 0.5), at: "2026-11-21T02:03:04.000Z", commit: "abc1234" },
        setting: ["plan p"],
        sections: [{ title: "Release", figures }],
      },
      file,
    );
    const text = readFileSync(file, "utf8");
    expect(text.startsWith("# Benchmarks\n\n## 2026-11-21 02:03 UTC, commit abc1234\n")).toBe(true);
    expect(text).toContain("in the minute before: 0.5.");
    expect(text).toContain("- plan p\n");
    expect(text).toMatch(/\| speed +\| +31\.3 \| hosts\/s \| ≥ 30 +\| holds/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
