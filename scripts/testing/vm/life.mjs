// The life of the test machine, driven by `reclaim` commands alone, with its drives read from outside (docs/agent.md#the-virtual-machine).
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";

/**
 * @typedef {(...args: readonly string[]) => Promise<string>} Reclaim
 * @typedef {{ state: string, step: string | null, detail: string }} Shown a line of `reclaim watch`
 * @typedef {object} Around
 * @property {Reclaim} look runs a command as a provider admin without printing it
 * @property {Reclaim} admin
 * @property {Reclaim} tenant
 * @property {Reclaim} operator another person, whose password is in `operator.password`
 * @property {Reclaim} secondAdmin another provider admin, whose password is in `second-admin.password`
 * @property {(host: string) => () => readonly Shown[]} watch follows a host; returns everything shown so far
 * @property {Awaited<ReturnType<typeof import("./bed.mjs").makeBed>>} bed
 * @property {(text: string) => void} say
 * @property {AbortSignal} signal
 * @typedef {Around & { shown: () => readonly Shown[] }} Followed
 */

const host = "bed-1";
const lookMs = 250;
const erasingDisks = /HostCleanup deploy\.erase_disks/;
/** Timeout: longer than any reclamation takes on a busy machine. */
const longest = "40m";

/** What a host does, in words. @param {Shown} shown */
const doing = ({ state, step }) => (state.endsWith("/HostCleanup") ? `${state} ${step ?? ""}` : state);

/**
 * Follows the host until it does what is wanted. Any other failure ends the test.
 * @param {Followed} around
 * @param {RegExp} wanted matches the output of `doing`
 * @param {(shown: Shown) => Promise<void>} [meanwhile] called with each change
 * @returns {Promise<Shown>}
 */
export async function until({ shown, say, signal }, wanted, meanwhile) {
  let before = "";
  for (let at = Math.max(shown().length - 1, 0); ;) {
    const now = shown()[at];
    if (now === undefined) {
      await pause(lookMs, undefined, { signal });
      continue;
    }
    at += 1;
    if (doing(now) !== before) say(doing(now));
    before = doing(now);
    if (wanted.test(doing(now))) return now;
    if (now.state.startsWith("Failed")) throw new Error(`${now.state}: ${now.detail}`);
    await meanwhile?.(now);
  }
}

/** @param {Around} around */
export function expectErased({ bed, say }) {
  for (const { name, erased, sectors, pattern, zero } of bed.left()) {
    say(`${name}: ${sectors} sectors, ${pattern} with the tenant's data, ${zero} zero`);
    if (erased) assert.equal(pattern, 0, `${name} still has a tenant's data`);
    else assert.equal(pattern, sectors, `${name} was to be left alone`);
  }
}

/** Enrols a machine full of data, of which Reclaim knows nothing yet. @param {Around} given @returns {Promise<Followed>} */
export async function enrol(given) {
  const { admin, bed, watch } = given;
  bed.fill();
  await admin("site", "apply", "-f", "site.yaml", "--reason", "a whole host", "--yes");
  await admin("policy", "erase", "--preset", "clear", "--yes");
  const bmc = ["--bmc-address", bed.bmcAddress, "--bmc-username", "root"];
  const trust = ["--bmc-password-from", "file:bmc.password", "--accept-first-contact"];
  if (bed.requiresAll) await admin("skus", "create", "bed", "-f", "sku.yaml", "--reason", "the only one");
  const sku = bed.requiresAll ? ["--sku", "bed"] : [];
  await admin("hosts", "enroll", "--name", host, ...bmc, ...trust, ...sku);
  return { ...given, shown: watch(host) };
}

/**
 * Approves what waits, as another person than the one who asked for it.
 * @param {Reclaim} person
 * @param {string} kind
 * @param {string} password the file with that person's password
 */
export async function approve(person, kind, password) {
  const [waits] = JSON.parse(await person("approvals", "list", "--kind", kind, "-o", "json"));
  await person("approvals", "approve", waits.id, "--password-from", `file:${password}`, "--yes");
}

