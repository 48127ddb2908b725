// What one simulated machine's BMC stores besides power and boot: BIOS, accounts, jobs, volumes and the rest, as differences from its tree.
import { pick } from "@/server/domain/pick";
import { Jobs } from "@/server/simulator/bmc/platform/jobs";
import type { JobEffect, PlatformMemory, Settings } from "@/server/simulator/bmc/platform/memory";
import type { HardwareTime } from "@/server/simulator/hardware-time";
import type { HostFaults } from "@/server/simulator/faults";

/** What the machine around the BMC does for it. */
export interface Machine {
  readonly time: HardwareTime;
  readonly faults: HostFaults;
  changed(): void;
  powerOff(): void;
  clearTpm(): void;
  /** Starts to erase a drive; a no-op if there is no drive with that serial. */
  eraseDrive(serial: string, hardwareMs: number): void;
  /** Whether the drive's erase succeeded; true for a drive that is not simulated. */
  drivePassed(serial: string): boolean;
  /** Whether an erase of the drive is in progress. */
  driveErasing(serial: string): boolean;
  /** Whether the drive's bay is empty. */
  driveGone(serial: string): boolean;
}

/** Settings by which firmware clears the TPM. It resets them at once. */
export const tpmOrders: ReadonlyMap<string, string> = new Map([
  ["Tpm2Hierarchy", "Clear"],
  ["TrustedComputingGroup_DeviceOperation", "Clear"],
]);

/** How long things take, in hardware time. */
export const platformMs = {
  bmcRestart: 60_000,
  biosJob: 60_000,
  firmware: 180_000,
  volume: 30_000,
  eraseDrive: 120_000,
  decommission: 240_000,
  slowOff: 300_000,
} as const;

/** Stored over a restart as it is. */
const remembered = [
  "bios",
  "biosPending",
  "biosDefaultsPending",
  "secureBootMode",
  "attributes",
  "accounts",
  "subscriptions",
  "media",
  "volumes",
  "others",
  "firmware",
  "bootOrder",
  "bootOrderPending",
  "lastReset",
  "resetToDefaults",
] as const satisfies readonly (keyof PlatformMemory)[];

export class Platform {
  bios: Settings = {};
  biosPending: Settings = {};
  biosDefaultsPending = false;
  secureBootMode: string | null = null;
  attributes: Settings = {};
  accounts: PlatformMemory["accounts"] = {};
  subscriptions: PlatformMemory["subscriptions"] = {};
  media: PlatformMemory["media"] = {};
  volumes: PlatformMemory["volumes"] = {};
  others: PlatformMemory["others"] = {};
  firmware: PlatformMemory["firmware"] = {};
  bootOrder: PlatformMemory["bootOrder"] = null;
  bootOrderPending: PlatformMemory["bootOrderPending"] = null;
  lastReset: string | null = null;
  resetToDefaults = false;
  readonly jobs: Jobs;
  #made = 0;
  #awayUntil = 0;
  /** False: nothing differs from the tree, so nothing is stored. */
  #touched = false;

  readonly #machine: Machine;

  constructor(machine: Machine) {
    this.#machine = machine;

    this.jobs = new Jobs(
      machine.time,
      machine.faults,
      (effect, fails) => this.#perform(effect, fails),
      (effect) => this.#erased(effect).some((serial) => machine.driveErasing(serial)),
      () => this.changed(),
    );
  }

  changed(): void {
    this.#touched = true;
    this.#machine.changed();
  }

  /** The next number for something that is created. */
  number(): number {
    this.#made += 1;
    return this.#made;
  }

  /**
   * Restarts the BMC itself, which answers nothing meanwhile.
   * @param atLeastMs real time: where its absence is all that proves the restart, a fast fleet must not be back before anybody looks
   */
  restartBmc(atLeastMs = 0): void {
    const { time } = this.#machine;
    const awayMs = time.instant ? 0 : Math.max(time.scaled(platformMs.bmcRestart), atLeastMs);
    this.#awayUntil = time.now() + awayMs;
    this.lastReset = new Date().toISOString();
    this.changed();
  }

