// One simulated machine: power, boot, drives and what runs on it. Its BMC and its agent's tools read and change it.
import type { Quote } from "@/agent/tools/tools";
import type { Blueprint } from "@/server/simulator/fleet/blueprint";
import { noHostFaults, type FaultsBody } from "@/server/simulator/faults";
import { Platform } from "@/server/simulator/bmc/platform/platform";
import { clearTpm } from "@/server/simulator/host/tpm";
import { isOver, sleep } from "@/server/simulator/hardware-time";
import type { HardwareTime } from "@/server/simulator/hardware-time";
import { noFaults, type Drive } from "@/server/simulator/drives/drive";
import { makeDrive } from "@/server/simulator/drives/make-drive";
import type { DriveMemory, HostMemory } from "@/server/simulator/state/memory";
import { Counters } from "@/server/simulator/host/counters";
import {
  type Power,
  type BootOverride,
  noOverride,
  type Running,
  type OnChange,
  durationsMs,
  shortestSelfTestMs,
} from "@/server/simulator/host/machine";

/** Runs from the end of the firmware's self test until the signal aborts; receives the boot source of this boot. */
export type BootProgram = (
  host: SimulatedHost,
  source: "network" | "disk",
  signal: AbortSignal,
) => Promise<void>;

export class SimulatedHost {
  readonly counters = new Counters();
  readonly faults = noHostFaults();
  readonly drives: Drive[];
  /** What its BMC stores besides power and boot. */
  readonly platform: Platform;
  readonly infinibandSettings = new Map<string, Map<string, string>>();
  power: Power = "On";
  override: BootOverride = noOverride;
  /** Incremented with every change that Redfish shows, for ETags. */
  version = 1;
  lastResetAt = "2026-01-01T00:00:00Z";
  /** What the sensor at its cover reads, until somebody resets it. */
  intrusion: HostMemory["intrusion"] = "Normal";
  /** The configuration that the network controller last applied. Before the first one, the contents of the disks decide. */
  network: HostMemory["network"] = "unknown";
  memoryOverwrite = 0;
  /** Words in the memory of its GPUs, by slot and offset, as far as the agent wrote them. */
  readonly gpuMemory = new Map<string, Map<number, number>>();
  /** Virtual disks of its M.2 RAID kit, which recreates two over empty drives when the machine starts. */
  kitVolumes: readonly number[] = [0];
  /** A tenant took ownership of the TPM. */
  tpmOwned = false;
  /** Changes with each clear. */
  tpmSeed = 0;
  /** What its TPM signed last, of whichever boot. */
  quoted: Quote | null = null;
  #running: Running = "tenant";
  #replacements = 0;
  /** The replacement number of the drive in each place; 0: the first drive there. */
  readonly #replacementOf: number[];
  #onChange: OnChange = () => undefined;
  #run: AbortController | null = null;
  #stopped = false;
  #clockAheadMs = 0;
  readonly #boot: BootProgram;

  constructor(
    readonly blueprint: Blueprint,
    readonly seed: number,
    readonly time: HardwareTime,
    boot: BootProgram,
  ) {
    this.#boot = boot;
    this.#replacementOf = blueprint.drives.map(() => 0);
    this.drives = blueprint.drives.map((_, place) => this.#makeDrive(place, 0));
    const driveOf = (serial: string) => this.drives.find((drive) => drive.identity.serial === serial);
    this.platform = new Platform({
      time,
      faults: this.faults,
      changed: () => this.changed(),
      powerOff: () => void this.reset("ForceOff"),
      clearTpm: () => clearTpm(this),
      eraseDrive: (serial, hardwareMs) => driveOf(serial)?.eraseByController(hardwareMs),
      driveErasing: (serial) => driveOf(serial)?.erasing ?? false,
      driveGone: (serial) => driveOf(serial)?.faults.vanish ?? false,
      drivePassed: (serial) => driveOf(serial)?.lastErase().state !== "failed",
    });
  }

  #makeDrive(place: number, replacement: number): Drive {
    const drive = makeDrive(this.blueprint, this.seed, place, replacement, this.time);
    drive.onChange = (lasting) => this.#onChange(place, lasting);
    this.#replacementOf[place] = replacement;
    return drive;
  }

