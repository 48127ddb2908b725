// The drives in all RAID kits that this boot shows. Used by the step and by the inventory, so that both have the same list.
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import type { Outcome } from "@/agent/steps/erasable-device";
import { findNvmeControllers } from "@/agent/steps/erase-nvme/find-nvme-devices";
import { failed, isRaidKit } from "@/agent/steps/erase-nvme/nvme-facts";
import { Kit, KitDevice, kitFacts } from "@/agent/steps/erase-raid-kit/kit-device";
import { namedDevices } from "@/agent/steps/named-devices";
import type { KitMember, Tools } from "@/agent/tools/tools";

export interface FoundKitMember {
  readonly kit: Kit;
  readonly member: KitMember;
  readonly facts: StorageDevice;
}

/** Fails as a whole if a kit does not list its drives: an incomplete device list is rejected. */
export async function listKitMembers(
  tools: Tools,
  controllers = findNvmeControllers(tools),
): Promise<Outcome<readonly FoundKitMember[]>> {
  const found = await controllers;
  if (!found.ok) return found;
  const all: FoundKitMember[] = [];
  for (const { path, identity } of found.value) {
    if (!isRaidKit(identity)) continue;
    const members = await tools.kit.members(path);
    if (members.value === null) return failed(`list the drives of ${path}`, members);
    const kit = new Kit(tools, path);
    all.push(...members.value.map((member) => ({ kit, member, facts: kitFacts(member) })));
  }
  return { ok: true, value: all };
}

/** The drives that can be erased. */
export const findKitDevices = async (
  tools: Tools,
  controllers = findNvmeControllers(tools),
): Promise<Outcome<readonly KitDevice[]>> =>
  namedDevices(await listKitMembers(tools, controllers), ({ kit, member }) => new KitDevice(kit, member));
