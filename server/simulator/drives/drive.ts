// What all simulated drives share: identity, faults, and an erase that takes hardware time and continues over resets of the host.
import type { HardwareTime } from "@/server/simulator/hardware-time";
import type { Base, Content } from "@/server/simulator/drives/content";
import type { DriveBody, DriveMemory } from "@/server/simulator/state/memory";

export interface DriveIdentity {
  readonly serial: string;
  readonly model: string;
  readonly manufacturer: string;
  readonly firmware: string;
  readonly wwn: string;
  readonly slot: string;
  readonly capacityBytes: bigint;
  /** The boot card that it is on: the host does not see it as a separate drive. */
  readonly card?: "boss" | "kit";
}

/** How a drive misbehaves. `erase` faults stay until cleared. */
export interface DriveFaults {
  /** Accepts the command, then reports failure. */
  failErase: boolean;
  /** Reports success, and keeps its bytes. */
  lieErase: boolean;
  /** The host does not see it. */
  vanish: boolean;
  /** Does not offer cryptographic erase. */
  noCrypto: boolean;
  /** Starts the erase and never progresses. */
  hangErase: boolean;
  /** Blocks cannot be read after an erase. */
  readErrors: boolean;
  /** The host reads no serial number, or no model, from it. */
  noSerial: boolean;
  noModel: boolean;
}

export const noFaults = (): DriveFaults => ({
  failErase: false,
  lieErase: false,
  vanish: false,
  noCrypto: false,
  hangErase: false,
  readErrors: false,
  noSerial: false,
  noModel: false,
});

export type EraseKind = "crypto" | "block" | "overwrite" | "format";

/** What runs an erase: a sanitize and what a controller does go on over a reset of the host; another command of the host is broken off by it. */
export type ErasedBy = "sanitize" | "command" | "controller";

interface Operation {
  readonly kind: EraseKind;
  readonly by: ErasedBy;
  /** The number in the command, such as SANACT. */
  readonly code: number;
  readonly targets: readonly Content[];
  readonly hardwareMs: number;
  readonly totalMs: number;
  readonly startedAt: number;
  readonly hangs: boolean;
  readonly fails: boolean;
  readonly lies: boolean;
}

export interface LastErase {
  readonly state: "never" | "running" | "completed" | "failed";
  readonly kind: EraseKind | null;
  readonly code: number;
  /** 0 to 1. */
  readonly progress: number;
}

const hangsAt = 0.01;

