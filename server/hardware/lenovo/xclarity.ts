// Lenovo's XClarity Controller: what it does in its own way. It has no PowerCycle, so power is switched off and on.
import { clearTpm } from "@/server/hardware/redfish/steps/tpm";
import { genericProfile, type VendorProfile } from "@/server/hardware/redfish/vendor-profile";

export const xclarityProfile: VendorProfile = {
  ...genericProfile,
  name: "xclarity",
  /** `BMC-Backup` is the image that the BMC falls back to. */
  firmwareInForce: (id) => !id.endsWith("-Backup"),
  tpmClear: { attribute: "TrustedComputingGroup_DeviceOperation", value: "Clear" },
  steps: new Map([["management.clear_tpm", clearTpm]]),
};
