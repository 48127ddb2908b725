// `npm run fleet`: machines to try Reclaim on, unknown to it. Their BMCs and their network controller are reached over HTTP, like real ones
// (docs/enrolment.md#machines-to-try-it-with). Plain Node.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { nodeOptions, pinnedNode, root } from "./folders.mjs";
import { install, needsInstall } from "./setup/install.mjs";
import { generate, needsBuild, needsGenerate, runBuild } from "./setup/outputs.mjs";
import { step } from "./setup/progress.mjs";
import { defaultSpeed, UsageError, whole } from "./start-options.mjs";
import { readState, writeState } from "./state-file.mjs";
import { answers, freePort, portProblem } from "./supervise/ports.mjs";

const usage = `npm run fleet -- [options]

  --hosts N     simulated machines (10); later starts may give more
  --server URL  where they boot from and their agents report to (http://127.0.0.1:3000)
  --site NAME   of the site in the document (a)
  --speed S     how many times faster than real hardware (${defaultSpeed})
  --seed X      which machines: the same number gives the same ones (7)
  --data DIR    folder for the document, the list of hosts and the secrets (.reclaim-fleet)
  --help        this text`;

/** @typedef {{ hosts: number, seed: number, port: number, bmcPassword: string, networkToken: string, controlToken: string }} Known */

