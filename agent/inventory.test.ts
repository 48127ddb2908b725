// What no step erases is reported separately and blocks the host; it is never left out, opened or erased (docs/design/agent.md#tools-of-a-machine).
import { expect, it } from "vitest";
import { inventoryWhenReadable } from "@/agent/inventory";
import { findDisks } from "@/agent/steps/erase-disks/find-disks";
import { machineTools } from "@/agent/tools/machine/machine-tools";
import { pciFunction, playBack, printing, treeOf } from "@/agent/tools/machine/testing/recorded";
import { hardwareInventory } from "@/server/domain/hosts/inventory/inventory";

const sizes = { size: "131072\n", "queue/logical_block_size": "512\n", removable: "0\n" };
const disk = (name: string, content: Readonly<Record<string, string | Uint8Array>>) =>
  Object.fromEntries(
    Object.entries({ ...sizes, ...content }).map(([file, value]) => [`/sys/block/${name}/${file}`, value]),
  );
const lun = {
  ...{ "device/type": "0\n", "device/vendor": "NETAPP\n", "device/model": "LUN C-Mode\n" },
  "device/vpd_pg80": Buffer.from("\0\x80\0\x04LUN1", "latin1"),
};
const pci = "/sys/devices/pci0000:00";

it("reports an eMMC and a remote disk apart, with their names, and treats neither", async () => {
  const controller = pciFunction("0000:02:00.0", "0x0c0400");
  const files = treeOf(
    {
      ...disk("mmcblk0", { "device/name": "SD32G\n", "device/serial": "0x1234\n" }),
      ...{ ...disk("sda", lun), ...controller.content },
      ...{ "/sys/class/dmi/id/product_serial": "HOST1\n", "/proc/meminfo": "MemTotal:  981396 kB\n" },
      ...{ "/sys/class/net/lo/type": "772\n" },
      "/sys/class/dmi/id/product_uuid": "6f9619ff-8b86-4011-b42d-00cf4fc964ff\n",
    },
    {
      "/sys/block/mmcblk0": `${pci}/0000:00:1a.0/mmc_host/mmc0/mmc0:0001/block/mmcblk0`,
      "/sys/block/sda": `${pci}/0000:02:00.0/host0/rport-0:0-1/target0:0:0/0:0:0:0/block/sda`,
    },
  );
  const opened: string[] = [];
  const run: typeof playBack = (path, args) => {
    opened.push(...args.filter((arg) => arg.startsWith("/dev/")));
    return args[0] === "list" ? printing('{"Devices":[]}')(path, args) : playBack(path, args);
  };
  const tools = await machineTools(run, files);
  const inventory = await inventoryWhenReadable({
    ...{ tools, signal: new AbortController().signal, log: () => undefined },
    clock: {
      now: () => new Date(0),
      sleep: () => Promise.reject(new Error("the inventory is not readable")),
    },
  });
  expect(hardwareInventory.parse(inventory).storage).toEqual([]);
  expect(inventory.unnamed).toMatchObject([
    { place: "pci-0000:00:1a.0, eMMC or SD card", serial: "0x1234", model: "SD32G" },
    { place: expect.stringContaining(", remote storage (Fibre Channel)"), serial: "LUN1" },
  ]);
  expect(await findDisks(tools)).toEqual({ ok: true, value: [] });
  expect(opened).toEqual([]);
});
