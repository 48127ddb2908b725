// InfiniBand devices of a machine: found in sysfs, configured by mstflint's mstconfig.
import { answerOf, doneOf, given, refused, text } from "@/agent/tools/machine/program/answers";
import { lineIn, type Files } from "@/agent/tools/machine/program/files";
import { pciFolder, pciFunctions } from "@/agent/tools/machine/program/pci";
import { programs } from "@/agent/tools/machine/program/paths";
import { commandText, type RunTool } from "@/agent/tools/machine/program/run-tool";
import type { InfinibandDevice } from "@/server/domain/hosts/inventory/inventory";
import { dpuDevices } from "@/server/domain/hosts/parts/pci-kind";
import type { Answer, MstTools } from "@/agent/tools/tools";

const folder = "/sys/class/infiniband";
const slotName = /^[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-9a-f]$/;
const settingName = /^[A-Z][A-Z0-9_]{0,63}$/;
const settingValue = /^[\w.-]{1,64}$/;

/** "KEEP_IB_LINK_UP_P1      False(0)": the number in brackets is the value. */
export const readSettings = text((output): Readonly<Record<string, string>> | null => {
  const values = [...output.matchAll(/^\s+([A-Z][A-Z0-9_]*)\s+(\S+)\s*$/gm)].map(
    ([, name = "", value = ""]): [string, string] => [name, /\((\d+)\)$/.exec(value)?.[1] ?? value],
  );
  return values.length === 0 || !/^Configurations:/m.test(output) ? null : Object.fromEntries(values);
});

/** Null: the device cannot be read. */
async function readDevice(files: Files, name: string): Promise<InfinibandDevice | null> {
  const slot = (await files.real(`${folder}/${name}/device`))?.split("/").at(-1);
  const guid = await lineIn(files, `${folder}/${name}/node_guid`);
  const ports = await files.list(`${folder}/${name}/ports`);
  const device = await lineIn(files, `${folder}/${name}/device/device`);
  if (slot === undefined || !slotName.test(slot) || guid === null || device === null) return null;
  if (ports === null || ports.length === 0) return null;
  return {
    slot,
    model: (await lineIn(files, `${folder}/${name}/board_id`)) ?? device,
    guid: guid.replaceAll(":", ""),
    ports: ports.length,
    dpu: dpuDevices.has(device),
  };
}

/** "1: InfiniBand" or "1: Ethernet", by port: an Ethernet card is not an InfiniBand device. */
async function isInfiniband(files: Files, name: string): Promise<boolean> {
  const ports = (await files.list(`${folder}/${name}/ports`)) ?? [];
  const layers = await Promise.all(
    ports.map((port) => lineIn(files, `${folder}/${name}/ports/${port}/link_layer`)),
  );
  return layers.length === 0 || layers.some((layer) => layer !== "Ethernet");
}

/** Functions that must be in the folder: class InfiniBand (0207h), or *other network* (0280h), which ConnectX-3 reports. */
const infinibandClass = /^0x02(07|80)/;
const mellanox = "0x15b3";

async function listDevices(files: Files): Promise<Answer<readonly InfinibandDevice[]>> {
  const command = `read ${folder}`;
  const functions = await pciFunctions(files);
  if (functions === null) return refused(command, `a function in ${pciFolder} cannot be read`);
  const devices: InfinibandDevice[] = [];
  const slots = new Set<string | undefined>();
  // Without a driver for such a device the folder does not exist.
  for (const name of (await files.list(folder)) ?? []) {
    slots.add((await files.real(`${folder}/${name}/device`))?.split("/").at(-1));
    if (!(await isInfiniband(files, name))) continue;
    const device = await readDevice(files, name);
    if (device === null) return refused(command, `${name} cannot be read`);
    devices.push(device);
  }
  const silent = functions.filter(
    ({ vendor, classCode, address }) =>
      vendor === mellanox && infinibandClass.test(classCode) && !slots.has(address),
  );
  return silent.length === 0
    ? given(command, devices)
    : refused(command, `not there: ${silent.map(({ address }) => address).join(", ")}`);
}

export function mstTools(run: RunTool, files: Files): MstTools {
  const mstconfig = async <Value>(
    slot: string,
    before: readonly string[],
    after: readonly string[],
    answer: (ran: Awaited<ReturnType<RunTool>>) => ReturnType<typeof answerOf<Value>>,
  ) => {
    const args = [...before, "-d", slot, ...after];
    return slotName.test(slot)
      ? answer(await run(programs.mstconfig, args))
      : refused(commandText(programs.mstconfig, args), "not a PCI address", 2);
  };
  return {
    list: () => listDevices(files),
    reset: (slot) => mstconfig(slot, ["-y"], ["reset"], (ran) => doneOf(ran, /Applying\.\.\. Done!/)),
    set: async (slot, name, value) =>
      settingName.test(name) && settingValue.test(value)
        ? mstconfig(slot, ["-y"], ["set", `${name}=${value}`], (ran) => doneOf(ran, /Applying\.\.\. Done!/))
        : refused(`${programs.mstconfig} set`, "not a setting", 2),
    query: (slot) => mstconfig(slot, [], ["query"], (ran) => answerOf(ran, readSettings)),
  };
}
