// A computer in QEMU, without hardware acceleration. Firmware, TPM, network port and drives outlive its processes, as real ones outlive a power cycle.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

/**
 * @typedef {object} Identity
 * @property {string} uuid
 * @property {string} serial
 * @property {string} mac
 * @typedef {object} Drives
 * @property {readonly { serial: string, namespaces: readonly { file: string, id: number, detached?: boolean }[] }[]} nvme
 * @property {readonly { serial: string, file: string, writesPerSecond?: number }[]} sas `writesPerSecond`: maximum in bytes; unlimited if not given
 * @property {readonly { serial: string, file: string }[]} sata
 * @property {readonly { serial: string, file: string }[]} usb
 * @typedef {object} Parts what Reclaim compares from one return to the next, besides drives
 * @property {{ serial: string, partNumber: string }} memory the only module
 * @property {string} card MAC address of the network card in the PCIe slot, without a cable
 */

const firmware = "/usr/share/OVMF";
const firmwareCode = join(firmware, "OVMF_CODE_4M.secboot.fd");

/** A name for the firmware that its BMC can tell: another build has another one. */
export const firmwareVersion = () =>
  `edk2 ${createHash("sha256").update(readFileSync(firmwareCode)).digest("hex").slice(0, 16)}`;

/** Files that a machine keeps in its folder. @param {string} folder */
const files = (folder) => ({
  variables: join(folder, "variables.fd"),
  tpm: join(folder, "tpm"),
  tpmSocket: join(folder, "tpm.sock"),
  monitor: join(folder, "qemu.sock"),
  screen: join(folder, "serial.log"),
});

/** @param {string} id @param {string} file @param {number} [writesPerSecond] */
const image = (id, file, writesPerSecond) => [
  "-drive",
  `if=none,id=${id},format=raw,file=${file},discard=unmap,detect-zeroes=off${writesPerSecond === undefined ? "" : `,throttling.bps-write=${writesPerSecond}`}`,
];

/** The world-wide name of a SAS disk. @param {number} index */
export const sasName = (index) => `5000c5001234567${index}`;

/** PCI addresses by which the agent names the slots: the network port, the display, and the card behind the only bridge. */
export const slots = { port: "0000:00:02.0", display: "0000:00:03.0", card: "0000:01:00.0" };

/** @param {string} slot an address on the first bus */
const onFirstBus = (slot) => `bus=pcie.0,addr=${slot.slice("0000:00:".length)}`;

/** The display controller is an ATI Rage 128 Pro, which counts as a GPU; it has no serial number. @param {Parts} parts */
const partArguments = ({ memory: { serial, partNumber }, card }) => [
  ...["-smbios", `type=17,manufacturer=Example,serial=${serial},part=${partNumber}`],
  ...["-device", `ati-vga,${onFirstBus(slots.display)},model=rage128p,romfile=`],
  ...["-device", "pcie-root-port,id=bridge,bus=pcie.0,addr=1c.0,chassis=1,slot=1"],
  ...["-device", `e1000e,id=card,bus=bridge,mac=${card},romfile=`],
];

/** @param {Drives} drives */
function driveArguments({ nvme, sas, sata, usb }) {
  const controllers = nvme.flatMap(({ serial, namespaces }, index) => [
    ...["-device", `nvme-subsys,id=sub${index},nqn=nqn.2026-11.example:${serial}`],
    ...["-device", `nvme,id=nvme${index},serial=${serial},subsys=sub${index}`],
    ...namespaces.flatMap(({ file, id, detached = false }) => [
      ...image(`n${index}-${id}`, file),
      "-device",
      `nvme-ns,drive=n${index}-${id},bus=nvme${index},nsid=${id}${detached ? ",detached=on" : ""}`,
    ]),
  ]);
  return [
    ...controllers,
    ...["-device", "mptsas1068,id=sas", "-device", "ahci,id=sata"],
    ...sas.flatMap(({ serial, file, writesPerSecond }, index) => [
      ...image(`sas${index}`, file, writesPerSecond),
      "-device",
      `scsi-hd,drive=sas${index},bus=sas.0,scsi-id=${index},serial=${serial},wwn=0x${sasName(index)},rotation_rate=7200,vendor=EXAMPLE,product=SASDISK`,
    ]),
    ...sata.flatMap(({ serial, file }, index) => [
      ...image(`sata${index}`, file),
      "-device",
      `ide-hd,drive=sata${index},bus=sata.${index},serial=${serial},model=SATADISK,rotation_rate=1`,
    ]),
    ...["-device", "qemu-xhci,id=usb"],
    ...usb.flatMap(({ serial, file }, index) => [
      ...image(`usb${index}`, file),
      ...["-device", `usb-storage,bus=usb.0,drive=usb${index},serial=${serial},removable=on`],
    ]),
  ];
}

