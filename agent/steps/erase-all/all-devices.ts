// Every drive of the host that can be erased, whatever its bus.
import type { ErasableDevice, Outcome } from "@/agent/steps/erasable-device";
import { findDisks } from "@/agent/steps/erase-disks/find-disks";
import { findNvmeControllers, findNvmeDevices } from "@/agent/steps/erase-nvme/find-nvme-devices";
import { findKitDevices } from "@/agent/steps/erase-raid-kit/find-kit-devices";
import type { Tools } from "@/agent/tools/tools";

/** Fails as a whole if one drive cannot be identified: an incomplete device list is rejected. */
export async function findAllDevices(tools: Tools): Promise<Outcome<readonly ErasableDevice[]>> {
  const controllers = findNvmeControllers(tools);
  const nvme = await findNvmeDevices(tools, controllers);
  if (!nvme.ok) return nvme;
  const kits = await findKitDevices(tools, controllers);
  if (!kits.ok) return kits;
  const disks = await findDisks(tools);
  return disks.ok ? { ok: true, value: [...nvme.value, ...kits.value, ...disks.value] } : disks;
}
