// Rows of one moment: what orders rows by a time has a second key, so that which one is the newest, or on a page, is not chance.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const folder = fileURLToPath(new URL(".", import.meta.url));

/** Samples of thousands of rows, of which a median or a count is made, and a time that is read alone: which rows of one moment are in does not show. */
const aggregates: readonly string[] = [
  "audit/list-audit.ts",
  "cleaning/step-durations.ts",
  "fleet/expected-back.ts",
  "fleet/failures-over-time.ts",
  "fleet/returns.ts",
  "fleet/trends.ts",
];

const byTimeAlone = [
  // Prisma
  /orderBy: \{ (?:at|\w+At): "(?:asc|desc)" \}/,
  // SQL, of lists that are cut
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
