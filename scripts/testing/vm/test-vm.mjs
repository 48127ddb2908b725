// `npm run test:vm`: a host in QEMU, from its enrolment through network boot and real tools to `Ready`, to a tenant and back; with `--whole` also through faults
// and restarts. Its raw drives are read from outside each time. Only the hardware is simulated (docs/agent.md#the-virtual-machine).
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs, promisify } from "node:util";
import { pinnedNode, root } from "../../folders.mjs";
import { startEphemeral } from "../../postgres/ephemeral.mjs";
import { run } from "../../setup/command.mjs";
import { install, needsInstall } from "../../setup/install.mjs";
import { generate, needsBuild, needsGenerate, runBuild } from "../../setup/outputs.mjs";
import { startSystem } from "../system.mjs";
import { makeBed } from "./bed.mjs";
import { abort, cleanByHand, compare, expectSteps, refuseErase } from "./ironic.mjs";
import { measuredIpxe } from "./ipxe.mjs";
import {
  becomeReady,
  becomeReadyAgain,
  disturbAtRack,
  enrol,
  expectParts,
  expectRecorded,
  failInErase,
  release,
  use,
} from "./life.mjs";
import { approveBoot, becomeReadyMeasured } from "./measured.mjs";
import { findNeeds } from "./needs.mjs";
import { makeAdmin } from "./people.mjs";

const usage = `npm run test:vm -- [options]

  --image FOLDER  what npm run image made; made anew if not given
  --ipxe FILE     iPXE as a program of UEFI; that of Debian's package ipxe if not given
  --measured      in place of that: a site that requires every gate, and three returns of a machine whose boot is measured
  --whole         both, the first one with a drive that is swapped, a system started from it, a power failure in mid-erase, and a swapped network card
  --ironic FOLDER in place of all that: an image with Ironic's agent (docs/agent.md#ironics-agent-as-a-guest)
  --keep          leaves drives, firmware and the machine's screen in their folder`;

const { values: options } = parseArgs({
  options: {
    image: { type: "string" },
    ipxe: { type: "string" },
    measured: { type: "boolean" },
    whole: { type: "boolean" },
    ironic: { type: "string" },
    keep: { type: "boolean" },
    help: { type: "boolean" },
  },
});
if (options.help === true) {
  console.log(usage);
  process.exit(0);
}
const { ipxe, missing } = findNeeds(options.ipxe);
if (missing.length > 0) {
  const packages = missing.join(" ");
  console.error(`test:vm cannot run here, and has tested nothing. It needs: apt-get install ${packages}`);
  // sysexits.h: a service is unavailable
  process.exit(69);
}

const began = Date.now();
const say = (/** @type {string} */ text) =>
  console.log(
    `${String(Math.round((Date.now() - began) / 1000)).padStart(5)} s  ${text.trim().replaceAll("\n", "\n         ")}`,
  );

const folder = mkdtempSync(join(tmpdir(), "reclaim-vm-"));
const interruption = new AbortController();
const { signal } = interruption;
/** Ends the test with a reason, wherever it is. @param {unknown} reason */
const fail = (reason) => interruption.abort(reason);
for (const name of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]))
  process.on(name, () => fail(new Error(`interrupted by ${name}`)));
/** What to stop at the end of a machine's life, in starting order. */
const ends = /** @type {(() => unknown)[]} */ ([]);
/** Whether what was started may end. */
let isOver = false;
const failUnlessOver = (/** @type {string} */ reason) => {
  if (!isOver) fail(new Error(reason));
};
/** Timeout: longer than any phase takes on a busy machine, in ms. */
const phaseLimitMs = 40 * 60_000;

/** @param {string} url @param {string} token @param {string} cwd */
const command =
  (url, token, cwd) =>
  /** @param {readonly string[]} args */
  async (...args) => {
    const env = { ...process.env, RECLAIM_URL: url, RECLAIM_TOKEN: token };
    const program = join(root, "dist", "reclaim.js");
    try {
      return (
        await promisify(execFile)(pinnedNode, [program, ...args], {
          cwd,
          env,
          maxBuffer: 1 << 26,
          signal,
        })
      ).stdout;
    } catch (error) {
      const { stdout = "", stderr = "" } = /** @type {{ stdout?: string, stderr?: string }} */ (error);
      throw new Error(`reclaim ${args.join(" ")}:\n${stdout}${stderr}`, { cause: signal.reason ?? error });
    }
  };

/**
 * Follows a host with `reclaim watch`.
 * @param {string} url
 * @param {string} token
 */
