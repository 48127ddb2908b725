// Made-up clean steps and hardware for tests of plans.
import { cleanStep } from "@/server/domain/cleaning/steps/step";
import type { CleanStep, KnownHardware, StepInterface } from "@/server/domain/cleaning/steps/step";
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import { noPlatformFacts } from "@/server/domain/hosts/inventory/platform";

export const step = (
  stepInterface: StepInterface,
  name: string,
  priority: number,
  applies = true,
): CleanStep =>
  cleanStep({
    interface: stepInterface,
    step: name,
    summary: "",
    priority,
    where: "controller",
    state: "WaitingForCleanup/PlatformCleanup",
    failureCause: "CleanFailed",
    applies: () => applies,
  });

/** A host about which nothing is known. */
export const nothing: KnownHardware = {
  hardwareType: "redfish",
  storage: [],
  infiniband: [],
  platform: noPlatformFacts,
  baseline: null,
};

export const drive = (transport: StorageDevice["transport"], removable = false): StorageDevice => ({
  serial: transport,
  model: "M",
  media: "nvme",
  transport,
  capacityBytes: "1",
  removable,
});
