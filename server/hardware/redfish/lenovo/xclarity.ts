// Lenovo's XClarity Controller: what it does in its own way. It has no PowerCycle, so power is switched off and on.
import type { VendorProfile } from "@/server/hardware/redfish/vendor-profile";

/** `BMC-Backup` is the image that the BMC falls back to. */
export const xclarityProfile: VendorProfile = { name: "xclarity", firmwareInForce: (id) => !id.endsWith("-Backup") };
