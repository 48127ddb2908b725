// `npm run test:ironic`: runs the real `baremetal` command, openstacksdk and Ansible against a Reclaim that it starts on a fresh database, or, with
// `-- --url http://… --logins demo-logins.json`, against a running one, which it modifies.
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startEphemeral } from "./postgres/ephemeral.mjs";
import { needsInstall, install } from "./setup/install.mjs";
import { generate, needsBuild, needsGenerate, runBuild } from "./setup/outputs.mjs";
import { Client, clientVersion } from "./testing/ironic/client.mjs";
import { Commands } from "./testing/ironic/commands.mjs";
import { documented, documentedClients } from "./testing/ironic/documented.mjs";
import { instances } from "./testing/ironic/instances.mjs";
import { nodes, nodesEnd } from "./testing/ironic/nodes.mjs";
import { power } from "./testing/ironic/power.mjs";
import { provisioning } from "./testing/ironic/provisioning.mjs";
import { services } from "./testing/ironic/services.mjs";
import { startSystem } from "./testing/system.mjs";

/** Fast enough for the test to see an instance's host come back, and slow enough to catch it on the way: a command takes a second or two. */
const fleet = ["--hosts", "20", "--speed", "120", "--seed", "1"];

const version = await clientVersion();
if (version === null) {
  console.error("The command `baremetal` is not here. On Debian: apt-get install python3-ironicclient");
  process.exit(1);
}
const clients = await documentedClients();
if (typeof clients === "string") {
  console.error(clients);
  process.exit(1);
}
const { url, logins: loginsFile } = parseArgs({
  options: { url: { type: "string" }, logins: { type: "string" } },
}).values;

const interruption = new AbortController();
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"]))
  process.on(signal, () => interruption.abort());

/** A Reclaim with demo logins: the given one, or a new one. */
async function findSystem() {
  if (url !== undefined && loginsFile !== undefined)
    return {
      url,
      logins: loginsFile,
      folder: mkdtempSync(join(tmpdir(), "reclaim-ironic-")),
      stop: () => Promise.resolve(),
    };
  if (needsInstall()) await install();
  if (needsGenerate()) await generate();
  if (needsBuild()) await runBuild();
  const given = process.env["TEST_DATABASE_URL"] || process.env["DATABASE_URL"];
  const embedded = given ? undefined : await startEphemeral();
  const system = await startSystem(given || (embedded?.url ?? ""), fleet, { RECLAIM_ENABLE_FAKE: "1" });
  const stop = async () => {
    await system.stop();
    await embedded?.stop();
  };
  try {
    await system.ready;
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: system.url, logins: join(system.state, "demo-logins.json"), folder: system.folder, stop };
}

const system = await findSystem();
const commands = Commands.start();
let failed = 0;
let passed = 0;
try {
  /** @type {{ role: string, email: string, password: string }[]} */
  const logins = JSON.parse(readFileSync(system.logins, "utf8"));
  const loginOf = (/** @type {string} */ role) => {
    const login = logins.find((each) => each.role === role);
    if (login === undefined) throw new Error(`there is no login of ${role}`);
    return login;
  };
  const as = (/** @type {string} */ role) => new Client(system.url, loginOf(role), commands);
  const client = as("provider-admin");
  const [active] = await client.json(["node", "list", "--provision-state", "active"]);
  const world = {
    client,
    reader: as("auditor"),
    ids: {},
    fake: "fake-hardware",
    folder: system.folder,
    held: active.Name,
  };
  const examples = documented(clients, {
    url: system.url,
    folder: system.folder,
    login: loginOf("provider-admin"),
  });
  for (const [name, check] of [
    ...services.slice(0, 2),
    ...nodes,
    ...provisioning,
    ...power,
    ...instances,
    ...services.slice(2),
    ...nodesEnd,
    ...examples,
  ]) {
    interruption.signal.throwIfAborted();
    const began = Date.now();
    try {
      await check(world);
      passed += 1;
      console.log(`✓ ${name} (${Math.round((Date.now() - began) / 100) / 10} s)`);
    } catch (error) {
      failed += 1;
      console.log(
        `✗ ${name}\n    ${(error instanceof Error ? error.message : String(error)).replaceAll("\n", "\n    ")}`,
      );
    }
  }
} catch (error) {
  failed += 1;
  console.error(error instanceof Error ? error.message : error);
} finally {
  commands?.close();
  await system.stop();
}
console.log(`\n${version}: ${passed} passed${failed === 0 ? "" : `, ${failed} failed`}`);
process.exit(failed === 0 ? 0 : 1);
