// All NVMe controllers that this boot shows, identified: used by the step and by the inventory, so that both mean the same set.
import type { Outcome } from "@/agent/steps/erasable-device";
import { NvmeDevice, nvmeFacts } from "@/agent/steps/erase-nvme/nvme-device";
import { failed } from "@/agent/steps/erase-nvme/nvme-facts";
import type { NvmeController, Tools } from "@/agent/tools/tools";

/** Controllers without capacity reporting (TNVMCAP 0) get the sum of their namespaces. */
async function capacityOf(tools: Tools, controller: string, identity: NvmeController, namespaces: readonly number[]): Promise<bigint> {
  if (identity.tnvmcapBytes > 0n) return identity.tnvmcapBytes;
  let sum = 0n;
  for (const namespace of namespaces) {
    const { value } = await tools.nvme.identifyNamespace(controller, namespace);
    sum += BigInt(value?.nsze ?? 0) * BigInt(value?.formats[value.format]?.dataBytes ?? 0);
  }
  return sum;
}

/** Fails as a whole when one controller cannot be identified: a set that may lack a device is no set. */
export async function findNvmeDevices(tools: Tools): Promise<Outcome<readonly NvmeDevice[]>> {
  const controllers = await tools.nvme.list();
  if (controllers.value === null) return failed("list the NVMe controllers", controllers);
  const devices: NvmeDevice[] = [];
  for (const controller of controllers.value) {
    const identity = await tools.nvme.identify(controller);
    if (identity.value === null) return failed(`identify ${controller}`, identity);
    const namespaces = await tools.nvme.namespaces(controller, "all");
    if (namespaces.value === null) return failed(`list the namespaces of ${controller}`, namespaces);
    const capacity = await capacityOf(tools, controller, identity.value, namespaces.value);
    devices.push(new NvmeDevice(tools, controller, identity.value, nvmeFacts(identity.value, namespaces.value, capacity)));
  }
  return { ok: true, value: devices };
}
