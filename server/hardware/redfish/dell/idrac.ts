// Dell's iDRAC: what it does in its own way.
import type { VendorProfile } from "@/server/hardware/redfish/vendor-profile";

/** The firmware inventory lists a component up to three times: `Installed-…` runs, `Current-…` and `Previous-…` are images to install. */
export const idracProfile: VendorProfile = { name: "idrac", firmwareInForce: (id) => id.startsWith("Installed-") };