/** Skips the erase wait, as a person may who knows that no erase is running: the machine was off. @param {Around} around */
function skipWait({ admin }) {
  let skipped = false;
  return async (/** @type {Shown} */ { detail }) => {
    if (skipped || !detail.includes("an erase may still be running")) return;
    skipped = true;
    await admin("hosts", "skip-erase-wait", host, "--yes");
  };
}

/**
 * While the host is on hold between two steps, somebody starts the system on its old disk, which writes to an erased drive, and then replaces
 * a disk with another.
 * @param {Followed} around
 */
export async function disturbAtRack(around) {
  const { admin, operator, bed, say, signal } = around;
  await until(around, /HostCleanup deploy\.erase_nvme/);
  await admin("hold", host, "--reason", "somebody is at the rack");
  await until(around, /OnHold/);
  assert.equal(bed.read("a1.img").pattern, 0, "the NVMe drives were to be erased by now");
  bed.installOldSystem();
  await bed.bmc.switchOffAndOn();
  say("Somebody starts the system on the old disk");
  while (bed.read("a1.img").pattern === 0) await pause(lookMs, undefined, { signal });
  bed.removeOldSystem();
  say(`It has written ${bed.read("a1.img").pattern} sectors to a1.img`);
  await bed.bmc.losePower();
  const { taken, put } = bed.swapSata();
  say(`${taken.serial} is taken out, and ${put.serial} put in, full of data`);
  await admin("resume", host);
  const { detail } = await until(around, /^Failed\/DeviceMissing/, skipWait(around));
  say(detail);
  assert(detail.includes(taken.serial), "the missing drive is not named");
  await admin("hosts", "inspect", host);
  const what = ["--as", "removed-destroyed", "--reason", "shredded, certificate 1"];
  await admin("hosts", "dispose-drive", host, taken.serial, ...what, "--yes");
  await approve(operator, "disposition", "operator.password");
  const before = around.shown().length;
  await admin("hosts", "restart", host, "--yes");
  while (around.shown().length === before) await pause(lookMs, undefined, { signal });
}

/** The power fails in the middle of the overwrite of the SAS disk. @param {Followed} around */
export async function failInErase(around) {
  const { bed, say, signal } = around;
  await until(around, erasingDisks, skipWait(around));
  for (let part = bed.read("sas.img"); part.pattern > part.sectors * 0.8; part = bed.read("sas.img"))
    await pause(lookMs, undefined, { signal });
  await bed.bmc.losePower();
  const { sectors, pattern } = bed.read("sas.img");
  say(`The power fails: ${pattern} of ${sectors} sectors of sas.img still have the tenant's data`);
  assert(pattern > 0, "the overwrite was over already");
  bed.slowDown(false);
  await until(around, /BootingAgent/, skipWait(around));
}

/** It becomes `Ready` only after everything was erased. @param {Followed} around */
export async function becomeReady(around) {
  await until(around, /WaitingForSkuAssignment/, skipWait(around));
  await around.admin("skus", "create", "bed", "--from", host, "--reason", "the only one");
  await until(around, /^Ready/);
  expectErased(around);
}

/**
 * @typedef {{ slot: string, serial?: string, model: string }} Side
 * @typedef {Side & { kind: string, pciId?: string }} Part
 * @typedef {object} Parts the output of `reclaim parts show`
 * @property {readonly { source: string, untold: readonly object[], found: readonly Part[] }[]} sources
 * @property {readonly { what: string, before: Side, now: Side }[]} changes
 */

/** @param {Around} around @returns {Promise<Parts>} */
const shownParts = async ({ look }) => JSON.parse(await look("parts", "show", host, "-o", "json"));