export class Machine {
  #folder;
  #identity;
  /** Changed between two runs, to take a drive out or put one in. @type {Drives} */
  drives;
  /** Changed between two runs as well. @type {Parts} */
  parts;
  #bootProgram;
  /** A bootable system on its first disk; undefined: none. @type {{ kernel: string, initrd: string } | undefined} */
  diskSystem;
  /** @type {import("node:child_process").ChildProcess | undefined} */
  #qemu;
  /** @type {import("node:child_process").ChildProcess | undefined} */
  #tpm;
  /** The last process that was powered off from outside. @type {import("node:child_process").ChildProcess | undefined} */
  #pulled;
  #linked = true;
  #scrapped = false;
  #forwarded;
  /** Called when the machine powers off or restarts by itself. @type {(how: "off" | "restart") => void} */
  onEnd = () => undefined;

  /**
   * @param {string} folder
   * @param {Identity} identity
   * @param {{ drives: Drives, parts: Parts }} built
   * @param {{ file: string, url: string }} bootProgram iPXE, which is in the network port's ROM, and the URL that the DHCP server makes it load
   * @param {number} [forwarded] a port of the machine that is forwarded from the same port of loopback
   */
  constructor(folder, identity, { drives, parts }, bootProgram, forwarded) {
    mkdirSync(join(folder, "tpm"), { recursive: true });
    this.#folder = folder;
    this.#identity = identity;
    this.drives = drives;
    this.parts = parts;
    this.#bootProgram = bootProgram;
    this.#forwarded = forwarded;
    const { variables } = files(folder);
    if (!existsSync(variables)) copyFileSync(join(firmware, "OVMF_VARS_4M.fd"), variables);
  }

