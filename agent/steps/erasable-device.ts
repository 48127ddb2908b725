// One device that can be erased, whatever its bus: what the engine in erase-device.ts needs to know and do.
import type { StorageDevice } from "@/server/domain/inventory/inventory";
import type { DeviceStatus } from "@/server/domain/causes/status";
import type { DeviceProblem } from "@/server/domain/sanitization/device-result";
import type { EraseBus, Technique } from "@/server/domain/sanitization/techniques";
import type { Answer } from "@/agent/tools/tools";
import type { Area } from "@/agent/verification/area";

/** The device's own word on the erase that it runs or last ran. */
export interface EraseStatus {
  readonly state:
    | "idle"
    | "running"
    | "completed"
    | "failed"
    /** Erased, and held readable until it is told to go on: not over (NVMe Base Specification 2.1, 8.1.24). */
    | "mediaVerification";
  /** Of which technique it speaks; null where the device does not tell. */
  readonly technique: Technique | null;
  readonly percent: number;
  /** Verbatim, such as `SSTAT 2h, SPROG 8000h, SCDW10 4h`. */
  readonly text: string;
  /** The same as its standard codes it, where the tool tells it. */
  readonly code?: DeviceStatus;
  readonly estimateMs: number | null;
}

export type Outcome<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: string; readonly kind?: DeviceProblem };

export interface ErasableDevice {
  /** As identified in this boot. */
  readonly facts: StorageDevice;
  readonly tool: { readonly name: string; readonly version: string };
  /** Which family of techniques it speaks; the others of a policy are not meant for it. */
  readonly bus: EraseBus;
  /** Identifies the device and makes everything on it reachable: detached namespaces attached, security freeze off. */
  prepare(): Promise<Outcome<readonly Area[]>>;
  /** What can be read of it now. Changes nothing, but that detached namespaces are attached. */
  areas(): Promise<Outcome<readonly Area[]>>;
  /** Why the device cannot do this technique, by its own identification; null when it can. */
  refusal(technique: Technique): string | null;
  /** Why some techniques do not reach all of it: sectors that it hides, or may hide. Null: none. */
  hiddenArea?(): string | null;
  readStatus(): Promise<Outcome<EraseStatus>>;
  /** Sends the command. `over`: the answer came when the erase was over, so its exit code is the completion status; else the status is to be polled. */
  send(
    technique: Technique,
    hold?: boolean,
  ): Promise<{ readonly answer: Answer<true>; readonly over: boolean }>;
  /** Whether it can be asked to hold what this technique left, to be read before it is deallocated: `send` with `hold`. */
  holds?(technique: Technique): boolean;
  /** Ends the media verification state. */
  leaveMediaVerification?(): Promise<Answer<true>>;
  /** Leaves the state in which a failed sanitize left it, where the device has a command for that: nothing is erased by it. Null: it has none. */
  leaveFailure?(): Promise<Answer<true> | null>;
  /** `renew` may delete namespaces and create one anew, so that what an erase left could be read no more. */
  readonly renewsNamespaces?: boolean;
  /** After a verified erase: back to one full-size namespace, security off. */
  renew(): Promise<Outcome<readonly string[]>>;
  health(): Promise<string | undefined>;
}
