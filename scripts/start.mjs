// `npm start`: from a bare checkout to a running system, which it then supervises until Ctrl-C. Plain Node 18 or later.
import { chmodSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { childEnvironments } from "./child-environments.mjs";
import { nodeOptions, pinnedNode, root, stateFiles } from "./folders.mjs";
import { chooseDatabase, startEmbedded } from "./postgres/embedded.mjs";
import { run } from "./setup/command.mjs";
import { chooseFleet } from "./setup/fleet.mjs";
import { install, needsInstall } from "./setup/install.mjs";
import { maySeed } from "./setup/may-seed.mjs";
import { generate, needsBuild, needsGenerate, runBuild } from "./setup/outputs.mjs";
import { step } from "./setup/progress.mjs";
import { beginLivingDemo } from "./setup/living-demo.mjs";
import { embeddedDatabases, givenDatabases, migrateWithRoles } from "./setup/roles.mjs";
import { loadSecrets } from "./setup/secrets.mjs";
import { parseOptions, usage, UsageError } from "./start-options.mjs";
import { Child } from "./supervise/child.mjs";
import { knownProcess } from "./supervise/identity.mjs";
import { watchLauncher } from "./supervise/launcher.mjs";
import { rotateLogs } from "./supervise/logs.mjs";
import { healthOf } from "./supervise/health.mjs";
import { answers, portProblem } from "./supervise/ports.mjs";
import { recordRun, takeOver } from "./supervise/run-file.mjs";

const say = (/** @type {string} */ message) => console.log(message);
const interruption = new AbortController();
/** What is running, in the order in which it was started. @type {{ stop: () => Promise<void> | void, kill?: () => void }[]} */
const running = [];

// A terminal or pipe that has gone away must not keep us from stopping things.
process.stdout.on("error", () => undefined);
process.stderr.on("error", () => undefined);

/** @typedef {ReturnType<typeof stateFiles>} Files */

for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
  process.on(signal, () => {
    if (interruption.signal.aborted) for (const each of running) each.kill?.(); // second signal: kill at once
    else say("\nStopping …");
    interruption.abort();
  });
}

/**
 * Waits until a child is ready. A child that keeps dying before that will not recover by itself.
 * @param {Child} child
 * @param {() => Promise<boolean>} isReady
 */
async function readyOf(child, isReady) {
  const until = Date.now() + 120_000;
  while (!(await isReady())) {
    interruption.signal.throwIfAborted();
    if (child.deaths >= 3 || Date.now() > until) {
      throw new Error(`the ${child.name} does not start. It says:\n${child.lastWords() || "nothing"}`);
    }
    await new Promise((done) => setTimeout(done, 100));
  }
}

/**
 * Makes sure that the folder is ours, the port is free, and everything that the programs need is installed and built.
 * @param {import("./start-options.mjs").Options} options
 * @param {Files} files
 */
async function prepare(options, files) {
  const { signal } = interruption;
  mkdirSync(files.logs, { recursive: true });
  chmodSync(files.folder, 0o711); // the database's account must be able to pass through; secret files in it have mode 0600
  const left = await takeOver(files.run);
  if (left.length > 0) say(`  Stopped what an earlier start had left running: ${left.join(", ")}`);
  rotateLogs(files.logs);
  const portTaken = await portProblem(options.port);
  if (portTaken)
    throw new UsageError(
      `port ${options.port} ${portTaken}: choose another with  npm start -- --port ${options.port + 1}`,
    );
  if (needsInstall()) await step("Installing packages", () => install(signal));
  signal.throwIfAborted();
  if (needsGenerate()) await step("Generating the database client", () => generate(signal));
  if (needsBuild()) await step("Building", () => runBuild(signal));
  signal.throwIfAborted();
}

/**
 * Starts the bundled database, or finds the one of an earlier start.
 * @param {Files} files
 * @param {string} password
 * @param {(error: unknown) => void} breakDown
 * @returns {Promise<string>} its URL
 */
async function startDatabase(files, password, breakDown) {
  const database = await step(
    "Starting the database",
    () => startEmbedded(files, password),
    ({ reused }) => (reused ? "done (it was still running)" : "done"),
  );
  running.push({ stop: database.stop });
  running.push({ stop: database.watch({ say, lost: breakDown }) });
  if (database.elsewhere !== undefined)
    say(
      `  (Its files are in ${database.elsewhere}: the account that PostgreSQL runs as cannot go into this folder.)`,
    );
  return database.url;
}

/**
 * @param {Files} files
 * @param {import("./setup/secrets.mjs").Secrets} secrets
 * @param {(error: unknown) => void} breakDown
 */
async function openDatabases(files, secrets, breakDown) {
  const given = process.env["DATABASE_URL"];
  return given
    ? givenDatabases(given, process.env)
    : embeddedDatabases(await startDatabase(files, secrets.databasePassword, breakDown), secrets);
}

/** @param {string} name */
const program = (name) => [...nodeOptions, join(root, "dist", name)];

/** @param {Files} files @param {import("./start-options.mjs").Options} options */
async function freeFleet(files, options) {
  const fleet = await chooseFleet(files, options);
  const taken = fleet === undefined ? undefined : await portProblem(fleet.port);
  if (fleet && taken)
    throw new Error(`port ${fleet.port}, which the addresses of the simulated BMCs contain, ${taken}`);
  return fleet;
}

/**
 * @param {import("./start-options.mjs").Options} options
 * @param {(error: unknown) => void} breakDown called later, if something fails beyond repair
 */