/** @param {string[]} args */
function readOptions(args) {
  const text = /** @type {const} */ ({ type: "string" });
  let given;
  try {
    given = parseArgs({
      args,
      options: {
        hosts: text,
        server: text,
        site: text,
        speed: text,
        seed: text,
        data: text,
        help: { type: "boolean" },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  const server = given.server ?? "http://127.0.0.1:3000";
  if (!/^https?:\/\/\S+$/.test(server))
    throw new UsageError("--server must be an address such as http://127.0.0.1:3000");
  return {
    hosts: whole("--hosts", given.hosts, 1, 10_000),
    server,
    site: given.site ?? "a",
    speed: whole("--speed", given.speed, 1, 100_000) ?? defaultSpeed,
    seed: whole("--seed", given.seed, 0, 4_294_967_295),
    folder: resolve(given.data ?? join(root, ".reclaim-fleet")),
    help: given.help === true,
  };
}
/** @typedef {ReturnType<typeof readOptions>} Options */

/**
 * The same machines at every start, because somebody's database holds their serial numbers and addresses.
 * @param {Options} options
 * @returns {Promise<Known>}
 */
async function chooseFleet({ folder, hosts, seed }) {
  const file = join(folder, "fleet.json");
  const known = /** @type {Known | undefined} */ (readState(file));
  if (known !== undefined && ((seed ?? known.seed) !== known.seed || (hosts ?? known.hosts) < known.hosts))
    throw new UsageError(
      `${folder} has ${known.hosts} machines of seed ${known.seed}, and can only grow; for others use another folder: --data DIR`,
    );
  const token = () => randomBytes(24).toString("base64url");
  const fleet =
    known === undefined
      ? {
          hosts: hosts ?? 10,
          seed: seed ?? 7,
          port: await freePort(),
          bmcPassword: token(),
          networkToken: token(),
          controlToken: token(),
        }
      : { ...known, hosts: hosts ?? known.hosts };
  writeState(file, fleet);
  return fleet;
}

/**
 * @param {Options} options
 * @param {Known} fleet
 * @returns {NodeJS.ProcessEnv}
 */
const environment = ({ folder, server, speed }, fleet) => ({
  NODE_ENV: "production",
  PATH: process.env["PATH"],
  RECLAIM_LOG_LEVEL: process.env["RECLAIM_LOG_LEVEL"],
  RECLAIM_SIM_PORT: String(fleet.port),
  RECLAIM_SIM_HOSTS: String(fleet.hosts),
  RECLAIM_SIM_SEED: String(fleet.seed),
  RECLAIM_SIM_SPEED: String(speed),
  RECLAIM_SIM_BOOT_CARDS: "0",
  RECLAIM_SIM_BMC_PASSWORD: fleet.bmcPassword,
  RECLAIM_SIM_NETWORK_TOKEN: fleet.networkToken,
  RECLAIM_SIM_CONTROL_TOKEN: fleet.controlToken,
  RECLAIM_SIM_STATE: join(folder, "machines.jsonl"),
  RECLAIM_SIM_CONTROLLER_URL: server,
});

/** @param {Known} fleet */
const networkUrl = ({ port }) => `http://network.localhost:${port}`;

/** @param {string} site @param {Known} fleet */
const documentOf = (site, fleet) => `# For these machines: reclaim site apply -f site.yaml
format: 1
site: ${JSON.stringify(site)}
networkController:
  url: ${networkUrl(fleet)}
  token: { fromFile: network.token }
  acknowledgementToken: { fromFile: network.token }
policy:
  # Reclaim cannot check the first two yet: if required, they hold every host. This fleet has no health sources and no procedures.
  requires: { platformAtBaseline: false, deviceMemoryCleared: false, attestationPassed: false, healthy: false, assuranceSigned: false }
`;

/**
 * The CSV to enrol: each BMC's address, and what must acknowledge its network. It says nothing else about the machines.
 * @param {Known} fleet
 */
async function listOf({ port, controlToken }) {
  const answer = await fetch(`http://127.0.0.1:${port}/control/fleet`, {
    headers: { authorization: `Bearer ${controlToken}` },
  });
  if (!answer.ok) throw new Error(`the simulated machines cannot be listed: HTTP ${answer.status}`);
  /** @type {{ hosts: { name: string, rack: string, slot: string, networkInterfaces: string[], bmc: { address: string } }[] }} */
  const { hosts } = await answer.json();
  const lines = hosts.map(({ name, bmc, rack, slot, networkInterfaces }) =>
    [name, bmc.address, rack, slot, networkInterfaces.join(";")].join(","),
  );
  return `${["name,bmc_address,rack,slot,network_interfaces", ...lines].join("\n")}\n`;
}

/** @param {Options} options @param {Known} fleet */
async function writeFiles({ folder, site }, fleet) {
  const secret = { mode: 0o600 };
  writeFileSync(join(folder, "bmc.password"), `${fleet.bmcPassword}\n`, secret);
  writeFileSync(join(folder, "network.token"), `${fleet.networkToken}\n`, secret);
  // Users may edit both, so they are not overwritten.
  if (!existsSync(join(folder, "site.yaml")))
    writeFileSync(join(folder, "site.yaml"), documentOf(site, fleet));
  writeFileSync(join(folder, "hosts.csv"), await listOf(fleet));
}

/** @param {Options} options */
async function serve(options) {
  mkdirSync(options.folder, { recursive: true, mode: 0o700 });
  if (needsInstall()) await step("Installing packages", () => install());
  if (needsGenerate()) await step("Generating the database client", () => generate());
  if (needsBuild()) await step("Building", () => runBuild());
  const fleet = await chooseFleet(options);
  const taken = await portProblem(fleet.port);
  if (taken) throw new Error(`port ${fleet.port}, which the addresses of the BMCs contain, ${taken}`);
  const machines = spawn(pinnedNode, [...nodeOptions, join(root, "dist", "simulator.js")], {
    env: environment(options, fleet),
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(machines, "exit");
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]))
    process.on(signal, () => machines.kill("SIGTERM"));
  while (machines.exitCode === null && !(await answers(fleet.port)))
    await new Promise((done) => setTimeout(done, 100));
  if (machines.exitCode === null) {
    await writeFiles(options, fleet);
    console.log(`
${fleet.hosts} simulated machines are running; they report to ${options.server}. Reclaim must be allowed to reach them:
  RECLAIM_BMC_NETWORKS=loopback npm start -- --empty
Then, in ${options.folder}:
  reclaim site apply -f site.yaml --reason "machines to try"
  reclaim hosts enroll --file hosts.csv --bmc-username reclaim --bmc-password-from file:bmc.password --accept-first-contact
Or in the console: Settings, Site: network controller ${networkUrl(fleet)}, both tokens from network.token;
  Policy: required gates off; Hosts, Enrol hosts, CSV file: hosts.csv, BMC user reclaim, password from bmc.password.
Ctrl-C stops them.
`);
  }
  const [code] = await ended;
  return code === null || code === 0 ? 0 : 1;
}

async function main() {
  try {
    const options = readOptions(process.argv.slice(2));
    if (!options.help) return await serve(options);
    console.log(usage);
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    if (error instanceof UsageError) console.error("npm run fleet -- --help  shows the options.");
    return error instanceof UsageError ? 2 : 1;
  }
}

process.exit(await main());