  /** From now on, calls `onChange` for everything that the machine would keep over a restart of this process. */
  watch(onChange: OnChange): void {
    this.#onChange = onChange;
  }

  /** To be called after changing the host's faults, network or settings. */
  changed(): void {
    this.#onChange(null, false);
  }

  get running(): Running {
    return this.#running;
  }

  set running(running: Running) {
    this.#running = running;
    this.changed();
  }

  /** What the machine itself keeps. If it is between on and off it counts as what it will be, and an agent counts as gone. */
  memory(): HostMemory {
    const { override, version, lastResetAt, intrusion, network, memoryOverwrite, faults } = this;
    const { tpmOwned, tpmSeed } = this;
    const power = this.power === "On" || this.power === "PoweringOn" ? "On" : "Off";
    const running = power === "Off" ? "nothing" : this.running === "tenant" ? "tenant" : "idle";
    const infiniband = Object.fromEntries(
      Array.from(this.infinibandSettings, ([slot, settings]) => [slot, Object.fromEntries(settings)]),
    );
    return {
      power,
      running,
      override,
      version,
      lastResetAt,
      intrusion,
      network,
      memoryOverwrite,
      tpmOwned,
      tpmSeed,
      infiniband,
      replacements: this.#replacements,
      faults,
      platform: this.platform.memory(),
    };
  }

  driveMemory(place: number): DriveMemory | null {
    const drive = this.drives[place];
    return drive ? { ...drive.memory(), replacement: this.#replacementOf[place] ?? 0 } : null;
  }

  recall(memory: HostMemory): void {
    const { infiniband, faults, platform } = memory;
    this.power = memory.power;
    this.#running = memory.running;
    this.override = memory.override;
    this.version = memory.version + 1;
    this.lastResetAt = memory.lastResetAt;
    this.#clockAheadMs = Math.max(0, Date.parse(memory.lastResetAt) - Date.now());
    this.intrusion = memory.intrusion;
    this.network = memory.network;
    this.memoryOverwrite = memory.memoryOverwrite;
    this.tpmOwned = memory.tpmOwned;
    this.tpmSeed = memory.tpmSeed;
    this.#replacements = memory.replacements;
    for (const [slot, settings] of Object.entries(infiniband))
      this.infinibandSettings.set(slot, new Map(Object.entries(settings)));
    Object.assign(this.faults, faults);
    if (platform !== null) this.platform.recall(platform);
  }

  /** `sinceMs`: real milliseconds that have passed for the fleet since. */
  recallDrive(place: number, memory: DriveMemory, sinceMs: number): void {
    const drive = this.#makeDrive(place, memory.replacement);
    drive.recall(memory, sinceMs);
    this.drives[place] = drive;
  }

  get erasing(): boolean {
    return this.drives.some((drive) => drive.erasing);
  }

  /** What a power action would meet. `isReset`: it leaves the power on. */
  #during(isReset: boolean): "erase" | "sanitize" | null {
    const erasing = this.drives.filter((drive) => drive.erasing);
    if (erasing.length === 0) return null;
    return isReset && erasing.every((drive) => drive.goesOnOverReset) ? "sanitize" : "erase";
  }

