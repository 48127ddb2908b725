// All NVMe drives that this boot shows, identified. Used by the step and by the inventory, so that both have the same list.
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import type { Outcome } from "@/agent/steps/erasable-device";
import { NvmeDevice, nvmeFacts } from "@/agent/steps/erase-nvme/nvme-device";
import { failed, isRaidKit } from "@/agent/steps/erase-nvme/nvme-facts";
import { namedDevices } from "@/agent/steps/named-devices";
import type { NvmeController, Tools } from "@/agent/tools/tools";

/** Controllers without capacity reporting (TNVMCAP 0) get the sum of their namespaces. */
async function capacityOf(
  tools: Tools,
  controller: string,
  identity: NvmeController,
  namespaces: readonly number[],
): Promise<bigint> {
  if (identity.tnvmcapBytes > 0n) return identity.tnvmcapBytes;
  let sum = 0n;
  for (const namespace of namespaces) {
    const { value } = await tools.nvme.identifyNamespace(controller, namespace);
    sum += BigInt(value?.nsze ?? 0) * BigInt(value?.formats[value.format]?.dataBytes ?? 0);
  }
  return sum;
}

export interface FoundController {
  readonly path: string;
  readonly identity: NvmeController;
}

/** Fails as a whole if one controller cannot be identified: an incomplete device list is rejected. */
export async function findNvmeControllers(tools: Tools): Promise<Outcome<readonly FoundController[]>> {
  const controllers = await tools.nvme.list();
  if (controllers.value === null) return failed("list the NVMe controllers", controllers);
  const found: FoundController[] = [];
  for (const path of controllers.value) {
    const identity = await tools.nvme.identify(path);
    if (identity.value === null) return failed(`identify ${path}`, identity);
    found.push({ path, identity: identity.value });
  }
  return { ok: true, value: found };
}

export interface FoundNvmeDrive extends FoundController {
  readonly facts: StorageDevice;
}

/** The drives among the controllers; a RAID kit is not a drive, but its members are (find-kit-devices.ts). Fails as a whole, too. */
export async function listNvmeDrives(
  tools: Tools,
  controllers = findNvmeControllers(tools),
): Promise<Outcome<readonly FoundNvmeDrive[]>> {
  const found = await controllers;
  if (!found.ok) return found;
  const drives: FoundNvmeDrive[] = [];
  for (const { path, identity } of found.value) {
    if (isRaidKit(identity)) continue;
    const namespaces = await tools.nvme.namespaces(path, "all");
    if (namespaces.value === null) return failed(`list the namespaces of ${path}`, namespaces);
    const capacity = await capacityOf(tools, path, identity, namespaces.value);
    drives.push({ path, identity, facts: nvmeFacts(identity, namespaces.value, capacity) });
  }
  return { ok: true, value: drives };
}

/** The drives that can be erased. */
export const findNvmeDevices = async (
  tools: Tools,
  controllers = findNvmeControllers(tools),
): Promise<Outcome<readonly NvmeDevice[]>> =>
  namedDevices(
    await listNvmeDrives(tools, controllers),
    ({ path, identity, facts }) => new NvmeDevice(tools, path, identity, facts),
  );