  /** Its firmware accepts a reset of the secure-boot keys and does nothing. */
  keepsKeys(): boolean {
    return this.#machine.faults.quirks?.includes("keepsKeys") === true;
  }

  /** Whether its BIOS has the address of a boot program, and goes by it. */
  bootsByUrl(): boolean {
    return (
      this.#machine.faults.quirks?.includes("bootsByAttribute") === true &&
      (this.bios["UrlBootFile"] ?? "") !== ""
    );
  }

  /** The version that its inventory shows, whatever runs; undefined: that of the tree. */
  shownVersion(path: string): string | undefined {
    return this.#machine.faults.quirks?.includes("lyingFirmware") === true ? undefined : this.firmware[path];
  }

  get away(): boolean {
    return this.#machine.time.now() < this.#awayUntil;
  }

  /** The host's firmware runs its self test, so pending settings apply from now on. */
  hostRestarted(): void {
    if (!this.#touched) return;
    this.jobs.restart();
    this.bootOrder = this.bootOrderPending ?? this.bootOrder;
    this.bootOrderPending = null;
    if (!this.jobs.list().some(({ state, effect }) => state === "running" && effect.kind === "bios"))
      this.applyBios();
  }

  /** Applies the pending settings. On a BMC with jobs, a job does it; if the job fails they are dropped. */
  applyBios(): void {
    if (this.biosDefaultsPending) this.bios = {};
    for (const [name, wanted] of Object.entries(this.biosPending)) {
      if (tpmOrders.get(name) === wanted) this.#machine.clearTpm();
      else this.bios = { ...this.bios, [name]: wanted };
    }
    this.biosDefaultsPending = false;
    this.biosPending = {};
    this.changed();
  }

  orderErase(id: string, serial: string): void {
    this.#machine.eraseDrive(serial, platformMs.eraseDrive);
    this.jobs.order(
      id,
      `SecureErase: ${serial}`,
      platformMs.eraseDrive,
      { kind: "eraseDrive", serial },
      false,
    );
  }

  orderDecommission(id: string, name: string, serials: readonly string[], paths: readonly string[]): void {
    for (const serial of serials) this.#machine.eraseDrive(serial, platformMs.decommission);
    this.jobs.order(
      id,
      name,
      platformMs.decommission,
      { kind: "decommission", serials: [...serials], paths: [...paths] },
      false,
    );
  }

  driveGone(serial: string): boolean {
    return this.#machine.driveGone(serial);
  }

  #erased(effect: JobEffect): readonly string[] {
    return effect.kind === "eraseDrive"
      ? [effect.serial]
      : effect.kind === "decommission"
        ? effect.serials
        : [];
  }

  #perform(effect: JobEffect, fails: boolean): boolean {
    if (fails) {
      if (effect.kind === "bios") this.biosPending = {};
      return false;
    }
    switch (effect.kind) {
      case "bios":
        this.applyBios();
        return true;
      case "bootOrder":
        this.bootOrder = effect.references;
        return true;
      case "powerOff":
        this.#machine.powerOff();
        return true;
      case "firmware":
        this.firmware = { ...this.firmware, [effect.path]: effect.version };
        return true;
      case "makeVolume":
        this.volumes = { ...this.volumes, [effect.path]: effect.volume };
        return true;
      case "decommission":
        if (!effect.serials.every((serial) => this.#machine.drivePassed(serial))) return false;
        this.volumes = { ...this.volumes, ...Object.fromEntries(effect.paths.map((path) => [path, null])) };
        return true;
      case "removeVolumes":
        this.volumes = { ...this.volumes, ...Object.fromEntries(effect.paths.map((path) => [path, null])) };
        return true;
      case "eraseDrive":
        return this.#machine.drivePassed(effect.serial);
    }
  }

  /** Null if nothing differs from the tree. */
  memory(): PlatformMemory | null {
    if (!this.#touched) return null;
    return { ...pick(this, remembered), jobs: this.jobs.memory(), made: this.#made };
  }

  recall({ jobs, made, ...state }: PlatformMemory): void {
    this.#touched = true;
    Object.assign(this, state);
    this.#made = made;
    this.jobs.recall(jobs);
  }
}
