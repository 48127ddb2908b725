// The drives in all RAID kits that this boot shows: used by the step and by the inventory, so that both mean the same set.
import type { Outcome } from "@/agent/steps/erasable-device";
import { findNvmeControllers } from "@/agent/steps/erase-nvme/find-nvme-devices";
import { failed, isRaidKit } from "@/agent/steps/erase-nvme/nvme-facts";
import { Kit, KitDevice } from "@/agent/steps/erase-raid-kit/kit-device";
import type { Tools } from "@/agent/tools/tools";

/** Fails as a whole when a kit does not tell what is in it: a set that may lack a drive is no set. */
export async function findKitDevices(
  tools: Tools,
  controllers = findNvmeControllers(tools),
): Promise<Outcome<readonly KitDevice[]>> {
  const found = await controllers;
  if (!found.ok) return found;
  const devices: KitDevice[] = [];
  for (const { path, identity } of found.value) {
    if (!isRaidKit(identity)) continue;
    const members = await tools.kit.members(path);
    if (members.value === null) return failed(`list the drives of ${path}`, members);
    const kit = new Kit(tools, path);
    devices.push(...members.value.map((member) => new KitDevice(kit, member)));
  }
  return { ok: true, value: devices };
}
