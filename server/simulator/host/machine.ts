// Names for what a simulated machine is doing, and how long it takes.

export type Power = "On" | "Off" | "PoweringOn" | "PoweringOff";

/** What runs on the host. `tenant`: a tenant's system, which writes to the drives. */
export type Running = "nothing" | "firmware" | "network-boot" | "agent" | "tenant" | "idle";

/** How long machines take, in hardware time. */
export const durationsMs = {
  powerOn: 2_000,
  powerOff: 3_000,
  shutdown: 20_000,
  selfTest: 75_000,
  imageLoad: 15_000,
} as const;

export const shortestSelfTestMs = 25;

export interface BootOverride {
  readonly target: string;
  readonly enabled: string;
  readonly mode: string;
}

export const noOverride: BootOverride = { target: "None", enabled: "Disabled", mode: "UEFI" };

/** What changed: the host itself, or the drive in a place; `lasting` if the drive's contents were replaced. */
export type OnChange = (place: number | null, lasting: boolean) => void;
