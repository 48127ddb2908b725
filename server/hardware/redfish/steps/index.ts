// The code of every clean step that a Redfish BMC performs. A vendor's own steps come with its profile.
import type { StepCode } from "@/server/hardware/interfaces";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import type { VendorProfile } from "@/server/hardware/redfish/vendor-profile";
import { restoreBootOrder } from "@/server/hardware/redfish/steps/boot-order";
import { verifyBmcBaseline } from "@/server/hardware/redfish/steps/baseline";
import { applyConfiguration, factoryReset, recommit } from "@/server/hardware/redfish/steps/bios";
import { secureEraseDrives } from "@/server/hardware/redfish/steps/erase-drives";
import { updateFirmware, verifyFirmware } from "@/server/hardware/redfish/steps/firmware";
import { applyFirmware } from "@/server/hardware/redfish/steps/firmware-baseline";
import { resetToDefaults } from "@/server/hardware/redfish/steps/reset-to-defaults";
import { resetBmc, setBootMode } from "@/server/hardware/redfish/steps/manager";
import { createConfiguration, deleteConfiguration } from "@/server/hardware/redfish/steps/raid";
import { resetSecureBootKeys } from "@/server/hardware/redfish/steps/secure-boot-keys";
import type { StepMaker } from "@/server/hardware/redfish/steps/step-code";

const standard: ReadonlyMap<string, StepMaker> = new Map([
  ["management.verify_bmc_baseline", verifyBmcBaseline],
  ["management.restore_boot_order", restoreBootOrder],
  ["management.reset_bmc", resetBmc],
  ["management.reset_bmc_to_defaults", resetToDefaults],
  ["management.reset_secure_boot_keys_to_default", resetSecureBootKeys],
  ["management.set_boot_mode", setBootMode],
  ["bios.recommit", recommit],
  ["bios.apply_configuration", applyConfiguration],
  ["bios.factory_reset", factoryReset],
  ["raid.secure_erase_drives", secureEraseDrives],
  ["raid.create_configuration", createConfiguration],
  ["raid.delete_configuration", deleteConfiguration],
  ["firmware.apply_baseline", applyFirmware],
  ["firmware.verify_baseline", verifyFirmware],
  ["firmware.update", updateFirmware],
]);

/** By full name, for hosts of this vendor. */
export function redfishSteps(client: RedfishClient, profile: VendorProfile): ReadonlyMap<string, StepCode> {
  return new Map([...standard, ...profile.steps].map(([name, make]) => [name, make(client, profile)]));
}

/** Full names of these steps. */
export const redfishStepNames = (profile: VendorProfile): ReadonlySet<string> =>
  new Set([...standard.keys(), ...profile.steps.keys()]);
