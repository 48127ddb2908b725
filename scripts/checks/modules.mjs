// Runs dependency-cruiser, and verifies that it has read every source file: it also says "no violations" if it reads none.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pinnedNode, root } from "../folders.mjs";
import { sourceFiles } from "./source-files.mjs";

const places = [
  "app",
  "components",
  "server",
  "agent",
  "cli",
  "prisma",
  "e2e",
  "bench",
  "scripts",
  "proxy.ts",
  "instrumentation.ts",
];

/**
 * @param {string} [checkout]
 * @returns {{ problems: string[], summary: string }}
 */
export function checkModules(checkout = root) {
  const cruise = spawnSync(
    pinnedNode,
    [
      join(root, "node_modules", "dependency-cruiser", "bin", "dependency-cruise.mjs"),
      "--config",
      join(root, ".dependency-cruiser.cjs"),
      "--output-type",
      "json",
      ...places.filter((place) => existsSync(join(checkout, place))),
    ],
    { cwd: checkout, encoding: "utf8", maxBuffer: 256 * 1024 * 1024 },
  );
  if (!cruise.stdout.startsWith("{"))
    return { problems: [`dependency-cruiser failed: ${cruise.stderr || cruise.stdout}`], summary: "" };
  const { modules, summary } = JSON.parse(cruise.stdout);
  /** @type {string[]} */
  const problems = summary.violations.map(
    (/** @type {{ rule: { name: string }, from: string, to: string }} */ { rule, from, to }) =>
      `${rule.name}: ${from} → ${to}`,
  );
  const read = new Set(modules.map((/** @type {{ source: string }} */ { source }) => source));
  const sources = sourceFiles(checkout).filter((path) =>
    places.some((place) => path === place || path.startsWith(`${place}/`)),
  );
  const missed = sources.filter((path) => !read.has(path));
  if (sources.length === 0) problems.push("found no source files");
  if (missed.length > 0)
    problems.push(
      `not read by dependency-cruiser: ${missed.slice(0, 10).join(", ")}${missed.length > 10 ? " …" : ""} (${missed.length})`,
    );
  return { problems, summary: `${sources.length} files, ${summary.totalDependenciesCruised} imports` };
}
