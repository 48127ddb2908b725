// Ordering of rows with equal times: every query that orders by time has a second key, so that the newest row or the page is well defined.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const folder = fileURLToPath(new URL(".", import.meta.url));

/** Exempt: samples of thousands of rows for a median or a count, and times read on their own, where the choice among equal rows does not show. */
const aggregates: readonly string[] = [
  "audit-log/list-audit.ts",
  "cleaning/step-durations.ts",
  "fleet/expected-back.ts",
  "fleet/failures-over-time.ts",
  "fleet/returns.ts",
  "fleet/trends.ts",
];

const byTimeAlone = [
  // Prisma
  /orderBy: \{ (?:at|\w+At): "(?:asc|desc)" \}/,
  // SQL, in lists with a limit
  /ORDER BY (?:\w+\.)?(?:at|\w+_at)(?: DESC| ASC)?\s+LIMIT/,
  // the SQL builder
  /\.orderBy\("(?:\w+\.)?\w+_at"(?:, "\w+")?\)(?!\s*\.orderBy)/,
];

it("every list by time has a second key", () => {
  const found = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !/test\.ts$|testing\//.test(path))
    .filter((path) => {
      const text = readFileSync(join(folder, path), "utf8");
      return byTimeAlone.some((pattern) => pattern.test(text));
    });
  expect(found.sort()).toEqual(aggregates);
});
