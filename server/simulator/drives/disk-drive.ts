// A simulated SATA or SAS disk, backed by bytes.
import type { HardwareTime } from "@/server/simulator/hardware-time";
import { Content } from "@/server/simulator/drives/content";
import { Drive, type DriveIdentity, type EraseKind } from "@/server/simulator/drives/drive";
import type { DriveBody } from "@/server/simulator/state/memory";

/** What a model can do, as its identification shows it. */
export interface DiskModel {
  readonly transport: "sata" | "sas";
  readonly rotational: boolean;
  readonly sanitizeCrypto: boolean;
  readonly sanitizeBlock: boolean;
  readonly seconds: {
    readonly crypto: number;
    readonly block: number;
    readonly overwrite: number;
    readonly format: number;
  };
}

export class DiskDrive extends Drive {
  readonly blockBytes = 512;
  readonly #content: Content;
  #password: string | null = null;
  #locked = false;

  constructor(
    identity: DriveIdentity,
    time: HardwareTime,
    key: number,
    readonly model: DiskModel,
  ) {
    super(identity, time, key);
    this.#content = new Content(this.blockBytes, { kind: "tenant", key: this.freshKey() });
  }

  /** Powered up with a password set: nothing can be read, written or sanitized until it is unlocked. */
  get locked(): boolean {
    return this.#locked;
  }

  /** False if the password is wrong. */
  unlock(password: string): boolean {
    if (this.#password === password) this.#locked = false;
    return !this.#locked;
  }

  override lostPower(): void {
    super.lostPower();
    this.#locked = this.#password !== null;
  }

  /** The ATA security password that is set, if any. */
  get password(): string | null {
    return this.#password;
  }

  set password(password: string | null) {
    this.#password = password;
    if (password === null) this.#locked = false;
    this.onChange(false);
  }

  protected body(): DriveBody {
    return { kind: "disk", password: this.#password, content: this.#content.memory() };
  }

  protected recallBody(body: DriveBody): void {
    if (body.kind !== "disk")
      throw new Error(`${this.identity.serial} is a disk, and what is known of it is not about one`);
    this.#password = body.password;
    this.#locked = body.password !== null;
    this.#content.recall(body.content);
  }

  contents(): readonly Content[] {
    return [this.#content];
  }

  offers(kind: EraseKind): boolean {
    if (kind === "crypto") return this.model.sanitizeCrypto && !this.faults.noCrypto;
    return kind === "block" ? this.model.sanitizeBlock : true;
  }

  /** False if the drive refuses. Otherwise the erase continues by itself. */
  erase(kind: EraseKind, by: "sanitize" | "command" = "sanitize"): boolean {
    if (this.erasing || this.#locked || !this.offers(kind)) return false;
    this.begin(kind, by, 0, this.model.seconds[kind] * 1000);
    return true;
  }

  get blocks(): number {
    return Number(this.identity.capacityBytes / BigInt(this.blockBytes));
  }

  read(block: number): Buffer | null {
    if (this.erasing || this.#locked || block < 0 || block >= this.blocks) return null;
    return this.readFrom(this.#content, block);
  }

  write(block: number, content: Uint8Array): boolean {
    if (this.erasing || this.#locked || block < 0 || block >= this.blocks) return false;
    this.#content.write(block, content);
    this.onChange(false);
    return true;
  }
}
