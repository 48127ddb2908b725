// The host as this boot shows it: sent with `register` and answered to `discover`.
import type { HardwareInventory } from "@/server/domain/inventory/inventory";
import { diskFacts } from "@/agent/steps/erase-disks/find-disks";
import { findNvmeControllers, findNvmeDevices } from "@/agent/steps/erase-nvme/find-nvme-devices";
import { findKitDevices } from "@/agent/steps/erase-raid-kit/find-kit-devices";
import type { Answer, Tools } from "@/agent/tools/tools";

/** A host whose inventory cannot be read completely has none: what is not listed would not be missed. */
export class InventoryError extends Error {
  override readonly name = "InventoryError";
}

function required<Value>(what: string, answer: Answer<Value>): Value {
  if (answer.value === null)
    throw new InventoryError(
      `could not read ${what}: ${answer.command} answered ${answer.exitCode}: ${answer.status}`,
    );
  return answer.value;
}

/** Throws InventoryError. */
export async function readInventory(tools: Tools): Promise<HardwareInventory> {
  const controllers = findNvmeControllers(tools);
  const nvme = await findNvmeDevices(tools, controllers);
  if (!nvme.ok) throw new InventoryError(nvme.problem);
  const kits = await findKitDevices(tools, controllers);
  if (!kits.ok) throw new InventoryError(kits.problem);
  const disks = required("the disks", await tools.disks.list());
  const { manufacturer, product, serial, uuid, biosVersion } = required(
    "the system's identity",
    await tools.system.identity(),
  );
  const nics = required("the network interfaces", await tools.system.nics());
  return {
    system: { manufacturer, product, serial, uuid, biosVersion },
    cpus: [...required("the processors", await tools.system.cpus())],
    memoryBytes: String(required("the size of memory", await tools.system.memoryBytes())),
    storage: [
      ...nvme.value.map(({ facts }) => facts),
      ...kits.value.map(({ facts }) => facts),
      ...disks.map(diskFacts),
    ],
    nics: nics.map(({ name, mac, model }) => ({ name, mac, ...(model === undefined ? {} : { model }) })),
    infiniband: [...required("the InfiniBand devices", await tools.mst.list())],
  };
}
