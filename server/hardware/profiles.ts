// The vendors' profiles. Adding a vendor is one folder and one line here.
import { machineTypeOf } from "@/server/domain/hardware/machine-types";
import { idracProfile } from "@/server/hardware/dell/idrac";
import { xclarityProfile } from "@/server/hardware/lenovo/xclarity";
import { genericProfile, type VendorProfile } from "@/server/hardware/redfish/vendor-profile";

export const profiles = [genericProfile, idracProfile, xclarityProfile] as const;

/** The profile of a manufacturer's machines. */
export const profileOf = (manufacturer: string): VendorProfile =>
  profiles.find(({ name }) => name === machineTypeOf(manufacturer)) ?? genericProfile;
