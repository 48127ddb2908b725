// `npm run test:mutation`: takes each safety check out of a copy of the source in turn; its tests must then fail. Arguments: words that a check's name must contain.
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { Client } from "pg";
import { pinnedNode, root } from "./folders.mjs";
import { startEphemeral } from "./postgres/ephemeral.mjs";
import { mutants } from "./testing/mutants.mjs";

/** @typedef {import("./testing/mutants.mjs").Mutant} Mutant */
/** @typedef {{ state: "found" | "SURVIVED" | "BROKEN", detail: string, ms: number }} Verdict */

const leftOut = new Set(["node_modules", ".git", ".next", ".reclaim", "dist", "test-results", "playwright-report", "coverage", "docs", "e2e"]);
/** Each copy is one worker; more than there are processors only makes tests late. */
const copies = Math.max(1, Math.min(4, availableParallelism()));

/** Without its check a loop may never end; that is a failure, too. */
const longestMs = 180_000;

const folder = mkdtempSync(join(tmpdir(), "reclaim-mutation-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
const interruption = new AbortController();
for (const name of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) process.once(name, () => interruption.abort());

/** @param {number} index */
function makeCopy(index) {
  const copy = join(folder, `copy-${index}`);
  cpSync(root, copy, { recursive: true, filter: (path) => !leftOut.has(relative(root, path).split(sep)[0] ?? "") });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  return copy;
}

/** Text of a file with the check taken out. @param {Mutant} mutant */
function mutated({ file, find, replace }) {
  const text = readFileSync(join(root, file), "utf8");
  const places = text.split(find).length - 1;
  if (places !== 1) throw new Error(`${file}: found ${places} times, not once:\n${find}`);
  return text.replace(find, () => replace);
}

/**
 * @param {string} copy
 * @param {"unit" | "integration"} project
 * @param {readonly string[]} tests
 * @param {string} databaseUrl
 * @param {string} [only] a pattern of names
 * @returns {Promise<{ total: number, failed: number, names: string[], output: string }>}
 */
function runTests(copy, project, tests, databaseUrl, only = "") {
  const report = join(copy, "mutation-report.json");
  rmSync(report, { force: true });
  const vitest = join(copy, "node_modules", "vitest", "vitest.mjs");
  const child = spawn(pinnedNode, [vitest, "run", "--project", project, "--maxWorkers=1", "--bail=1", "--reporter=json", `--outputFile=${report}`, ...(only === "" ? [] : ["--testNamePattern", only]), ...tests], {
    cwd: copy, env: { ...process.env, TEST_DATABASE_URL: databaseUrl }, stdio: ["ignore", "pipe", "pipe"], signal: interruption.signal, timeout: longestMs,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  return new Promise((done, failed) => {
    child.once("error", failed);
    child.once("close", (_code, killedBy) => {
      if (killedBy !== null) return done({ total: 1, failed: 1, names: [`no end within ${longestMs / 1000} s`], output });
      try {
        const { numTotalTests, numPendingTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, "utf8"));
        const names = testResults.flatMap((/** @type {{ assertionResults: { status: string, fullName: string }[] }} */ file) => file.assertionResults.filter(({ status }) => status === "failed").map(({ fullName }) => fullName));
        done({ total: numTotalTests - numPendingTests, failed: numFailedTests, names, output });
      } catch {
        done({ total: 0, failed: 0, names: [], output });
      }
    });
  });
}

/**
 * @param {string} copy
 * @param {Mutant} mutant
 * @param {string} databaseUrl
 * @returns {Promise<Verdict>}
 */
async function judge(copy, mutant, databaseUrl) {
  const began = Date.now();
  const path = join(copy, mutant.file);
  const original = readFileSync(path, "utf8");
  writeFileSync(path, mutated(mutant));
  try {
    const { total, failed, names, output } = await runTests(copy, mutant.project, mutant.tests, databaseUrl, mutant.only);
    const ms = Date.now() - began;
    if (failed > 0) return { state: "found", detail: names[0] ?? "", ms };
    // Nothing ran: what was put in does not even load, so it shows nothing about the check.
    if (total === 0) return { state: "BROKEN", detail: output.trim().split("\n").slice(-6).join(" ").slice(0, 600), ms };
    return { state: "SURVIVED", detail: `${total} tests passed without it`, ms };
  } finally {
    writeFileSync(path, original);
  }
}

/** @param {string} url @param {(client: Client) => Promise<string[]>} work */
async function onServer(url, work) {
  const client = new Client({ connectionString: url });
  await client.connect();
  return work(client).finally(() => client.end());
}

/** @param {Client} client */
const listTemplates = async (client) => (await client.query("SELECT datname FROM pg_database WHERE starts_with(datname, 'reclaim_template_')")).rows.map(({ datname }) => datname);

/** Templates of the integration tests on a server that is not ours to leave things on. @param {string} url */
const templates = (url) => onServer(url, listTemplates);

/** A changed migration makes a template of its own, which nobody needs again. @param {string} url @param {readonly string[]} kept */
const dropTemplates = (url, kept) => onServer(url, async (client) => {
  for (const name of await listTemplates(client)) {
    if (kept.includes(name)) continue;
    await client.query(`ALTER DATABASE ${name} WITH IS_TEMPLATE false`);
    await client.query(`DROP DATABASE ${name}`);
  }
  return [];
});

/** @param {readonly Mutant[]} list @param {Mutant["project"]} project */
const testsOf = (list, project) => [...new Set(list.filter((mutant) => mutant.project === project).flatMap(({ tests }) => tests))];

async function main() {
  const words = process.argv.slice(2);
  const chosen = mutants.filter(({ check }) => words.every((word) => check.includes(word)));
  if (chosen.length === 0) throw new Error("no check has such a name");
  for (const mutant of mutants) mutated(mutant); // a check that was rewritten must not be skipped quietly
  const began = Date.now();
  const given = process.env["TEST_DATABASE_URL"] || process.env["DATABASE_URL"];
  const embedded = given ? undefined : await startEphemeral();
  const databaseUrl = given || (embedded?.url ?? "");
  const before = given ? await templates(given) : [];
  try {
    const places = Array.from({ length: copies }, (_, index) => makeCopy(index));
    for (const project of /** @type {const} */ (["unit", "integration"])) {
      const tests = testsOf(chosen, project);
      if (tests.length === 0) continue;
      const { total, failed, names, output } = await runTests(places[0] ?? root, project, tests, databaseUrl);
      if (total === 0 || failed > 0) throw new Error(`the ${project} tests do not pass with every check in place: ${names.join("; ") || output.slice(-2000)}`);
    }
    /** @type {Map<Mutant, Verdict>} */
    const verdicts = new Map();
    const waiting = [...chosen];
    await Promise.all(places.map(async (copy) => {
      for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
        interruption.signal.throwIfAborted();
        let verdict = await judge(copy, mutant, databaseUrl);
        // A test that has to meet a moment may miss it on a busy machine.
        for (let again = 0; again < 2 && verdict.state === "SURVIVED"; again += 1) verdict = await judge(copy, mutant, databaseUrl);
        verdicts.set(mutant, verdict);
        if (verdict.state !== "found") console.log(`${verdict.state}: ${mutant.check}`);
      }
    }));
    const width = Math.max(...chosen.map(({ check }) => check.length));
    console.log(`\n${"without".padEnd(width)}  ${"verdict".padEnd(8)}     ms  first test that fails`);
    for (const mutant of chosen) {
      const { state, detail, ms } = verdicts.get(mutant) ?? { state: "BROKEN", detail: "not judged", ms: 0 };
      console.log(`${mutant.check.padEnd(width)}  ${state.padEnd(8)}  ${String(ms).padStart(5)}  ${detail}`);
    }
    const bad = chosen.filter((mutant) => verdicts.get(mutant)?.state !== "found").length;
    console.log(`\n${chosen.length - bad} of ${chosen.length} checks are needed by a test, in ${Math.round((Date.now() - began) / 1000)} s`);
    return bad === 0 ? 0 : 1;
  } finally {
    if (given) await dropTemplates(given, before);
    await embedded?.stop();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(interruption.signal.aborted ? "the mutation test was interrupted" : error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
