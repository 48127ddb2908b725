// A hardware type made of the Redfish implementation and one vendor's profile.
import type { HardwareType } from "@/server/hardware/interfaces";
import type { RedfishClient } from "./client";
import { redfishInventory } from "./inventory/collect";
import { redfishManagement } from "./management";
import { redfishPower } from "./power";
import { redfishSteps } from "./steps";
import type { VendorProfile } from "./vendor-profile";

/** Binds the interfaces for hosts of this vendor. All types share one client, and with it the limits per BMC. */
export function redfishHardwareType(client: RedfishClient, profile: VendorProfile): HardwareType {
  return { name: profile.name, power: redfishPower(client), management: redfishManagement(client), inventory: redfishInventory(client, profile), steps: redfishSteps(client, profile) };
}
