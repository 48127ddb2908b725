// The test machine with its surroundings: drives full of a tenant's data, a BMC, and its site's network controller.
import { randomBytes, randomUUID } from "node:crypto";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Bmc } from "./bmc.mjs";
import { examine, writePattern } from "./content.mjs";
import { addVariable, memoryOverwriteRequest } from "./firmware.mjs";
import { Machine, firmwareVersion, sasName, slots } from "./machine.mjs";
import { Network } from "./network.mjs";
import { makeOldSystem } from "./old-system.mjs";
import { siteDocument, skuDocument } from "./site.mjs";

const mebibyte = 1 << 20;
/** Sizes in MiB of the drives that are in the machine at first. */
const sizes = {
  "a1.img": 64,
  "a3.img": 48,
  "a6.img": 32,
  "b1.img": 24,
  "sas.img": 64,
  "sata.img": 64,
  "stick.img": 16,
};
/** Excluded by the site's policy. */
const stick = "stick.img";
/** Write limit per second, so that an overwrite of the SAS disk takes half a minute in which something can happen to the machine. */
const slowBytes = 2 * mebibyte;

const secret = () => randomBytes(24).toString("base64url");

/** @typedef {{ serial: string, name: string }} Sata */
const firstSata = /** @type {const} */ ({ serial: "SATAA", name: "sata.img" });
const otherSata = /** @type {const} */ ({ serial: "SATAB", name: "other-sata.img" });

/**
 * Two NVMe controllers, of whose namespaces one is detached and one is small, a SAS disk, a SATA disk and a USB stick.
 * @param {(name: string) => string} file
 * @param {Sata} sata
 * @param {boolean} slow whether the SAS disk writes slowly
 * @returns {import("./machine.mjs").Drives}
 */
const drives = (file, sata, slow) => ({
  nvme: [
    {
      serial: "NVMEA",
      namespaces: [
        { file: file("a1.img"), id: 1 },
        { file: file("a3.img"), id: 3, detached: true },
        { file: file("a6.img"), id: 6 },
      ],
    },
    { serial: "NVMEB", namespaces: [{ file: file("b1.img"), id: 1 }] },
  ],
  sas: [{ serial: "SASA", file: file("sas.img"), ...(slow ? { writesPerSecond: slowBytes } : {}) }],
  sata: [{ serial: sata.serial, file: file(sata.name) }],
  usb: [{ serial: "STICKA", file: file(stick) }],
});

/** What the BMC lists of them. @param {(name: string) => string} file @param {Sata} sata @returns {readonly import("./bmc-resources.mjs").Part[]} */
function parts(file, sata) {
  const bytes = (/** @type {readonly string[]} */ names) =>
    names.reduce((sum, name) => sum + statSync(file(name)).size, 0);
  return [
    {
      serial: "NVMEA",
      model: "QEMU NVMe Ctrl",
      protocol: "NVMe",
      bytes: bytes(["a1.img", "a3.img", "a6.img"]),
    },
    { serial: "NVMEB", model: "QEMU NVMe Ctrl", protocol: "NVMe", bytes: bytes(["b1.img"]) },
    { serial: "SASA", model: "SASDISK", protocol: "SAS", bytes: bytes(["sas.img"]), wwn: sasName(0) },
    { serial: sata.serial, model: "SATADISK", protocol: "SATA", bytes: bytes([sata.name]) },
  ];
}

const firstCard = "52:54:00:aa:00:01";
const otherCard = "52:54:00:aa:00:02";
const memory = { serial: "DIMM0001", partNumber: "EX-DDR4" };

/** The device serial number of QEMU's network card: its MAC address around the word ffff. @param {string} mac */
function serialOfCard(mac) {
  const digits = mac.replaceAll(":", "");
  return `${digits.slice(0, 6)}ffff${digits.slice(6)}`;
}

/** What the agent must report of this machine: kind, slot, PCI id, serial number. @param {import("./machine.mjs").Identity} identity */
const partsOf = ({ mac }) => [
  ["nic", slots.port, "8086:10d3", serialOfCard(mac)],
  ["gpu", slots.display, "1002:5046", undefined],
  ["nic", slots.card, "8086:10d3", serialOfCard(firstCard)],
  ["memory", "DIMM 0", undefined, memory.serial],
];

/** The drives as the SKU counts them: an NVMe drive has the bytes of all its namespaces, also of a detached one. The stick is removable. */
const counted = [
  { media: "nvme", count: 1, bytes: (64 + 48 + 32) * mebibyte },
  { media: "nvme", count: 1, bytes: 24 * mebibyte },
  { media: "hdd", count: 1, bytes: 64 * mebibyte },
  { media: "ssd", count: 1, bytes: 64 * mebibyte },
];

