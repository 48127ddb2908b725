// What is specific to Dell's iDRAC.
import { z } from "zod";
import { hasQuirk } from "@/server/domain/hardware/quirks";
import { links, optionalLink } from "@/server/hardware/redfish/resources/references";
import { pathOfLink } from "@/server/hardware/redfish/resources/resources";
import { clearTpm } from "@/server/hardware/redfish/steps/tpm";
import type { VendorProfile } from "@/server/hardware/redfish/vendor-profile";
import { createBossVolume, secureEraseBoss } from "@/server/hardware/dell/boss";
import { clearJobQueue, deleteJob } from "@/server/hardware/dell/job-queue";
import { lockBmc } from "@/server/hardware/dell/lock";

const ownLinks = z.object({ DellAttributes: links, DellJobService: optionalLink, Jobs: optionalLink });
const manager = z.object({ "@odata.id": z.string(), Links: z.object({ Oem: z.object({ Dell: ownLinks }) }) });

/** The manager's own attributes are listed with those of the system and the lifecycle controller. Theirs carry the manager's id. */
function managerAttributes(body: unknown): string | null {
  const found = manager.safeParse(body).data;
  const id = found?.["@odata.id"].replace(/\/$/, "").split("/").at(-1);
  const path = found?.Links.Oem.Dell.DellAttributes.find((item) => item.endsWith(`/${id}`));
  return path === undefined ? null : pathOfLink({ "@odata.id": path });
}

export const idracProfile: VendorProfile = {
  name: "idrac",
  /** The firmware inventory lists a component up to three times: `Installed-…` is running, `Current-…` and `Previous-…` are images to install. */
  firmwareInForce: (id) => id.startsWith("Installed-"),
  tpmClear: { attribute: "Tpm2Hierarchy", value: "Clear" },
  ownManagerLinks: true,
  lockdown: {
    resource: managerAttributes,
    attribute: "Lockdown.1.SystemLockdown",
    on: "Enabled",
    off: "Disabled",
  },
  jobQueue: (body) => {
    const own = manager.safeParse(body).data?.Links.Oem.Dell;
    const [service, jobs] = [pathOfLink(own?.DellJobService), pathOfLink(own?.Jobs)];
    return service === null || jobs === null ? null : { service, jobs };
  },
  deleteJob,
  isBootCard: ({ Id, StorageControllers }) =>
    hasQuirk("bootCard", { model: Id }) ||
    (StorageControllers ?? []).some((row) => hasQuirk("bootCard", { model: row?.Model ?? row?.Name })),
  // Dell iDRAC attribute registry, BIOS.SysSecurity.SHA256SetupPassword.
  uefiPasswordHash: "SHA256SetupPassword",
  // There are sixteen account slots. An account is removed by disabling its slot.
  accountSlots: true,
  steps: new Map([
    ["management.clear_tpm", clearTpm],
    ["management.lock_bmc", lockBmc],
    ["management.clear_job_queue", clearJobQueue],
    ["raid.secure_erase_boss", secureEraseBoss],
    ["raid.create_boss_volume", createBossVolume],
  ]),
};
