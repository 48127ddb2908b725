// Entry point of `npm run bench`: measures on its own processes and database, prints the result, and records it on request. Run by scripts/bench.mjs.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "@/scripts/folders.mjs";
import { commitRates } from "@/bench/release/commit-rate";
import { consoleHosts, measureConsole } from "@/bench/console/console";
import { auditEvents, measureAudit } from "@/bench/audit/audit";
import { openDatabase } from "@/bench/scale/database";
import type { BenchDatabase } from "@/bench/scale/database";
import { guardHosts, measureGuard } from "@/bench/guard/guard";
import { isWithin } from "@/bench/figures";
import type { Section } from "@/bench/figures";
import { circumstances, load, record, resultText } from "@/bench/history";
import type { Result } from "@/bench/history";
import { measureIronic } from "@/bench/ironic/ironic";
import { measureLatency } from "@/bench/latency/latency";
import { enrolHosts, measureEnrolment } from "@/bench/enrol/enrol";
import { parseOptions, usage, UsageError } from "@/bench/options";
import type { Options } from "@/bench/options";
import { readPlan } from "@/bench/release/plan";
import type { Plan } from "@/bench/release/plan";
import { prepareFleet, readLogins } from "@/bench/release/prepare-fleet";
import { measureRelease } from "@/bench/release/release";
import { costSection, releaseSections } from "@/bench/release/release-report";
import { measureScale } from "@/bench/scale/scale";
import { startSystem } from "@/bench/system";

const say = (words: string) => process.stderr.write(`  ${words}\n`);

interface Outcome {
  readonly setting: readonly string[];
  readonly sections: readonly Section[];
}

function planLines(plan: Plan): readonly string[] {
  const { validationTests, samplesPerDevice, markersPerDevice } = plan.policy;
  const hardware =
    plan.simulatorSpeed >= 100_000
      ? "hardware takes no time"
      : `hardware ${plan.simulatorSpeed} times as fast as real`;
  return [
    `Plan \`${plan.name}\` (${plan.digest}), \`bench/plan.json\`: ${hardware}; ${samplesPerDevice} samples and ${markersPerDevice} markers per device; tests ${validationTests.join(", ")}; ${plan.baselines ? "with" : "without"} baselines.`,
    `Simulated fleet of seed ${plan.fleetSeed}: of five hosts two Dell, two Lenovo, one generic, with the drives of their models.`,
  ];
}

async function release(
  options: Options,
  plan: Plan,
  database: BenchDatabase,
  signal: AbortSignal,
): Promise<Outcome> {
  const hosts = options.hosts ?? plan.hosts;
  const profiles = options.profile ? join(root, ".reclaim", "bench") : null;
  if (profiles !== null) mkdirSync(profiles, { recursive: true });
  say(`starting simulator, controller and web for ${hosts} hosts`);
  const system = await startSystem({ database, plan, hosts, profiles, signal });
  try {
    const instances = await prepareFleet(database.client, system, plan, hosts, signal, say);
    say(`releasing ${instances.length} instances`);
    const measured = await measureRelease(
      database,
      system,
      plan,
      readLogins(system.demoLogins),
      instances,
      signal,
    );
    say("measuring PostgreSQL's own commit rate");
    const rates = await commitRates(database, plan.commitRate);
    const costs = options.statements ? [costSection(measured.costs, measured.hosts)] : [];
    if (profiles !== null) say(`profiles, of the whole run, are written to ${profiles}`);
    return {
      setting: [
        ...planLines(plan),
        `${hosts} hosts, all released at once over ${plan.releaseConnections} connections; every record was checked to be complete.`,
      ],
      sections: [...releaseSections(measured, rates), ...costs],
    };
  } finally {
    await system.stop();
  }
}

async function outcome(
  options: Options,
  plan: Plan,
  database: BenchDatabase,
  signal: AbortSignal,
): Promise<Outcome> {
  if (options.scale) return measureScale(plan, database, signal, say);
  if (options.console) return measureConsole(plan, database, options.hosts ?? consoleHosts, signal, say);
  if (options.audit) return measureAudit(plan, database, options.events ?? auditEvents, signal, say);
  if (options.enrol) return measureEnrolment(plan, database, options.hosts ?? enrolHosts, signal, say);
  if (options.latency) return measureLatency(plan, database, signal, say);
  if (options.ironic) return measureIronic(options, plan, database, signal, say);
  if (options.guard !== null)
    return measureGuard(options.guard, { plan, hosts: options.hosts ?? guardHosts, signal, say }, database);
  return release(options, plan, database, signal);
}

async function measure(options: Options, signal: AbortSignal): Promise<Result> {
  const plan = readPlan(options.baselines);
  const loadBefore = load();
  say("starting the database");
  const database = await openDatabase(process.env.DATABASE_URL);
  try {
    const { setting, sections } = await outcome(options, plan, database, signal);
    const asked = [
      ...(["scale", "latency", "ironic", "console", "enrol", "audit"] as const).flatMap((name) =>
        options[name] ? [`--${name}`] : [],
      ),
      ...(options.baselines ? ["--baselines"] : []),
      ...(options.guard === null ? [] : [`--guard ${options.guard}`]),
      ...(options.hosts === null ? [] : [`--hosts ${options.hosts}`]),
      ...(options.events === null ? [] : [`--events ${options.events}`]),
    ];
    return {
      command: ["npm run bench", ...(asked.length === 0 ? [] : ["--", ...asked])].join(" "),
      circumstances: circumstances(database.version, loadBefore),
      setting: [`Database: ${database.where}.`, ...setting],
      sections,
    };
  } finally {
    await database.close();
  }
}

async function main(): Promise<number> {
  // The reader of our output may go away before we are done; we must still stop what we started.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  const interruption = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => interruption.abort(new Error("interrupted")));
  try {
    const options = parseOptions(process.argv.slice(2));
    if (options.help) {
      console.log(usage);
      return 0;
    }
    const result = await measure(options, interruption.signal);
    console.log(options.json ? JSON.stringify(result, null, 2) : `\n${resultText(result)}`);
    if (options.record) record(result);
    const missed = result.sections
      .flatMap(({ figures }) => figures)
      .filter((figure) => isWithin(figure) === false);
    say(missed.length === 0 ? "every budget holds" : `missed: ${missed.map(({ name }) => name).join(", ")}`);
    return options.guard !== null && missed.length > 0 ? 1 : 0;
  } catch (error) {
    process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
    if (error instanceof UsageError) process.stderr.write("npm run bench -- --help  shows the options.\n");
    return error instanceof UsageError ? 2 : 1;
  }
}

process.exit(await main());
