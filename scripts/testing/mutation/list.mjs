// All safety checks: those marked in the source, and those that the database itself makes.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../folders.mjs";
import { databaseChecks } from "./database-checks.mjs";
import { instrument } from "./instrument.mjs";
import { known } from "./names.mjs";

/** @typedef {{ name: string, file: string, line: number, kind: "code" | "sql" | "database", isReplaced: boolean }} SafetyCheck */

const folders = ["agent", "cli", "prisma/seed", "server"];

/** @param {string} folder @returns {string[]} files that may contain a safety check */
function sources(folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.(test|itest|spec)\.tsx?$/.test(entry.name),
    )
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + (root.endsWith("/") ? 0 : 1)))
    .filter((path) => !path.startsWith("server/db/generated/"));
}

/**
 * @returns {SafetyCheck[]} in the order of files and lines
 * @throws if a mark is at a place where nothing can be disabled, or if two have the same name
 */
export function safetyChecks() {
  const marked = folders
    .flatMap(sources)
    .sort()
    .flatMap((file) =>
      instrument(file, readFileSync(join(root, file), "utf8"), known.listed.get(file) ?? [])
        .found.sort((a, b) => a.line - b.line)
        .map(({ name, line, isSql, isReplaced }) => ({
          name,
          file,
          line,
          kind: /** @type {"code" | "sql"} */ (isSql ? "sql" : "code"),
          isReplaced,
        })),
    );
  const all = [
    ...marked,
    ...databaseChecks.map(({ name }) => ({
      name,
      file: "the database",
      line: 0,
      kind: /** @type {const} */ ("database"),
      isReplaced: false,
    })),
  ];
  const names = new Set();
  for (const { name, file, line } of all) {
    if (names.has(name)) throw new Error(`${file}:${line}: another safety check is named "${name}"`);
    names.add(name);
  }
  return all;
}
