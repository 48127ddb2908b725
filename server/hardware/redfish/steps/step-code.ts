// Makes a step's code from two functions that read and change through `StepClient`. Whatever stops them becomes the result.
import type { z } from "zod";
import type {
  CallOptions,
  HardwareResult,
  StepCall,
  StepCode,
  StepProgress,
} from "@/server/hardware/interfaces";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import { CannotTell } from "@/server/hardware/redfish/inventory/gather";
import { beginWithLinks } from "@/server/hardware/redfish/power";
import type { VendorProfile } from "@/server/hardware/redfish/vendor-profile";
import { StepFailed, StepStopped, WrongArgument } from "@/server/hardware/redfish/steps/stopped";
import { StepClient } from "@/server/hardware/redfish/steps/step-client";

export type Handle = z.core.util.JSONType;

export interface StepWork {
  readonly begin: (session: StepClient) => Promise<StepProgress>;
  readonly check: (session: StepClient, handle: Handle) => Promise<StepProgress>;
}

export type StepMaker = (client: RedfishClient, profile: VendorProfile) => StepCode;

/** The step's code for any client and vendor. */
export const stepMaker =
  (work: StepWork): StepMaker =>
  (client, profile) => ({
    begin: (call, options) => run(client, profile, call, options, work.begin),
    check: (call, handle, options) =>
      run(client, profile, call, options, (session) => work.check(session, handle)),
  });

async function run(
  client: RedfishClient,
  profile: VendorProfile,
  call: StepCall,
  options: CallOptions,
  work: (session: StepClient) => Promise<StepProgress>,
): Promise<HardwareResult<StepProgress>> {
  const begun = await beginWithLinks(client, call.target, options);
  if (!begun.ok) return begun;
  try {
    return { ok: true, value: await work(new StepClient(client, begun.call, begun.links, profile, call)) };
  } catch (error) {
    if (error instanceof StepFailed) return { ok: true, value: failedBy(error) };
    if (error instanceof StepStopped || error instanceof CannotTell) return { ok: false, error: error.error };
    throw error;
  }
}

export const done = (
  message: string,
  devices: (StepProgress & { kind: "done" })["devices"] = [],
): StepProgress => ({ kind: "done", message, devices });
export const failed = (message: string): StepProgress => ({ kind: "failed", message });

const failedBy = (error: StepFailed): StepProgress => ({
  ...failed(error.message),
  ...(error instanceof WrongArgument ? { final: true } : {}),
});

/** For a failed job that only works again after the host was off and the BMC has restarted. */
export const recovered = (progress: StepProgress): StepProgress =>
  progress.kind === "failed" ? { ...progress, recovery: "powerCycle" } : progress;