export abstract class Drive {
  readonly faults = noFaults();
  /** Erase commands that the drive accepted, for tests: none may be sent twice without reading the status in between. */
  readonly accepted: { readonly kind: EraseKind; readonly at: number }[] = [];
  #running: Operation | null = null;
  #last: LastErase & { readonly state: "never" | "completed" | "failed" } = {
    state: "never",
    kind: null,
    code: 0,
    progress: 0,
  };
  #keys = 0;
  /** Called for every change that the drive would keep without power; `lasting` if its contents were replaced. */
  onChange: (lasting: boolean) => void = () => undefined;

  readonly #key: number;

  constructor(
    readonly identity: DriveIdentity,
    protected readonly time: HardwareTime,
    key: number,
  ) {
    this.#key = key;
  }

  protected abstract body(): DriveBody;
  protected abstract recallBody(body: DriveBody): void;

  /** The host was switched off or restarted: a command that breaks off leaves everything as it was. */
  lostPower(): void {
    if (!this.erasing || this.#running?.by !== "command") return;
    this.#running = null;
    this.onChange(false);
  }

  /** It runs an erase of which its specification says that it goes on over a reset of the host. */
  get goesOnOverReset(): boolean {
    return false;
  }

  /** What runs its erase; null: none runs. */
  protected get erasedBy(): ErasedBy | null {
    return this.erasing ? (this.#running?.by ?? null) : null;
  }

  /** The serial number and model that it reports. */
  get reported(): Pick<DriveIdentity, "serial" | "model"> {
    const { serial, model } = this.identity;
    return { serial: this.faults.noSerial ? "" : serial, model: this.faults.noModel ? "" : model };
  }

  /** What the drive keeps without power. */
  memory(): Omit<DriveMemory, "replacement"> {
    this.lastErase();
    const { state, kind, code } = this.#last;
    const contents = this.contents();
    const running = this.#running;
    return {
      keys: this.#keys,
      last: { state, kind, code },
      running: running && this.#runningMemory(running, contents),
      faults: Object.values(this.faults).some(Boolean) ? { ...this.faults } : null,
      body: this.body(),
    };
  }

  #runningMemory(
    { startedAt, targets, ...others }: Operation,
    contents: readonly Content[],
  ): DriveMemory["running"] {
    return {
      ...others,
      targets: targets.map((target) => contents.indexOf(target)).filter((place) => place !== -1),
      elapsedMs: this.time.now() - startedAt,
    };
  }

  /** Restores the drive's state. An erase has continued for `sinceMs` real milliseconds since, and continues from here. */
  recall(memory: Omit<DriveMemory, "replacement">, sinceMs: number): void {
    Object.assign(this.faults, memory.faults ?? noFaults());
    this.recallBody(memory.body);
    this.#keys = memory.keys;
    this.#last = { ...memory.last, progress: memory.last.state === "never" ? 0 : 1 };
    const { running } = memory;
    if (!running) return;
    const { kind, by, code, hardwareMs, hangs, fails, lies } = running;
    const contents = this.contents();
    const targets = running.targets.flatMap((place) => contents[place] ?? []);
    const progress = running.totalMs <= 0 ? 1 : Math.min(1, (running.elapsedMs + sinceMs) / running.totalMs);
    const totalMs = this.time.scaled(hardwareMs);
    this.#running = {
      kind,
      by,
      code,
      targets,
      hardwareMs,
      totalMs,
      startedAt: this.time.now() - progress * totalMs,
      hangs,
      fails,
      lies,
    };
  }

  /** Every range of blocks on the drive, including those that the host cannot reach at the moment. */
  abstract contents(): readonly Content[];

  /** A key that the drive has not used before. */
  protected freshKey(): number {
    this.#keys += 1;
    return (this.#key + Math.imul(this.#keys, 0x9e3779b1)) | 0;
  }

  get erasing(): boolean {
    return this.lastErase().state === "running";
  }

  get holdsTenantData(): boolean {
    this.lastErase();
    return this.contents().some((content) => content.holdsTenantData);
  }

  /** A tenant's system fills the drive with its own data. */
  fillWithTenantData(): void {
    this.lastErase();
    for (const content of this.contents()) content.replace({ kind: "tenant", key: this.freshKey() });
    this.onChange(true);
  }

  /** Starts an erase of these contents, or of all. */
  protected begin(
    kind: EraseKind,
    by: ErasedBy,
    code: number,
    hardwareMs: number,
    targets = this.contents(),
  ): void {
    const { hangErase: hangs, failErase: fails, lieErase: lies } = this.faults;
    this.accepted.push({ kind, at: this.time.now() });
    if (this.accepted.length > 64) this.accepted.shift();
    this.#running = {
      kind,
      by,
      code,
      targets,
      hardwareMs,
      totalMs: this.time.scaled(hardwareMs),
      startedAt: this.time.now(),
      hangs,
      fails,
      lies,
    };
    this.onChange(false);
  }

  /** The controller in front of the drive erases it. */
  eraseByController(hardwareMs: number): void {
    this.begin("crypto", "controller", 0, hardwareMs);
  }

  /** The current state: an operation takes effect the first time somebody looks after its time has passed. */
  lastErase(): LastErase {
    const running = this.#running;
    if (!running) return this.#last;
    const { kind, code, targets, totalMs, startedAt, hangs, fails, lies } = running;
    if (hangs && this.faults.hangErase) return { state: "running", kind, code, progress: hangsAt };
    const progress = totalMs <= 0 ? 1 : (this.time.now() - startedAt) / totalMs;
    if (progress < 1) return { state: "running", kind, code, progress };
    if (!fails && !lies) for (const content of targets) content.replace(this.#leftBy(kind));
    this.#running = null;
    this.#last = { state: fails ? "failed" : "completed", kind, code, progress: 1 };
    this.onChange(true);
    return this.#last;
  }

  #leftBy(kind: EraseKind): Base {
    return kind === "crypto" ? { kind: "noise", key: this.freshKey() } : { kind: "zeros" };
  }

  /** Null if the drive returns a read error. */
  protected readFrom(content: Content, block: number): Buffer | null {
    const { state } = this.lastErase();
    if (this.faults.readErrors && state === "completed") return null;
    return content.read(block);
  }
}
