// Migrations since the previous release may only add: that release's processes run on the new schema until they are replaced
// (docs/adr/0024-rolling-upgrade.md).
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../folders.mjs";
import { migrations } from "../setup/migrate.mjs";
import { lastMigration } from "../testing/previous-release.mjs";

/** What a statement must not do, and what to do instead. @type {[RegExp, string][]} */
const contractions = [
  [
    /\bDROP\s+(TABLE|COLUMN|TYPE|VIEW|FUNCTION|SCHEMA)\b/i,
    "drops what the previous release may read: drop it one release after nothing uses it",
  ],
  [
    /\bRENAME\s+(TO|COLUMN|CONSTRAINT)\b/i,
    "renames what the previous release knows by its old name: add the new one, and drop the old one a release later",
  ],
  [
    /\bALTER\s+COLUMN\s+"?\w+"?\s+(SET\s+NOT\s+NULL|(SET\s+DATA\s+)?TYPE)\b/i,
    "narrows or changes a column that the previous release writes",
  ],
];

/**
 * Statements that would break the previous release. Comments, strings and function bodies are ignored.
 * @param {string} name
 * @param {string} sql
 * @returns {string[]}
 */
export function contractionsIn(name, sql) {
  const bare = sql
    .replace(/--[^\n]*/g, "")
    .replace(/\$\$.*?\$\$/gs, "")
    .replace(/'(?:[^']|'')*'/g, "''");
  const problems = contractions
    .filter(([pattern]) => pattern.test(bare))
    .map(([, why]) => `prisma/migrations/${name} ${why}`);
  for (const [column = ""] of bare.match(/\bADD\s+COLUMN\s+[^,;]*/gi)?.map((text) => [text]) ?? []) {
    if (/\bNOT\s+NULL\b/i.test(column) && !/\bDEFAULT\b|\bGENERATED\b/i.test(column)) {
      problems.push(
        `prisma/migrations/${name} adds a column that the previous release leaves empty and that may not be: give it a default (${column.trim()})`,
      );
    }
  }
  return problems;
}

/** @returns {{ problems: string[], summary: string }} */
export function checkMigrations() {
  const since = migrations().filter((name) => name > lastMigration);
  const problems = since.flatMap((name) =>
    contractionsIn(name, readFileSync(join(root, "prisma", "migrations", name, "migration.sql"), "utf8")),
  );
  if (!migrations().includes(lastMigration))
    problems.push(`scripts/testing/previous-release.mjs: there is no migration ${lastMigration}`);
  return { problems, summary: `${since.length} since the previous release` };
}