  get variables() {
    return files(this.#folder).variables;
  }

  get isOn() {
    return this.#qemu !== undefined;
  }

  /** @param {"network" | "disk"} first where the firmware looks first */
  async powerOn(first) {
    if (this.#qemu !== undefined || this.#scrapped) return;
    await this.#startTpm();
    if (this.#scrapped) return void this.#tpm?.kill();
    const { variables, tpmSocket, monitor, screen } = files(this.#folder);
    const { uuid, serial, mac } = this.#identity;
    rmSync(monitor, { force: true });
    const qemu = spawn(
      "qemu-system-x86_64",
      [
        ...["-machine", "q35,accel=tcg,smm=on", "-cpu", "max", "-m", "2048", "-smp", "2"],
        ...["-nodefaults", "-display", "none", "-action", "reboot=shutdown", "-uuid", uuid],
        ...["-smbios", `type=1,manufacturer=Example,product=TestBed,serial=${serial}`],
        ...["-chardev", `file,id=screen,path=${screen},append=on`, "-serial", "chardev:screen"],
        ...["-qmp", `unix:${monitor},server=on,wait=off`],
        ...["-global", "driver=cfi.pflash01,property=secure,value=on"],
        ...["-drive", `if=pflash,format=raw,unit=0,readonly=on,file=${firmwareCode}`],
        ...["-drive", `if=pflash,format=raw,unit=1,file=${variables}`],
        ...["-chardev", `socket,id=tpm,path=${tpmSocket}`, "-tpmdev", "emulator,id=tpm0,chardev=tpm"],
        ...["-device", "tpm-tis,tpmdev=tpm0", "-device", "virtio-rng-pci"],
        ...["-netdev", `user,id=net,bootfile=${this.#bootProgram.url}${this.#forwarding()}`],
        ...["-device", `e1000e,id=port,netdev=net,mac=${mac},romfile=,${onFirstBus(slots.port)}`],
        ...this.#startArguments(first),
        ...partArguments(this.parts),
        ...driveArguments(this.drives),
      ],
      { stdio: ["ignore", "ignore", "inherit"] },
    );
    this.#qemu = qemu;
    qemu.once("exit", () => {
      if (this.#qemu === qemu) this.#qemu = undefined;
      this.#tpm?.kill();
    });
    try {
      await this.#watch(qemu, monitor);
    } catch (error) {
      if (this.#pulled === qemu) return; // powered off while it was starting
      throw error;
    }
    if (!this.#linked) await this.#setLink();
    await this.#ask("set_link", { name: "card", up: false });
  }

  #forwarding() {
    const port = this.#forwarded;
    return port === undefined ? "" : `,hostfwd=tcp:127.0.0.1:${port}-:${port}`;
  }

  /** @param {"network" | "disk"} first */
  #startArguments(first) {
    if (first === "network") return ["-kernel", this.#bootProgram.file];
    const { diskSystem } = this;
    return diskSystem === undefined
      ? []
      : ["-kernel", diskSystem.kernel, "-initrd", diskSystem.initrd, "-append", "console=ttyS0"];
  }

  /** Like pulling the plug: what the drives had not stored is lost. */
  async powerOff() {
    const qemu = this.#qemu;
    if (qemu === undefined) return;
    this.#qemu = undefined;
    this.#pulled = qemu;
    const gone = new Promise((done) => qemu.once("exit", done));
    qemu.kill("SIGKILL");
    await gone;
  }

  /** Powers off for good: a pending power-on no longer starts it. */
  async scrap() {
    this.#scrapped = true;
    await this.powerOff();
  }

  /** The button that asks the running system to shut down. */
  async pressButton() {
    await this.#ask("system_powerdown");
  }

  /** @param {boolean} up whether the cable of its port is connected */
  async setLink(up) {
    this.#linked = up;
    if (this.#qemu !== undefined) await this.#setLink();
  }

  #setLink() {
    return this.#ask("set_link", { name: "port", up: this.#linked });
  }

  async #startTpm() {
    const { tpm, tpmSocket } = files(this.#folder);
    rmSync(tpmSocket, { force: true });
    this.#tpm = spawn(
      "swtpm",
      ["socket", "--tpm2", "--tpmstate", `dir=${tpm}`, "--ctrl", `type=unixio,path=${tpmSocket}`],
      {
        stdio: ["ignore", "ignore", "inherit"],
      },
    );
    const tpmProcess = this.#tpm;
    while (!existsSync(tpmSocket)) {
      if (hasEnded(tpmProcess)) throw new Error(`swtpm ended with ${tpmProcess.exitCode}`);
      await pause(20);
    }
  }

  /** Watches for the machine ending by itself. @param {import("node:child_process").ChildProcess} qemu @param {string} socket */
  async #watch(qemu, socket) {
    const monitor = await this.#connect(qemu, socket);
    this.#monitor = monitor;
    const ignore = () => undefined; // QEMU has ended, which its process reports
    monitor.on("error", ignore);
    // Node gives an error of the socket to its reader, too, where it would end this process.
    const lines = createInterface({ input: monitor }).on("error", ignore);
    lines.on("line", (line) => {
      const message = JSON.parse(line);
      if (message.event === "SHUTDOWN" && this.#qemu === qemu) {
        const how = message.data.reason === "guest-reset" ? "restart" : "off";
        qemu.once("exit", () => this.onEnd(how));
      }
    });
    await this.#ask("qmp_capabilities");
  }

  /** @type {import("node:net").Socket | undefined} */
  #monitor;

  /** @param {string} command @param {object} [given] */
  async #ask(command, given = {}) {
    this.#monitor?.write(`${JSON.stringify({ execute: command, arguments: given })}\n`);
  }

  /** @param {import("node:child_process").ChildProcess} qemu @param {string} socket @returns {Promise<import("node:net").Socket>} */
  async #connect(qemu, socket) {
    for (;;) {
      if (hasEnded(qemu)) throw new Error(`QEMU ended with ${qemu.exitCode ?? qemu.signalCode}`);
      const connection = connect(socket);
      const connected = await new Promise((done) => {
        connection.once("connect", () => done(true));
        connection.once("error", () => done(false));
      });
      if (connected) return connection;
      await pause(50);
    }
  }
}

/** Whether it ended, by itself or by a signal. @param {import("node:child_process").ChildProcess} child */
const hasEnded = ({ exitCode, signalCode }) => exitCode !== null || signalCode !== null;