const watching = (url, token) => (/** @type {string} */ host) => {
  const env = { ...process.env, RECLAIM_URL: url, RECLAIM_TOKEN: token };
  const args = [join(root, "dist", "reclaim.js"), "watch", host, "-o", "json"];
  const watch = spawn(pinnedNode, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  ends.push(() => watch.kill());
  watch.once("exit", () => failUnlessOver("reclaim watch has ended"));
  /** @type {import("./life.mjs").Shown[]} */
  const shown = [];
  createInterface({ input: watch.stdout }).on("line", (line) => shown.push(JSON.parse(line)));
  return () => shown;
};

/** @param {(...args: readonly string[]) => Promise<string>} reclaim @returns {(...args: readonly string[]) => Promise<string>} that also prints what it does */
const aloud =
  (reclaim) =>
  (...args) => {
    say(`reclaim ${args.join(" ")}`);
    return reclaim(...args);
  };

/** What is built once for all machines. @returns {Promise<string>} the image's folder */
async function build() {
  if (needsInstall()) await install(signal);
  if (needsGenerate()) await generate(signal);
  if (needsBuild()) await runBuild(signal);
  const given = options.ironic ?? options.image;
  if (given !== undefined) return resolve(given);
  const image = join(folder, "image");
  await run(pinnedNode, [join(root, "scripts", "image", "image.mjs"), "--out", image], {
    show: true,
    signal,
  });
  return image;
}

/** An empty Reclaim, its people, and a machine. @param {string} image @param {boolean} requiresAll whether its site requires every gate */
async function begin(image, requiresAll) {
  const here = join(folder, requiresAll ? "measured" : "plain");
  mkdirSync(here);
  const database = await startEphemeral();
  ends.push(() => database.stop());
  const system = await startSystem(database.url, ["--empty"], (port) => ({
    // The address at which QEMU's user network has this machine's loopback.
    RECLAIM_BASE_URL: `http://10.0.2.2:${port}`,
    RECLAIM_BMC_NETWORKS: "loopback",
    RECLAIM_BOOT_IMAGE_DIR: image,
  }));
  ends.push(() => system.stop());
  await system.ready;
  void system.ended.then(() => failUnlessOver("npm start has ended"));
  /** @type {{ role: string, token: string, password: string }[]} */
  const logins = JSON.parse(readFileSync(join(system.state, "demo-logins.json"), "utf8"));
  const tokenOf = (/** @type {string} */ role) => String(logins.find((login) => login.role === role)?.token);
  const as = (/** @type {string} */ token) => command(system.url, token, here);
  const look = as(tokenOf("provider-admin"));
  const keepPassword = (/** @type {string} */ name, /** @type {string} */ password) =>
    writeFileSync(join(here, `${name}.password`), password, { mode: 0o600 });
  for (const { role, password } of logins) keepPassword(role === "provider-admin" ? "admin" : role, password);
  const second = requiresAll
    ? await makeAdmin(system.url, look, "second-admin@reclaim.example")
    : { token: "", password: "" };
  keepPassword("second-admin", second.password);
  const boots = requiresAll ? await measuredIpxe(ipxe, here) : ipxe;
  const around = { url: system.url, ipxe: boots, image, ironic: options.ironic !== undefined };
  const bed = await makeBed(here, around, requiresAll);
  ends.push(() => bed.stop());
  bed.bmc.onFault = fail;
  return {
    look,
    admin: aloud(look),
    tenant: aloud(as(tokenOf("tenant-admin"))),
    operator: aloud(as(tokenOf("operator"))),
    secondAdmin: aloud(as(second.token)),
    watch: watching(system.url, tokenOf("provider-admin")),
    bed,
    say,
    signal,
    folder: here,
  };
}

/** @type {{ name: string, seconds: number }[]} */
const phases = [];

/**
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} phase
 */
async function timed(name, phase) {
  const start = Date.now();
  say(`-- ${name}`);
  const tooLong = setTimeout(() => fail(new Error(`${name}: not over in 40 minutes`)), phaseLimitMs);
  const result = await phase().finally(() => clearTimeout(tooLong));
  phases.push({ name, seconds: Math.round((Date.now() - start) / 1000) });
  return result;
}

/** The tenants of a measured machine, and whether its card is swapped while they have it. */
const returns = /** @type {const} */ ([
  ["t1", true],
  ["t2", false],
  ["t3", false],
]);

/** @param {import("./life.mjs").Followed & { folder: string }} around */
async function beGuest(around) {
  await timed("Ironic's agent boots, and is given no erase", () => refuseErase(around));
  await expectSteps(around);
  await timed("a step of the site's, by hand", () => cleanByHand(around));
  await timed("an abort", () => abort(around));
  await timed("the inventory is compared", () => compare(around, around.folder));
}

/** @param {string} image */
async function bePlain(image) {
  const given = await timed("database and server", () => begin(image, false));
  // An erase that is interrupted must last.
  given.bed.slowDown(options.whole === true || options.ironic !== undefined);
  const around = await timed("enrolment", () => enrol(given));
  if (options.ironic !== undefined) return beGuest({ ...given, ...around });
  if (options.whole === true) {
    await timed("the old disk is started, and another is put in the place of one", () =>
      disturbAtRack(around),
    );
    await timed("the power fails in mid-erase", () => failInErase(around));
  }
  await timed("erased, restarted and compared", () => becomeReady(around));
  await expectParts(around);
  if (options.whole === true) await expectRecorded(around);
  await timed("a tenant", () => use(around, "t1"));
  await timed("release", async () => {
    await release(around, "t1", options.whole === true);
    await becomeReadyAgain(around);
  });
}

/** @param {string} image */
async function beMeasured(image) {
  const given = await timed("database and server of a site that requires every gate", () =>
    begin(image, true),
  );
  const around = await timed("enrolment", () => enrol(given));
  await timed("two people approve its first boot", () => approveBoot(around));
  const key = await timed("every gate is satisfied", () => becomeReadyMeasured(around, "new"));
  await expectParts(around);
  for (const [name, swaps] of returns) {
    await timed("a tenant", () => use(around, name));
    await timed("release, and every gate is satisfied", async () => {
      await release(around, name, swaps);
      assert.equal(await becomeReadyMeasured(around, "release"), key, "the TPM has another endorsement key");
    });
  }
}

/** Ends all that a life started. */
async function end() {
  isOver = true;
  for (const stop of ends.splice(0).toReversed()) await stop();
}

try {
  const image = await timed("image", build);
  if (options.measured !== true) await bePlain(image);
  if (options.whole === true) await end();
  isOver = false;
  if (options.measured === true || options.whole === true) await beMeasured(image);
  for (const { name, seconds } of phases) console.log(`${String(seconds).padStart(5)} s  ${name}`);
  say("test:vm has passed");
} finally {
  await end();
  if (options.keep === true) console.log(`Kept: ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
}
