// The test machine when its site boots an image with Ironic's agent (docs/agent.md#ironics-agent-as-a-guest).
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { until } from "./life.mjs";

/**
 * @typedef {import("./life.mjs").Followed} Followed
 * @typedef {{ interface: string, step: string, status: string, message: string | null }} StepRun
 */

const host = "bed-1";
const lookMs = 500;

/** Asserts that no drive was written to. @param {Followed} around */
function expectUntouched({ bed }) {
  for (const { name, sectors, pattern } of bed.left())
    assert.equal(pattern, sectors, `${name} was written to`);
}

/** The newest reclamation of the host. @param {Followed} around */
async function newest({ look }) {
  const [row] = JSON.parse(await look("reclamations", "list", host, "-o", "json"));
  return JSON.parse(await look("reclamations", "show", String(row.number), "-o", "json"));
}

/** Performs `act`, and waits for the wanted state among later changes. @param {Followed} around @param {() => Promise<unknown>} act @param {RegExp} wanted */
async function after(around, act, wanted) {
  const before = around.shown().length;
  await act();
  while (around.shown().length === before) await pause(lookMs, undefined, { signal: around.signal });
  return until(around, wanted);
}

/** @param {Followed} around @param {string} step */
const clean = ({ admin }, step) =>
  admin("clean", host, "--clean-steps", JSON.stringify([{ interface: "deploy", step }]), "--yes");

/** An automated cleaning would ask it for an erase, which it is not given. @param {Followed} around */
export async function refuseErase(around) {
  const { detail } = await until(around, /^Failed\/NVMECleanFailed/);
  around.say(detail);
  assert.match(detail, /is not sent to Ironic's agent/);
  expectUntouched(around);
}

/** The steps are its hardware manager's own, and none of ours. @param {Followed} around */
export async function expectSteps({ look, say }) {
  /** @type {readonly { interface: string, step: string }[]} */
  const steps = JSON.parse(await look("steps", host, "-o", "json"));
  const names = steps.map((row) => `${row.interface}.${row.step}`);
  for (const name of ["deploy.check_links", "deploy.watch_links"])
    assert(names.includes(name), `${name} is not offered: ${names.join(", ")}`);
  assert(!names.includes("deploy.restart_ports"), "a step that asks for a restart is offered");
  say(`offered: ${names.filter((name) => name.endsWith("_links")).join(", ")}`);
}

/** @param {Followed} around */
export async function cleanByHand(around) {
  await after(around, () => clean(around, "check_links"), /^Manageable/);
  const { stepRuns } = await newest(around);
  /** @type {StepRun} */
  const run = stepRuns[0];
  around.say(`${run.step}: ${run.status} ${run.message ?? ""}`);
  assert.equal(run.status, "succeeded");
  expectUntouched(around);
}

/** A step that cannot be stopped is waited for. @param {Followed} around */
export async function abort(around) {
  await after(around, () => clean(around, "watch_links"), /RunningStep/);
  await pause(15_000, undefined, { signal: around.signal });
  const began = Date.now();
  const { detail } = await after(around, () => around.admin("abort", host, "--yes"), /^(Failed|Manageable)/);
  around.say(`${Math.round((Date.now() - began) / 1000)} s after the abort: ${detail}`);
  expectUntouched(around);
}

/** The machine's components as a SKU. Ironic's agent does not know of the detached namespace. */
const sku = `components:
  manufacturer: Example
  product: TestBed
  cpus: { count: 2, model: "QEMU TCG CPU version 2.5+" }
  memoryBytes: "2147483648"
  infiniband: 0
  storage:
    - { media: nvme, count: 1, capacityBytes: "${96 << 20}" }
    - { media: nvme, count: 1, capacityBytes: "${24 << 20}" }
    - { media: hdd, count: 1, capacityBytes: "${64 << 20}" }
    - { media: ssd, count: 1, capacityBytes: "${64 << 20}" }
`;

/** Its inventory is compared with the SKU, without a cleaning; the gates say what is not proven. @param {Followed} around @param {string} folder */
export async function compare(around, folder) {
  const { admin, say } = around;
  writeFileSync(join(folder, "sku.yaml"), sku);
  await after(around, () => admin("hosts", "manage", host, "--yes"), /^Manageable/);
  await admin("skus", "create", "bed", "-f", "sku.yaml", "--reason", "the only one", "--yes");
  await admin("hosts", "assign-sku", host, "bed", "--yes");
  await admin("policy", "automated-clean", "off", "--host", host, "--yes");
  const provide = () => admin("hosts", "provide", host, "--yes");
  const { detail } = await after(around, provide, /^BomValidating\/SkuVerificationFailed/);
  say(detail);
  const { gates } = await newest(around);
  for (const { gate, status, reason } of gates) say(`${gate}: ${status} ${reason}`);
  // Before version 10.0 it does not report the number of CPUs; everything else matches the SKU.
  assert.match(detail, /^differs from bed: CPU count: 2 wanted, not told found$/);
  expectUntouched(around);
}
