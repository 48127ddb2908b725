// `npm run test:vm`: a host in QEMU, from its enrolment over network boot, real tools and restart to `Ready`, to a tenant and back. Its raw drives are read from
// outside each time. Nothing is simulated but the silicon (docs/agent.md#the-virtual-machine).
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs, promisify } from "node:util";
import { pinnedNode, root } from "../../folders.mjs";
import { startEphemeral } from "../../postgres/ephemeral.mjs";
import { run } from "../../setup/command.mjs";
import { install, needsInstall } from "../../setup/install.mjs";
import { generate, needsBuild, needsGenerate, runBuild } from "../../setup/outputs.mjs";
import { startSystem } from "../system.mjs";
import { makeBed } from "./bed.mjs";

const usage = `npm run test:vm -- [options]

  --image FOLDER  what npm run image made; made anew if not given
  --ipxe FILE     iPXE as a program of UEFI (or RECLAIM_IPXE): Debian 13's package ipxe has it, that of Debian 12 takes no commands
  --keep          leaves drives, firmware and the machine's screen in their folder`;

const { values: options } = parseArgs({
  options: {
    image: { type: "string" },
    ipxe: { type: "string" },
    keep: { type: "boolean" },
    help: { type: "boolean" },
  },
});
const ipxe = options.ipxe ?? process.env["RECLAIM_IPXE"];
if (options.help === true || ipxe === undefined || !existsSync(ipxe)) {
  console.log(usage);
  process.exit(options.help === true ? 0 : 2);
}

const began = Date.now();
const say = (/** @type {string} */ text) =>
  console.log(
    `${String(Math.round((Date.now() - began) / 1000)).padStart(5)} s  ${text.trim().replaceAll("\n", "\n         ")}`,
  );

/** Longer than any way of a host takes on a machine that is busy with other things. */
const longest = "40m";

/** @param {string} folder where it runs @param {string} url @param {string} token */
const command =
  (folder, url, token) =>
  /** @param {readonly string[]} args */
  async (...args) => {
    const env = { ...process.env, RECLAIM_URL: url, RECLAIM_TOKEN: token };
    const program = join(root, "dist", "reclaim.js");
    try {
      return (
        await promisify(execFile)(pinnedNode, [program, ...args], { cwd: folder, env, maxBuffer: 1 << 26 })
      ).stdout;
    } catch (error) {
      const { stdout = "", stderr = "" } = /** @type {{ stdout?: string, stderr?: string }} */ (error);
      throw new Error(`reclaim ${args.join(" ")}:\n${stdout}${stderr}`);
    }
  };

/** @param {(...args: readonly string[]) => Promise<string>} reclaim @returns {(...args: readonly string[]) => Promise<string>} that says what it does */
const aloud =
  (reclaim) =>
  (...args) => {
    say(`reclaim ${args.join(" ")}`);
    return reclaim(...args);
  };

/** @param {{ left: () => readonly { name: string, erased: boolean, sectors: number, pattern: number, zero: number }[] }} bed */
function expectErased(bed) {
  for (const { name, erased, sectors, pattern, zero } of bed.left()) {
    say(`${name}: ${sectors} sectors, ${pattern} with the tenant's data, ${zero} zero`);
    if (erased) assert.equal(pattern, 0, `${name} still has a tenant's data`);
    else assert.equal(pattern, sectors, `${name} was to be left alone`);
  }
}

/** @param {string} folder @param {AbortSignal} signal @param {(() => unknown)[]} ends */
async function begin(folder, signal, ends) {
  if (needsInstall()) await install(signal);
  if (needsGenerate()) await generate(signal);
  if (needsBuild()) await runBuild(signal);
  const image = options.image ?? join(folder, "image");
  if (options.image === undefined)
    await run(pinnedNode, [join(root, "scripts", "image", "image.mjs"), "--out", image], {
      show: true,
      signal,
    });
  const database = await startEphemeral();
  ends.push(() => database.stop());
  const system = await startSystem(database.url, ["--empty"], (port) => ({
    // Where QEMU's network has the loopback of this machine.
    RECLAIM_BASE_URL: `http://10.0.2.2:${port}`,
    RECLAIM_BMC_NETWORKS: "loopback",
    RECLAIM_BOOT_IMAGE_DIR: image,
  }));
  ends.push(() => system.stop());
  await system.ready;
  /** @type {{ role: string, token: string }[]} */
  const logins = JSON.parse(readFileSync(join(system.state, "demo-logins.json"), "utf8"));
  const as = (/** @type {string} */ role) =>
    command(folder, system.url, String(logins.find((login) => login.role === role)?.token));
  const bed = await makeBed(folder, { url: system.url, ipxe: String(ipxe) });
  ends.push(() => bed.stop());
  return { as, bed };
}

/** @param {string} folder @param {AbortSignal} signal @param {(() => unknown)[]} ends */
async function whole(folder, signal, ends) {
  const { as, bed } = await begin(folder, signal, ends);
  const look = as("provider-admin");
  const [admin, tenant] = [aloud(look), aloud(as("tenant-admin"))];
  const until = async (/** @type {RegExp} */ wanted) => {
    for (let before = ""; ;) {
      const { state, says } = JSON.parse(await look("hosts", "show", "bed-1", "-o", "json"));
      if (state !== before) say(state);
      before = state;
      if (wanted.test(state)) return;
      if (state.startsWith("Failed")) throw new Error(`${state}: ${says}`);
      await pause(2_000, undefined, { signal });
    }
  };
  bed.fill();
  await admin("site", "apply", "-f", "site.yaml", "--reason", "a whole host", "--yes");
  await admin("policy", "erase", "--preset", "clear", "--yes");
  const known = ["--name", "bed-1", "--bmc-address", bed.bmcAddress, "--bmc-username", "root"];
  await admin(
    "hosts",
    "enroll",
    ...known,
    "--bmc-password-from",
    "file:bmc.password",
    "--accept-first-contact",
  );
  await until(/WaitingForSkuAssignment/);
  await admin("skus", "create", "bed", "--from", "bed-1", "--reason", "the only one");
  await until(/^Ready/);
  expectErased(bed);
  await tenant("instances", "create", "t1", "--sku", "bed", "--wait", "--timeout", longest);
  say("The tenant has the machine, and fills its drives");
  await bed.machine.powerOff();
  bed.fill();
  await tenant("release", "t1", "--yes");
  await until(/^Ready/);
  expectErased(bed);
}

const folder = mkdtempSync(join(tmpdir(), "reclaim-vm-"));
const interruption = new AbortController();
for (const name of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]))
  process.on(name, () => interruption.abort());
const ends = /** @type {(() => unknown)[]} */ ([]);
try {
  await whole(folder, interruption.signal, ends);
  say("test:vm has passed");
} finally {
  for (const end of ends.toReversed()) await end();
  if (options.keep === true) console.log(`Kept: ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
}
