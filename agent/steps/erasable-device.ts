// One device that can be erased, on any bus: what the engine in erase-device.ts needs to know and do.
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import type { DeviceStatus } from "@/server/domain/cleaning/failures/status";
import type { DeviceProblem } from "@/server/domain/cleaning/sanitization/device-result";
import type { EraseBus, Technique } from "@/server/domain/cleaning/sanitization/techniques";
import type { Answer, Tools } from "@/agent/tools/tools";
import { unreadableArea, type Area } from "@/agent/verification/area";

/** The device's own status of the erase that it is running or ran last. */
export interface EraseStatus {
  readonly state:
    | "idle"
    | "running"
    | "completed"
    | "failed"
    /** Erased, and kept readable until the exit command; not over yet (NVMe Base Specification 2.1, 8.1.24). */
    | "mediaVerification";
  /** The technique that the status is about; null if the device does not report it. */
  readonly technique: Technique | null;
  readonly percent: number;
  /** Verbatim, such as `SSTAT 2h, SPROG 8000h, SCDW10 4h`. */
  readonly text: string;
  /** The same as coded by its standard, if the tool shows it. */
  readonly code?: DeviceStatus;
  readonly estimateMs: number | null;
  /** Only false: when its erase is over the device reports nothing, like one that never had one. */
  readonly tellsEnd?: false;
}

export type Outcome<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: string; readonly kind?: DeviceProblem };

export interface ErasableDevice {
  /** As identified in this boot. */
  readonly facts: StorageDevice;
  readonly tool: { readonly name: string; readonly version: string };
  /** The family of techniques that the device supports; a policy's techniques for other buses do not apply to it. */
  readonly bus: EraseBus;
  /** Identifies the device and makes everything on it reachable: attaches detached namespaces and ends the security freeze. */
  prepare(): Promise<Outcome<readonly Area[]>>;
  /** What can be read on it now. Changes nothing except that detached namespaces are attached. */
  areas(): Promise<Outcome<readonly Area[]>>;
  /** Why the device does not support this technique, by its own identification; null if it does. */
  refusal(technique: Technique): string | null;
  /** Why some techniques do not reach all of it: sectors that it hides or may hide. Null: none. */
  hiddenArea?(): string | null;
  readStatus(): Promise<Outcome<EraseStatus>>;
  /** Sends the command. `over`: the answer came after the erase, so its exit code is the completion status; otherwise the status must be polled. */
  send(
    technique: Technique,
    hold?: boolean,
  ): Promise<{ readonly answer: Answer<true>; readonly over: boolean }>;
  /** Whether `send` with `hold` can keep what this technique left readable before it is deallocated. */
  holds?(technique: Technique): boolean;
  /** Ends the media verification state. */
  leaveMediaVerification?(): Promise<Answer<true>>;
  /** Leaves the failed state of a sanitize, if the device has a command for that; erases nothing. Null: there is none. */
  leaveFailure?(): Promise<Answer<true> | null>;
  /** `renew` may delete namespaces and create a new one, after which what an erase left can no longer be read. */
  readonly renewsNamespaces?: boolean;
  /** After a verified erase: back to one full-size namespace, with security off. */
  renew(): Promise<Outcome<readonly string[]>>;
  health(): Promise<string | undefined>;
}

/** Whether something of each of its areas can be read: nothing can while the device erases, whatever its controller answers for it. */
export async function isReadable(device: ErasableDevice, blocks: Tools["blocks"]): Promise<boolean> {
  const areas = await device.areas();
  return areas.ok && (await unreadableArea(blocks, areas.value)) === null;
}
