// `npm run check`: lint, types and the tests that the change touches, in about three minutes. The change is what differs from `origin/main`.
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { spawnSync } from "node:child_process";
import { pinnedNode, root } from "./folders.mjs";
import { changedHere } from "./testing/changed-files.mjs";
import { onlyInAll } from "./testing/only-in-all.mjs";

/** @param {string} name @param {string[]} args @returns {boolean} whether it passed */
function passes(name, args) {
  console.log(`\n== ${name}`);
  return spawnSync(pinnedNode, args, { cwd: root, stdio: "inherit" }).status === 0;
}

const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const code = changedHere().filter((path) => /\.(tsx?|mjs)$/.test(path) && existsSync(join(root, path)));

/** Tests on a database that changed themselves or stand beside what changed: those that reach it from further away are nearly all. */
function besideTheChange() {
  const beside = [...new Set(code.map(dirname))].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(".itest.ts"))
      .map((name) => join(folder, name)),
  );
  return beside.filter((path) => code.includes(path) || !onlyInAll.includes(path));
}

const results = [passes("lint", [join(root, "scripts", "lint.mjs")])];
if (code.length > 0) {
  results.push(
    passes("unit tests that import what changed", [
      vitest,
      "related",
      "--run",
      "--project",
      "unit",
      "--passWithNoTests",
      ...code,
    ]),
  );
  const files = besideTheChange();
  if (files.length > 0)
    results.push(
      passes("integration tests beside what changed", [vitest, "run", "--project", "integration", ...files]),
    );
}
const good = results.every(Boolean);
console.log(
  `\n${good ? "✓" : "✗"} check of ${code.length} changed files${good ? "" : " has failed"}; \`npm test\` runs everything`,
);
process.exit(good ? 0 : 1);