/** The agent reports the parts of the machine, no more and no less. @param {Around} around */
export async function expectParts(around) {
  const { sources } = await shownParts(around);
  const agent = sources.find(({ source }) => source === "agent");
  const found = (agent?.found ?? []).map(({ kind, slot, pciId, serial, model }) => {
    around.say(`${kind} in ${slot}: ${model}, ${pciId ?? "no PCI id"}, ${serial ?? "no serial number"}`);
    assert.notEqual(model, pciId ?? "", "lspci has no name for it");
    return [kind, slot, pciId, serial];
  });
  assert.deepEqual(found.toSorted(), around.bed.partsAtFirst.toSorted());
  assert.deepEqual(agent?.untold, []);
}

/**
 * @typedef {object} Reclamation the output of `reclaim reclamations show`
 * @property {readonly { planEpoch: number, step: string, status: string, attempt: number, message: string | null }[]} stepRuns
 * @property {readonly { reason: string }[]} voided
 * @property {readonly { gate: string, status: string, reason: string }[]} gates
 */

/** @param {Around} around @returns {Promise<Reclamation>} */
export async function lastReclamation({ look }) {
  const [newest] = JSON.parse(await look("reclamations", "list", host, "-o", "json"));
  return JSON.parse(await look("reclamations", "show", newest.number, "-o", "json"));
}

/** The record of the last reclamation contains the faults, the attempts and whether they counted. @param {Around} around */
export async function expectRecorded(around) {
  const { say } = around;
  const { stepRuns, voided } = await lastReclamation(around);
  for (const { planEpoch, step, status, attempt } of stepRuns)
    say(`plan ${planEpoch}: ${step} ${status}, attempt ${attempt}`);
  say(`voided: ${JSON.stringify(voided)}`);
  assert(
    voided.some(({ reason }) => reason === "unorderedReset"),
    "the boot of the old disk is not in the record",
  );
  assert(
    stepRuns.some(({ step, attempt }) => step === "deploy.erase_disks" && attempt > 1),
    "the attempt that lost its power is not in the record",
  );
}

/**
 * Two restarts within five seconds count as one, because the times of some BMCs jitter (server/domain/hosts/reset-mark.ts). No real host is that fast, and
 * in a test that is, restarts could not be confirmed or would go unnoticed.
 */
const apartMs = 6_000;

/** A tenant gets the machine and fills its drives. @param {Around} around @param {string} instance */
export async function use({ tenant, bed, say, signal }, instance) {
  await pause(apartMs, undefined, { signal });
  await tenant("instances", "create", instance, "--sku", "bed", "--wait", "--timeout", longest);
  say("The tenant has the machine, and fills its drives");
  await pause(apartMs, undefined, { signal });
  await bed.machine.powerOff();
  bed.fill();
}

/**
 * A card that was swapped while the tenant had the machine stops its return, until one person has accepted it and another one has signed that.
 * @param {Followed} around
 * @param {ReturnType<Around["bed"]["swapCard"]>} swapped
 */
async function acceptCard(around, { slot, taken, put }) {
  const { admin, operator, say } = around;
  const { detail } = await until(around, /SkuVerificationFailed/);
  say(detail);
  const { changes } = await shownParts(around);
  assert.deepEqual(
    changes.map(({ what, before, now }) => [what, before.slot, before.serial, now.slot, now.serial]),
    [["swapped", slot, taken, slot, put]],
  );
  for (const named of [slot, taken, put]) assert(detail.includes(named), `${named} is not named`);
  assert(!detail.includes("differs from"), "more than the card differs");
  await admin("parts", "accept", host, "--reason", "RMA 4711", "--yes");
  await approve(operator, "disposition", "operator.password");
}

/** The tenant releases the machine. @param {Followed} around @param {string} instance @param {boolean} swaps whether its card is swapped first */
export async function release(around, instance, swaps) {
  const swapped = swaps ? around.bed.swapCard() : null;
  if (swapped !== null)
    around.say(`${swapped.taken} is taken out of ${swapped.slot}, and ${swapped.put} put in`);
  await around.tenant("release", instance, "--yes");
  if (swapped !== null) await acceptCard(around, swapped);
}

/** @param {Followed} around */
export async function becomeReadyAgain(around) {
  await until(around, /^Ready/);
  expectErased(around);
}
