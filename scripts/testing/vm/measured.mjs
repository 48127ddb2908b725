// The test machine at a site that requires every gate: its boot is measured, its TPM cleared, its memory drained, in each return (docs/attestation.md).
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { approve, expectErased, lastReclamation, until } from "./life.mjs";

/**
 * @typedef {import("./life.mjs").Followed} Followed
 * @typedef {object} Attestation the output of `reclaim attestation show`
 * @property {string} state
 * @property {{ digest: string } | null} key
 * @property {number | null} bootEpoch
 * @property {{ state: string, bootEpoch: number, digest: string, values: readonly { pcr: number, value: string }[], bundle: { name: string } | null } | null} measurement
 */

const host = "bed-1";
const bundle = "this firmware, boot program and image";
const lookMs = 5_000;

/** Those that are the same in each boot: 1 and 5 have boot entries, settings and partition tables. */
const registers = "0,2,4,7,9";

/** @param {Followed} around @returns {Promise<Attestation>} */
const attestation = async ({ look }) => JSON.parse(await look("attestation", "show", host, "-o", "json"));

/**
 * The first boot of this hardware and image is one that nothing expects. It is given no step, until one person has made a bundle of it and another one has
 * approved that.
 * @param {Followed} around
 */
export async function approveBoot(around) {
  const { admin, secondAdmin, bed, say, signal } = around;
  let told = await attestation(around);
  while (told.measurement?.state !== "PendingBundle") {
    await pause(lookMs, undefined, { signal });
    told = await attestation(around);
  }
  const { measurement } = told;
  for (const { pcr, value } of measurement.values) say(`register ${pcr}: ${value}`);
  const waits = around.shown().at(-1);
  say(`${waits?.state}: ${waits?.detail}`);
  for (const { name, sectors, pattern } of bed.left())
    assert.equal(pattern, sectors, `${name} was written to by a host whose boot nobody approved`);
  await admin(
    ...["attestation", "promote", host, "--name", bundle, "--registers", registers],
    ...["--reason", "the boot was watched", "--yes"],
  );
  await assert.rejects(approve(admin, "bundle", "admin.password"), /requested|another person/i);
  await approve(secondAdmin, "bundle", "second-admin.password");
}

/** The power is off for a few seconds, which one person records and another one signs. @param {Followed} around */
async function drain(around) {
  const { admin, operator, bed, say, signal } = around;
  const { detail } = await until(around, /AwaitingProcedure/);
  say(detail);
  const from = new Date();
  await bed.bmc.losePower();
  await pause(5_000, undefined, { signal });
  const seconds = String(Math.round((Date.now() - from.getTime()) / 1000));
  await admin(
    ...["procedures", "record", "full-ac-drain", "--host", `${host}=${bed.serial}`],
    ...[
      "--from",
      from.toISOString(),
      "--until",
      new Date().toISOString(),
      "--answer",
      "yes",
      "--answer",
      seconds,
    ],
  );
  await approve(operator, "signOff", "operator.password");
}

/**
 * Gates that do not apply to this machine, by the kind of its reclamation.
 * @type {Readonly<Record<"new" | "release", readonly string[]>>}
 */
const notRequired = {
  new: ["instanceReleased", "tenantNetworkReleased", "extensionServicesTerminated", "infinibandClean"],
  release: ["infinibandClean"],
};

/**
 * Every gate is satisfied, none is waived or excepted; those of parts that QEMU does not have are not required.
 * @param {Followed} around
 * @param {keyof typeof notRequired} kind
 */
async function expectGates(around, kind) {
  const { gates, stepRuns } = await lastReclamation(around);
  for (const { gate, status, reason } of gates) around.say(`${gate}: ${status}, ${reason}`);
  for (const { gate, status } of gates)
    assert.equal(status, notRequired[kind].includes(gate) ? "not required" : "satisfied", gate);
  const cleared = stepRuns.find(({ step, status }) => step === "deploy.clear_tpm" && status === "succeeded");
  around.say(`clear_tpm: ${cleared?.message}`);
  assert.match(String(cleared?.message), /it derives the owner key [0-9a-f]{16}… instead of [0-9a-f]{16}…/);
}

/** The newest boot is one that the bundle expects, and its TPM the one that the host had from the beginning. @param {Followed} around @returns {Promise<string>} the digest of its key */
async function expectMeasured(around) {
  const { state, key, bootEpoch, measurement } = await attestation(around);
  around.say(`boot ${bootEpoch}: TPM ${state}, ${measurement?.state} by ${measurement?.bundle?.name}`);
  assert.equal(state, "proven");
  assert.deepEqual(
    [measurement?.state, measurement?.bundle?.name, measurement?.bootEpoch],
    ["Measured", bundle, bootEpoch],
  );
  return String(key?.digest);
}

/**
 * It becomes Ready with every gate satisfied.
 * @param {Followed} around
 * @param {keyof typeof notRequired} kind
 * @returns {Promise<string>} the digest of the key of its TPM
 */
export async function becomeReadyMeasured(around, kind) {
  await drain(around);
  await until(around, /^Ready/);
  expectErased(around);
  await expectGates(around, kind);
  return expectMeasured(around);
}
