// The parts of a machine from sysfs and its programs; a GPU that its driver does not show is lost, and what cannot be listed is said.
import { expect, it } from "vitest";
import { readParts } from "@/agent/parts";
import { machineTools } from "@/agent/tools/machine/machine-tools";
import { programs } from "@/agent/tools/machine/program/paths";
import type { RunTool } from "@/agent/tools/machine/program/run-tool";
import { playBack, printing, treeOf } from "@/agent/tools/machine/testing/recorded";
import {
  configuration,
  ethtoolText,
  gpuCsv,
  lspciText,
  memoryText,
  nvlinkText,
  productData,
  remapCsv,
} from "@/agent/tools/machine/testing/part-outputs";
import { partFault } from "@/server/domain/hosts/parts/fault";
import { partsReport } from "@/server/domain/hosts/parts/part";

const devices = "/sys/bus/pci/devices";
const card = (address: string, values: Readonly<Record<string, string | Uint8Array>>) =>
  Object.fromEntries(Object.entries(values).map(([file, value]) => [`${devices}/${address}/${file}`, value]));

const files = treeOf(
  {
    ...card("0000:16:01.0", {
      vendor: "0x8086",
      class: "0x060400",
      max_link_width: "16",
      max_link_speed: "32.0 GT/s PCIe",
    }),
    ...card("0000:17:00.0", {
      ...{
        vendor: "0x10de",
        device: "0x2330",
        class: "0x030200",
        current_link_width: "16",
        max_link_width: "16",
      },
      ...{ current_link_speed: "2.5 GT/s PCIe", max_link_speed: "32.0 GT/s PCIe" },
    }),
    ...card("0000:b1:00.0", { vendor: "0x10de", device: "0x2330", class: "0x030200" }),
    // The BMC's screen.
    ...card("0000:03:00.0", { vendor: "0x102b", device: "0x0536", class: "0x030000" }),
    ...card("0000:3a:00.0", {
      vendor: "0x8086",
      class: "0x060400",
      max_link_width: "8",
      max_link_speed: "16.0 GT/s PCIe",
    }),
    ...card("0000:3b:00.0", {
      ...{ vendor: "0x15b3", device: "0x101d", class: "0x020000", "net/eth0/address": "02:00:00:00:00:01" },
      ...{
        current_link_width: "8",
        max_link_width: "16",
        current_link_speed: "16.0 GT/s PCIe",
        max_link_speed: "16.0 GT/s PCIe",
      },
      vpd: productData("ConnectX-6 Dx", { SN: "MT2131X03152" }),
    }),
    ...card("0000:3b:00.1", { vendor: "0x15b3", device: "0x101d", class: "0x020000" }),
    ...card("0000:ca:00.0", {
      ...{ vendor: "0x15b3", device: "0xa2d6", class: "0x020000" },
      config: configuration(0x0c42a1fffe123456n),
    }),
  },
  {
    [`${devices}/0000:17:00.0`]: "/sys/devices/pci0000:16/0000:16:01.0/0000:17:00.0",
    [`${devices}/0000:3b:00.0`]: "/sys/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0",
  },
);

const outputs =
  (gpus: string): RunTool =>
  (path, args, options) => {
    const said = args[0] ?? "";
    const output =
      path === programs.lspci
        ? lspciText
        : path === programs.ethtool
          ? ethtoolText
          : path === programs.dmidecode
            ? memoryText
            : path !== programs.nvidiaSmi
              ? undefined
              : said.startsWith("--query-gpu")
                ? gpus
                : said.startsWith("--query-remapped")
                  ? remapCsv
                  : nvlinkText;
    return output === undefined ? playBack(path, args, options) : printing(output)(path, args, options);
  };

const partsBy = async (run: RunTool) => {
  const report = await readParts(await machineTools(run, files));
  expect(partsReport.safeParse(report).success).toBe(true);
  return report;
};

it("is one part per card, with what driver, bus and slot say", async () => {
  const { told, untold, found } = await partsBy(outputs(gpuCsv));
  expect(told).toEqual(["gpu", "nic", "dpu", "nvswitch", "memory"]);
  expect(untold).toEqual([]);
  expect(found).toMatchObject(
    [
      {
        ...{ kind: "gpu", slot: "0000:17:00.0", serial: "1653923006543", pciId: "10de:2330" },
        ...{ link: { width: 16, maxWidth: 16, speed: 32 }, nvlinks: { active: 2, total: 3 } },
        ecc: { remappedRows: 1, remapPending: false },
      },
      {
        ...{
          kind: "nic",
          slot: "0000:3b:00.0",
          serial: "MT2131X03152",
          model: "MT2892 Family [ConnectX-6 Dx]",
        },
        // The slot has 8 lanes, so the card is not degraded.
        ...{
          firmware: "22.31.1014 (MT_0000000359)",
          link: { width: 8, maxWidth: 8, speed: 16, maxSpeed: 16 },
        },
      },
      { kind: "gpu", slot: "0000:b1:00.0", ecc: { remapPending: true } },
      { kind: "dpu", slot: "0000:ca:00.0", serial: "0c42a1fffe123456", model: "15b3:a2d6" },
      { kind: "memory", slot: "A1" },
      { kind: "memory", slot: "A3" },
    ].sort(
      (a, b) =>
        found.findIndex((each) => each.slot === a.slot) - found.findIndex((each) => each.slot === b.slot),
    ),
  );
  expect(found).toHaveLength(6);
  expect(found.map(partFault).filter((fault) => fault !== null)).toEqual([
    "a memory row waits to be remapped: restart the host",
  ]);
});

it("a GPU that nvidia-smi does not list is lost", async () => {
  const { found } = await partsBy(outputs(gpuCsv.split("\n")[0] ?? ""));
  const gpus = found.filter(({ kind }) => kind === "gpu").map((gpu) => [gpu.slot, partFault(gpu)]);
  expect(gpus).toEqual([
    ["0000:17:00.0", null],
    ["0000:b1:00.0", "nvidia-smi does not list it: the GPU is lost"],
  ]);
});

it("GPUs of a driver that does not answer all have a fault; without nvidia-smi they are as the bus shows them", async () => {
  const lost = "Unable to determine the device handle for GPU0000:B1:00.0: GPU is lost.\n";
  const failing: RunTool = (path, args, options) =>
    path === programs.nvidiaSmi
      ? printing(lost, { exitCode: 15 })(path, args, options)
      : outputs(gpuCsv)(path, args, options);
  const faults = (await partsBy(failing)).found.filter(({ kind }) => kind === "gpu").map(partFault);
  expect(faults).toEqual([expect.stringContaining("GPU is lost"), expect.stringContaining("GPU is lost")]);

  const { told, untold, found } = await partsBy(playBack);
  expect(found.map(({ kind, model }) => [kind, model])).toContainEqual(["gpu", "10de:2330"]);
  expect(found.filter(({ kind }) => kind === "gpu").map(partFault)).toEqual([null, null]);
  expect(told).not.toContain("memory");
  expect(untold).toEqual([{ kind: "memory", reason: "/usr/sbin/dmidecode is not in the agent image" }]);
});