async function start(options, breakDown) {
  const { signal } = interruption;
  const files = stateFiles(options.data);
  await prepare(options, files);
  const secrets = loadSecrets(files);
  chooseDatabase(files, secrets.databasePassword, Boolean(process.env["DATABASE_URL"]));
  const isNew = !existsSync(files.fleet);
  const fleet = await freeFleet(files, options);
  const url = `http://localhost:${options.port}`;
  const databases = await openDatabases(files, secrets, breakDown);
  signal.throwIfAborted();
  const environments = childEnvironments({
    env: process.env,
    databases,
    url,
    options,
    secrets,
    fleet,
    files,
  });
  // Before anything is changed: a database that is in use with another key, or that is not the demo's, is left alone.
  const seeds = await maySeed([...program("seed.js"), "check"], environments.seed, signal).catch((error) => {
    if (isNew) rmSync(files.fleet, { force: true }); // a refused choice must not bind the next start
    throw error;
  });
  await step(
    "Migrating the database",
    () => migrateWithRoles(databases),
    (count) => (count === 0 ? "nothing new" : "done"),
  );
  signal.throwIfAborted();
  const family = new Family(files, url);
  if (fleet) {
    const simulator = family.start("simulator", environments.simulator);
    await step(`Starting ${fleet.hosts} simulated hosts`, () =>
      readyOf(simulator, () => answers(fleet.port)),
    );
  }
  signal.throwIfAborted();
  const server = family.start("server", environments.server, () => healthOf(options.port));
  await step("Starting the server", () =>
    readyOf(server, async () => (await healthOf(options.port)) === "ready"),
  );
  /** @param {string[]} part */
  const seed = (...part) => family.seed(part, environments.seed);
  if (seeds) await step("Creating people and site", () => seed("begin"));
  const rotation = setInterval(() => rotateLogs(files.logs), 60_000);
  running.push({ stop: () => clearInterval(rotation) });
  const logins = seeds
    ? `\n  Demo logins: ${files.demoLogins}`
    : "\n  The database has people and sites of its own: no demo data was added.";
  say(`\nReclaim is running: ${url}${logins}\n  Logs: ${files.logs}\n  Ctrl-C stops it.\n`);
  // It uses the same acts as people, so it needs the server; if interrupted, what it has begun continues by itself.
  if (seeds && fleet) await step("Onboarding the simulated fleet", () => seed());
  if (seeds && fleet && options.living) say(await beginLivingDemo(environments.server));
  say("Start-up is complete.");
}

/** The programs that run beside the database. Each change is recorded, so that a start after a kill finds them. */
class Family {
  #files;
  #url;
  /** @type {Child[]} */
  #children = [];
  /** @type {import("./supervise/identity.mjs").KnownProcess | undefined} */
  #seed;

  /** @param {Files} files @param {string} url */
  constructor(files, url) {
    this.#files = files;
    this.#url = url;
  }

  #changed() {
    const members = [...this.#children, { name: "seed", process: this.#seed }];
    recordRun(this.#files.run, {
      url: this.#url,
      children: members.flatMap(({ name, process: known }) =>
        known === undefined ? [] : [{ name, process: known }],
      ),
    });
  }

  /**
   * Starts a program, and restarts it whenever it ends.
   * @param {string} name of the program in dist/
   * @param {Record<string, string | undefined>} env
   * @param {() => Promise<import("./supervise/child.mjs").Health>} [health]
   */
  start(name, env, health) {
    const child = new Child({
      name,
      command: pinnedNode,
      args: program(`${name}.js`),
      env,
      logFile: join(this.#files.logs, `${name}.log`),
      say,
      changed: () => this.#changed(),
      ...(health && { health }),
    });
    this.#children.push(child);
    running.push(child);
    child.start();
    return child;
  }

  /** Runs the seed to its end. @param {string[]} part @param {Record<string, string | undefined>} env */
  seed(part, env) {
    return run(pinnedNode, [...program("seed.js"), ...part], {
      name: "the seed",
      env,
      show: true,
      signal: interruption.signal,
      started: (pid) => {
        this.#seed = pid === undefined ? undefined : knownProcess(pid);
        this.#changed();
      },
    });
  }
}

/** Starts, and returns when asked to stop; throws if it cannot continue. @param {import("./start-options.mjs").Options} options */
async function runUntilStopped(options) {
  /** @type {Promise<void> | undefined} */
  let starting;
  try {
    await new Promise((done, failed) => {
      interruption.signal.addEventListener("abort", () => done(undefined));
      starting = start(options, failed);
      starting.catch(failed);
    });
  } finally {
    interruption.abort(); // nothing else is started from here on
    await starting?.catch(() => undefined); // whatever is being started now is then known and can be stopped
  }
}

/** @returns {Promise<number>} the exit code */
async function main() {
  let code = 0;
  watchLauncher(() => interruption.abort());
  try {
    const options = parseOptions(process.argv.slice(2), process.env);
    if (options.help) say(usage);
    else await runUntilStopped(options);
  } catch (error) {
    console.error(`\n${error instanceof Error ? error.message : String(error)}`);
    if (error instanceof UsageError) console.error("npm start -- --help  shows the options.");
    code = error instanceof UsageError ? 2 : 1;
  }
  const stopped = running.length > 0;
  for (const each of running.reverse()) await each.stop(); // the server before the database that it writes to
  if (stopped) say("Stopped.");
  return code;
}

process.exit(await main());
