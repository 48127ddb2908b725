// The hardware types by name. Adding a vendor is one folder and one line here.
import type { HardwareType } from "./interfaces";
import type { RedfishClient } from "./redfish/client";
import { idracProfile } from "./redfish/dell/idrac";
import { redfishHardwareType } from "./redfish/hardware-type";
import { xclarityProfile } from "./redfish/lenovo/xclarity";
import { redfishStepNames } from "./redfish/steps";
import { genericProfile } from "./redfish/vendor-profile";

const profiles = [genericProfile, idracProfile, xclarityProfile] as const;

/** Every hardware type that a host can have, over one Redfish client. */
export function hardwareTypes(client: RedfishClient): ReadonlyMap<string, HardwareType> {
  return new Map(profiles.map((profile) => [profile.name, redfishHardwareType(client, profile)]));
}

/** Full names of the controller's steps that a hardware type has code for; null for a type that is not known. */
export function stepCodeOf(hardwareType: string): ReadonlySet<string> | null {
  const profile = profiles.find(({ name }) => name === hardwareType);
  return profile === undefined ? null : redfishStepNames(profile);
}
