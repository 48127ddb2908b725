// `npm run test:mutation`: takes each safety check out of a copy of the source in turn; its tests must then fail. Arguments: words that a check's name must contain.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { Client } from "pg";
import { root } from "./folders.mjs";
import { startEphemeral } from "./postgres/ephemeral.mjs";
import { runTests } from "./testing/mutant-tests.mjs";
import { mutants } from "./testing/mutants.mjs";

/** @typedef {import("./testing/mutants.mjs").Mutant} Mutant */
/** @typedef {{ state: "found" | "SURVIVED" | "BROKEN", detail: string, ms: number }} Verdict */

const leftOut = new Set(["node_modules", ".git", ".next", ".reclaim", "dist", "test-results", "playwright-report", "coverage", "docs", "e2e"]);
/** Each copy is one worker; more than there are processors only makes tests late. */
const copies = Math.max(1, Math.min(4, availableParallelism()));

/** Without its check a loop may never end; that is a failure, too. */
const longestMs = 180_000;
/** All chosen files one after another, on a machine that may be slow. */
const longestBaselineMs = 900_000;
/** After so many checks a line says how far it is. */
const progressEvery = 20;

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

/** @param {readonly import("./testing/mutant-tests.mjs").Failure[]} failures */
const inOneLine = (failures) => failures.map(({ name, message }) => `${name}: ${message}`).join("; ").replace(/\s+/g, " ").slice(0, 600) || "no test ran";

/**
 * The tests with every check in place: once more when one failed, because the second run tells chance from a fault. Both failures are shown.
 * @param {string} copy
 * @param {Mutant["project"]} project
 * @param {readonly string[]} tests
 * @param {string} databaseUrl
 * @returns {Promise<void>} throws when they fail twice
 */
async function runBaseline(copy, project, tests, databaseUrl) {
  for (const last of [false, true]) {
    const began = Date.now();
    const { ran, failures, broken } = await runTests({ copy, project, tests, databaseUrl, limitMs: longestBaselineMs, signal: interruption.signal });
    const seconds = Math.round((Date.now() - began) / 1000);
    const wrong = [...failures, ...broken];
    if (ran > 0 && wrong.length === 0) return console.log(`with every check in place ${ran} ${project} tests pass, in ${seconds} s`);
    console.error(`\nwith every check in place the ${project} tests do not pass (${last ? "second" : "first"} of two tries, ${seconds} s):`);
    for (const { name, message } of wrong) console.error(`  ${name}\n${message.replace(/^/gm, "    ")}`);
    if (ran === 0) console.error("  no test ran");
  }
  throw new Error(`the ${project} tests do not pass with every check in place`);
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
    const { ran, failures, broken } = await runTests({ copy, project: mutant.project, tests: mutant.tests, only: mutant.only, databaseUrl, limitMs: longestMs, signal: interruption.signal });
    const ms = Date.now() - began;
    const [failure] = failures;
    if (failure !== undefined) return { state: "found", detail: failure.name, ms };
    // Nothing ran: what was put in does not even load, so it shows nothing about the check.
    if (ran === 0 || broken.length > 0) return { state: "BROKEN", detail: inOneLine(broken), ms };
    return { state: "SURVIVED", detail: `${ran} tests passed without it`, ms };
  } finally {
    writeFileSync(path, original);
  }
}

/** @param {string} url @param {(client: Client) => Promise<string[]>} work */
async function onServer(url, work) {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined); // what is asked on it fails by itself
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
      await runBaseline(places[0] ?? root, project, tests, databaseUrl);
    }
    /** @type {Map<Mutant, Verdict>} */
    const verdicts = new Map();
    const waiting = [...chosen];
    await Promise.all(places.map(async (copy) => {
      for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
        interruption.signal.throwIfAborted();
        let verdict = await judge(copy, mutant, databaseUrl);
        // A test that has to meet a moment may miss it on a busy machine; its preparation may be late there, too.
        for (let again = 0; again < 2 && verdict.state !== "found"; again += 1) verdict = await judge(copy, mutant, databaseUrl);
        verdicts.set(mutant, verdict);
        if (verdict.state !== "found") console.log(`${verdict.state}: ${mutant.check}`);
        if (verdicts.size % progressEvery === 0) console.log(`${verdicts.size} of ${chosen.length} checks judged, after ${Math.round((Date.now() - began) / 1000)} s`);
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