  /** Sets faults as the control interface requests. A replaced drive is new, and has none. */
  script(body: FaultsBody): void {
    const { drives, ...others } = body;
    Object.assign(
      this.faults,
      Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined)),
    );
    for (const [serial, fault] of Object.entries(drives ?? {})) {
      const place = this.drives.findIndex((drive) => drive.identity.serial === serial);
      const drive = this.drives[place];
      if (!drive) continue;
      const { replace: _replace, ...set } = fault ?? { ...noFaults(), replace: undefined };
      Object.assign(drive.faults, set);
      this.#onChange(place, false);
      if (fault?.replace) {
        this.#replacements += 1;
        this.drives[place] = this.#makeDrive(place, this.#replacements);
        this.#onChange(place, true);
      }
    }
    this.version += 1;
    this.changed();
  }

  clearFaults(): void {
    Object.assign(this.faults, noHostFaults());
    for (const [place, drive] of this.drives.entries()) {
      Object.assign(drive.faults, noFaults());
      this.#onChange(place, false);
    }
    this.changed();
  }

  /** Somebody opens its cover. The sensor keeps that until it is reset. */
  open(): void {
    this.intrusion = "HardwareIntrusion";
    this.version += 1;
    this.changed();
  }

  setOverride(override: BootOverride): void {
    this.override = override;
    this.version += 1;
    this.changed();
  }

  /** Carries out a reset. False if the machine's state does not allow it. */
  reset(type: string): boolean {
    const off = this.power === "Off" || this.power === "PoweringOff";
    const cuts = !off && type !== "On" && type !== "ForceOn" && type !== "Nmi";
    const isReset = type === "ForceRestart" || type === "GracefulRestart";
    this.counters.power(type, cuts ? this.#during(isReset) : null);
    switch (type) {
      case "On":
      case "ForceOn":
        if (this.power !== "Off") return this.power !== "PoweringOff";
        void this.#switchOn();
        return true;
      case "Nmi":
        return !off;
      case "PushPowerButton":
        void (off ? this.#switchOn() : this.#switchOff(durationsMs.shutdown));
        return true;
      case "ForceOff":
      case "GracefulShutdown":
        if (!off) void this.#switchOff(type === "ForceOff" ? durationsMs.powerOff : durationsMs.shutdown);
        return !off;
      case "PowerCycle":
        if (!off) void this.#switchOff(durationsMs.powerOff).then(() => this.#switchOn());
        return !off;
      default:
        if (!off) this.#start();
        return !off;
    }
  }

  /** The system on the host restarts it. */
  restartItself(): void {
    this.counters.power("OsRestart", this.#during(true));
    if (this.power === "On") this.#start();
  }

  /** The agent is gone; the machine stays as it is. */
  crashAgent(): boolean {
    if (this.running !== "agent") return false;
    this.counters.agentCrashes += 1;
    this.#run?.abort(isOver);
    this.running = "idle";
    return true;
  }

  /** Ends everything at once, permanently. */
  stop(): void {
    this.#stopped = true;
    this.#run?.abort(isOver);
    this.power = "Off";
  }

  async #switchOff(hardwareMs: number): Promise<void> {
    this.#run?.abort(isOver);
    this.#become("PoweringOff", "nothing");
    await this.time.wait(hardwareMs);
    if (this.power === "PoweringOff") this.#become("Off", "nothing");
  }

  /** The clock of its BMC. It goes ahead of ours where the fleet's time runs faster. */
  bmcTime(): Date {
    return new Date(Date.now() + this.#clockAheadMs);
  }

  async #switchOn(): Promise<void> {
    if (this.#stopped) return;
    this.#become("PoweringOn", "nothing");
    await this.time.wait(durationsMs.powerOn);
    if (this.power === "PoweringOn") this.#start();
  }

  #become(power: Power, running: Running): void {
    this.power = power;
    this.version += 1;
    this.running = running;
  }

  /** A boot: whatever was running is gone, and an override for one boot is used up. */
  #start(): void {
    this.#run?.abort(isOver);
    const run = new AbortController();
    this.#run = run;
    // No machine restarts before its self test is over, however fast the fleet's time runs.
    const resetMs = Math.max(this.bmcTime().getTime(), Date.parse(this.lastResetAt) + durationsMs.selfTest);
    this.#clockAheadMs = resetMs - Date.now();
    this.lastResetAt = new Date(resetMs).toISOString();
    if (this.kitVolumes.length === 0) this.kitVolumes = [0, 1];
    for (const drive of this.drives) drive.lostPower();
    this.#become("On", "firmware");
    void this.#bootUp(run.signal);
  }

  async #bootUp(signal: AbortSignal): Promise<void> {
    // However fast the fleet's time runs, a BMC reports the reset before the firmware has finished.
    if (this.time.scaled(durationsMs.selfTest) < shortestSelfTestMs) await sleep(shortestSelfTestMs, signal);
    else await this.time.wait(durationsMs.selfTest, signal);
    if (signal.aborted) return;
    this.platform.hostRestarted();
    const { target, enabled } = this.override;
    const byOverride = enabled !== "Disabled" && (target === "Pxe" || target === "UefiHttp");
    const source = byOverride || this.platform.bootsByUrl() ? "network" : "disk";
    if (enabled === "Once") this.setOverride({ ...noOverride, mode: this.override.mode });
    await this.#boot(this, source, signal);
  }
}
