// What a decision stores about hardware: a reading of the BMC, the matched SKU, and the deletion of the host.
import type { Decision, HostPatch, StoragePatch } from "@/server/controller/host/decision";

export class HardwareChanges {
  #found: HostPatch | null = null;
  #storage: StoragePatch | null = null;
  #parts: Decision["parts"] = null;
  #matchedSku: Decision["matchedSku"] = null;
  #deleted = false;
  #eraseLeftUntilMs: number | null = null;

  /** The whole inventory, read in this decision. */
  get found(): HostPatch | null {
    return this.#found;
  }
  /** The drives alone, read in this decision. */
  get storage(): StoragePatch | null {
    return this.#storage;
  }
  /** The parts that the host is verified with, if they are new. */
  get parts(): Decision["parts"] {
    return this.#parts;
  }
  /** The SKU that the host matches. */
  get matchedSku(): Decision["matchedSku"] {
    return this.#matchedSku;
  }
  /** True if the host leaves Reclaim. */
  get deleted(): boolean {
    return this.#deleted;
  }
  /** Until when an erase that the deleted host leaves behind may continue. */
  get eraseLeftUntilMs(): number | null {
    return this.#eraseLeftUntilMs;
  }

  keep(found: HostPatch): void {
    this.#found = found;
  }

  keepStorage(storage: StoragePatch): void {
    this.#storage = storage;
  }

  keepParts(parts: NonNullable<Decision["parts"]>): void {
    this.#parts = parts;
  }

  matchSku({ id, version }: NonNullable<Decision["matchedSku"]>): void {
    this.#matchedSku = { id, version };
  }

  delete(): void {
    this.#deleted = true;
  }

  leaveErase(untilMs: number | null): void {
    this.#eraseLeftUntilMs = untilMs;
  }
}