/** The port on which Ironic's agent accepts commands. */
const ironicPort = 9999;

/**
 * @param {string} folder
 * @param {import("./machine.mjs").Identity} identity
 * @param {import("./machine.mjs").Drives} drivesAtFirst
 * @param {{ reclaim: string, ipxe: string, ironic: boolean }} around
 */
function makeMachine(folder, identity, drivesAtFirst, { reclaim, ipxe, ironic }) {
  mkdirSync(folder);
  const bootProgram = { file: ipxe, url: `${reclaim}/boot/ipxe?uuid=\${uuid}&mac=\${mac:hexhyp}` };
  const forwarded = ironic ? ironicPort : undefined;
  const built = { drives: drivesAtFirst, parts: { memory, card: firstCard } };
  const machine = new Machine(folder, identity, built, bootProgram, forwarded);
  addVariable(machine.variables, memoryOverwriteRequest);
  return machine;
}

/**
 * @param {string} folder
 * @param {{ url: string, ipxe: string, image: string, ironic: boolean }} around the server, iPXE as a program of UEFI, the image's folder, and whether it has Ironic's agent
 * @param {boolean} requiresAll whether the site requires every gate
 */
export async function makeBed(folder, { url, ipxe, image, ironic }, requiresAll) {
  const file = (/** @type {string} */ name) => join(folder, name);
  const identity = { uuid: randomUUID(), serial: "BED0001", mac: "52:54:00:12:34:56" };
  const account = { username: "root", password: secret() };
  const token = secret();
  let slow = false;
  /** @type {Sata} */
  let sata = firstSata;
  const reclaim = `http://10.0.2.2:${new URL(url).port}`;
  const around = { reclaim, ipxe, ironic };
  const machine = makeMachine(file("machine"), identity, drives(file, sata, slow), around);
  const versions = { firmwareVersion: firmwareVersion(), bmcVersion: "1.0.0" };
  const bmc = new Bmc(machine, identity, () => parts(file, sata), { account, ...versions });
  const network = new Network(machine, token, { url: () => url, token });
  writeFileSync(file("network.token"), token);
  writeFileSync(file("bmc.password"), account.password);
  const ironicUrl = ironic ? `${reclaim}/boot/image` : undefined;
  writeFileSync(
    file("site.yaml"),
    siteDocument({ networkUrl: await network.listen(), ironicUrl, requiresAll }),
  );
  writeFileSync(file("sku.yaml"), skuDocument({ ...versions, drives: counted }));
  const names = () => Object.keys(sizes).map((name) => (name === firstSata.name ? sata.name : name));
  const read = (/** @type {string} */ name) => ({ name, erased: name !== stick, ...examine(file(name)) });
  return {
    requiresAll,
    serial: identity.serial,
    machine,
    bmc,
    network,
    bmcAddress: await bmc.listen(),
    /** Fills every drive with a tenant's data. The machine must be off. */
    fill() {
      for (const [name, size] of Object.entries(sizes))
        writePattern(file(name === firstSata.name ? sata.name : name), name, size * mebibyte);
    },
    /** What is left on the drives, read from outside the machine. */
    left: () => names().map(read),
    read,
    /** Takes effect at the machine's next start. @param {boolean} wanted */
    slowDown(wanted) {
      slow = wanted;
      machine.drives = drives(file, sata, slow);
    },
    /** Replaces the SATA disk with another one full of data, at the machine's next start. */
    swapSata() {
      sata = otherSata;
      writePattern(file(sata.name), sata.name, sizes[firstSata.name] * mebibyte);
      machine.drives = drives(file, sata, slow);
      return { taken: firstSata, put: otherSata };
    },
    partsAtFirst: partsOf(identity),
    /** Replaces the card in the PCIe slot with another one of the same model, at the machine's next start. */
    swapCard() {
      machine.parts = { ...machine.parts, card: otherCard };
      return { slot: slots.card, taken: serialOfCard(firstCard), put: serialOfCard(otherCard) };
    },
    /** From now on the first disk contains a system, which writes to `a1.img`. */
    installOldSystem() {
      machine.diskSystem = makeOldSystem(image, folder);
    },
    removeOldSystem() {
      machine.diskSystem = undefined;
    },
    async stop() {
      await bmc.close();
      network.close();
    },
  };
}
