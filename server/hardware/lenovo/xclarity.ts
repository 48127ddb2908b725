// What is specific to Lenovo's XClarity Controller. It has no PowerCycle, so power is switched off and on.
import { clearTpm } from "@/server/hardware/redfish/steps/tpm";
import { genericProfile, type VendorProfile } from "@/server/hardware/redfish/vendor-profile";

export const xclarityProfile: VendorProfile = {
  ...genericProfile,
  name: "xclarity",
  /** `BMC-Backup` is the fallback image of the BMC. */
  firmwareInForce: (id) => !id.endsWith("-Backup"),
  tpmClear: { attribute: "TrustedComputingGroup_DeviceOperation", value: "Clear" },
  steps: new Map([["management.clear_tpm", clearTpm]]),
};
