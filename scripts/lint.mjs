// `npm run lint`: every check that needs no running system, with one line of output each.
import { availableParallelism, freemem } from "node:os";
import { join } from "node:path";
import { checkCitations } from "./checks/citations.mjs";
import { checkDependencies } from "./checks/dependencies.mjs";
import { checkFiles } from "./checks/files.mjs";
import { checkLock } from "./checks/lock.mjs";
import { checkMigrations } from "./checks/migrations.mjs";
import { checkModules } from "./checks/modules.mjs";
import { checkProcessState } from "./checks/process-state.mjs";
import { checkSafetyChecks } from "./checks/safety-checks.mjs";
import { checkStyles } from "./checks/styles.mjs";
import { pinnedNode, root } from "./folders.mjs";
import { CommandFailed, run } from "./setup/command.mjs";
import { generate, needsGenerate } from "./setup/outputs.mjs";

/** @typedef {{ problems: string[], summary: string }} Outcome */

/**
 * tsgolint is a Go program that keeps almost everything it allocates: garbage collection took a sixth of its time (docs/adr/0035-cheap-tests.md).
 * With this memory limit it collects only beyond a tenth more than it needs today. If twice that much is not free, it keeps Go's defaults.
 */
const enough = 7 * 2 ** 30;
/** It has a type checker for each of these, and each derives again what the others have: one takes a quarter less processor time than two. */
const checkers = Math.ceil(availableParallelism() / 4);
const go = {
  GOMAXPROCS: String(checkers),
  ...(freemem() < 2 * enough ? {} : { GOGC: "off", GOMEMLIMIT: String(enough) }),
};

/** Ending lint also ends its programs. */
const interruption = new AbortController();
for (const name of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]))
  process.once(name, () => interruption.abort());

/**
 * @param {string} program below node_modules
 * @param {string[]} args
 * @returns {Promise<Outcome>}
 */
async function tool(program, ...args) {
  try {
    const options = { name: program, env: go, signal: interruption.signal };
    await run(pinnedNode, [join(root, "node_modules", program), ...args], options);
    return { problems: [], summary: "" };
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    return { problems: [error.output.trim() || error.message], summary: "" };
  }
}

/** @type {Record<string, () => Outcome | Promise<Outcome>>} */
const checks = {
  "types and rules (oxlint)": () => tool("oxlint/bin/oxlint"),
  "format (oxfmt)": () => tool("oxfmt/bin/oxfmt", "--check"),
  imports: checkModules,
  "unused code (knip)": () => tool("knip/bin/knip.js", "--no-progress"),
  "files (house habits)": checkFiles,
  "one per process": () => checkProcessState(),
  "safety checks": () => checkSafetyChecks(),
  "class names": checkStyles,
  migrations: checkMigrations,
  "lock file": checkLock,
  "reasons for dependencies": checkDependencies,
  "links and citations": () => checkCitations(),
};

if (needsGenerate()) await generate();
/** @type {Map<string, Outcome>} */
const outcomes = new Map();
const waiting = Object.entries(checks);
// Two at a time: the smallest machine has two cores.
await Promise.all(
  [0, 1].map(async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (interruption.signal.aborted) break; // some checks run in this process and cannot be ended
      outcomes.set(next[0], await next[1]());
    }
  }),
);

let failed = 0;
for (const name of Object.keys(checks)) {
  const { problems, summary } = outcomes.get(name) ?? { problems: ["did not run"], summary: "" };
  if (problems.length > 0) {
    failed += 1;
    console.log(`\n✗ ${name}\n${problems.join("\n")}\n`);
  } else console.log(`✓ ${name}${summary === "" ? "" : `: ${summary}`}`);
}
console.log(
  failed === 0 ? `lint: ${outcomes.size} checks passed` : `lint: ${failed} of ${outcomes.size} checks failed`,
);
process.exit(failed === 0 ? 0 : 1);
