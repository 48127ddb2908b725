// Builds a hardware type from the Redfish implementation and a vendor's profile.
import type { HardwareType } from "@/server/hardware/interfaces";
import { checkBmc } from "@/server/hardware/redfish/check/check-bmc";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import { readHealth } from "@/server/hardware/redfish/health/read-health";
import { redfishInventory } from "@/server/hardware/redfish/inventory/collect";
import { redfishLeftovers } from "@/server/hardware/redfish/leftovers";
import { redfishManagement } from "@/server/hardware/redfish/management";
import { redfishPower } from "@/server/hardware/redfish/power";
import { redfishSteps } from "@/server/hardware/redfish/steps";
import { redfishBmcReset } from "@/server/hardware/redfish/reset-bmc";
import type { VendorProfile } from "@/server/hardware/redfish/vendor-profile";

/** Binds the interfaces for hosts of this vendor. All types share one client, and with it the limits per BMC. */
export function redfishHardwareType(client: RedfishClient, profile: VendorProfile): HardwareType {
  return {
    name: profile.name,
    power: redfishPower(client),
    management: redfishManagement(client),
    inventory: redfishInventory(client, profile),
    health: { read: readHealth(client) },
    check: (target, options) => checkBmc(client, target, options),
    bmcReset: redfishBmcReset(client, profile),
    leftovers: redfishLeftovers(client, profile),
    steps: redfishSteps(client, profile),
  };
}
