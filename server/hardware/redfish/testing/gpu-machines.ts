// Extracts of the Redfish trees of three GPU machines, published with NVIDIA's libredfish (tests/mockups: nvidia_viking, nvidia_gh200, nvidia_gb200; MIT): what readers of parts use of them.
import type { PartPlaces } from "@/server/hardware/redfish/inventory/parts";

const root = "/redfish/v1";
const at = (path: string) => ({ "@odata.id": path });
const enabled = { State: "Enabled", Health: "OK" };

export type Tree = Map<string, unknown>;

export interface Machine {
  readonly tree: Tree;
  readonly places: PartPlaces;
}

function list(tree: Tree, path: string, members: Readonly<Record<string, object>>): void {
  const names = Object.keys(members);
  tree.set(path, {
    Members: names.map((name) => at(`${path}/${name}`)),
    "Members@odata.count": names.length,
  });
  for (const name of names) tree.set(`${path}/${name}`, { Id: name, Name: name, ...members[name] });
}

const hgx = `${root}/Systems/HGX_Baseboard_0`;

/** The board's system of NVIDIA's machines: it cannot be restarted. */
const board = (chassis: string) => ({
  Id: "HGX_Baseboard_0",
  Links: { Chassis: [at(`${root}/Chassis/${chassis}`)] },
  Processors: at(`${hgx}/Processors`),
  SystemType: "Physical",
});

/** A GPU with its memory, its counters and its place on the bus. */
function addGpu(tree: Tree, id: string, members: object, device: string): object {
  const own = `${hgx}/Processors/${id}`;
  const memory = `${hgx}/Memory/${id}_DRAM_0`;
  const card = `${root}/Chassis/HGX_${id}/PCIeDevices/${id}`;
  const counts = { CorrectableECCErrorCount: 0, UncorrectableECCErrorCount: 0 };
  tree.set(`${own}/MemorySummary/MemoryMetrics`, { LifeTime: counts });
  tree.set(memory, {
    CapacityMiB: id.startsWith("GPU_SXM") ? 81559 : 97871,
    Metrics: at(`${memory}/MemoryMetrics`),
    Oem: { Nvidia: { RowRemappingFailed: false, RowRemappingPending: false } },
  });
  tree.set(`${memory}/MemoryMetrics`, {
    LifeTime: counts,
    Oem: {
      Nvidia: { RowRemapping: { CorrectableRowRemappingCount: 0, UncorrectableRowRemappingCount: 0 } },
    },
  });
  tree.set(`${card}/PCIeFunctions/0`, { VendorId: "0x10de", DeviceId: device });
  return {
    ProcessorType: "GPU",
    Manufacturer: "NVIDIA",
    Status: enabled,
    MemorySummary: { Metrics: at(`${own}/MemorySummary/MemoryMetrics`) },
    Links: {
      Chassis: at(`${root}/Chassis/HGX_${id}`),
      Memory: [at(memory)],
      PCIeDevice: at(card),
      PCIeFunctions: [at(`${card}/PCIeFunctions/0`)],
    },
    ...members,
  };
}

const h100Serials = [
  "1652923003067",
  "1652923004435",
  "1652923004252",
  "1652923004442",
  "1652923003447",
  "1652923003973",
  "1652923003348",
  "1652923001497",
];
/** The buses of its GPUs and NVLink switches. */
const gpuBuses = ["1B", "43", "52", "61", "9D", "C3", "D1", "DF"];
const switchBuses = ["07", "08", "09", "0A"];

/** A DGX H100: the host's system lists its PCI functions, and the GPUs are behind a system of their own that nothing links with it. */
export function dgxH100(): Machine {
  const tree: Tree = new Map();
  const own = `${root}/Systems/DGX`;
  const chassis = `${root}/Chassis/DGX`;
  const gpus = h100Serials.map((SerialNumber, index) => {
    const id = `GPU_SXM_${index + 1}`;
    const pcie = { LanesInUse: 16, MaxLanes: 16, MaxPCIeType: "Gen5", PCIeType: "Gen5" };
    const members = {
      ...{ SerialNumber, Model: "H100 80GB HBM3", FirmwareVersion: "96.00.89.00.01" },
      Location: { PartLocation: { LocationType: "Embedded", ServiceLabel: `SXM${index + 1}` } },
      SystemInterface: { InterfaceType: "PCIe", PCIe: pcie },
    };
    return [id, addGpu(tree, id, members, "0x2330")] as const;
  });
  tree.set(hgx, board("HGX_BMC_0"));
  list(tree, `${hgx}/Processors`, {
    FPGA_0: { ProcessorType: "FPGA", Status: enabled },
    ...Object.fromEntries(gpus),
  });
  list(tree, `${own}/Processors`, {
    DevType1_CPU0: { ProcessorType: "CPU", Status: enabled },
    DevType1_CPU1: { ProcessorType: "CPU", Status: enabled },
  });
  const dimm = { Manufacturer: "Micron", PartNumber: "MTC40F2046S1RC48BA1 ", Status: enabled };
  tree.set(`${own}/Memory/DevType2_DIMM0/MemoryMetrics`, { TemperatureCelsius: 37 });
  list(tree, `${own}/Memory`, {
    DevType2_DIMM0: {
      ...{ ...dimm, SerialNumber: "40155B49", CapacityMiB: 65536 },
      Metrics: at(`${own}/Memory/DevType2_DIMM0/MemoryMetrics`),
    },
    DevType2_DIMM1: { ...dimm, SerialNumber: "40155B6F", CapacityMiB: 65536 },
  });
  tree.set(chassis, {
    Id: "DGX",
    Links: {
      ComputerSystems: [at(own)],
      Contains: ["CPUBaseboard", "HGX"].map((name) => at(`${root}/Chassis/${name}`)),
    },
    NetworkAdapters: at(`${chassis}/NetworkAdapters`),
  });
  for (const name of ["CPUBaseboard", "HGX"])
    tree.set(`${root}/Chassis/${name}`, { Id: name, Links: { ContainedBy: at(chassis) } });
  list(tree, `${chassis}/NetworkAdapters`, {
    DevType7_NIC0: { Controllers: [{ FirmwarePackageVersion: "1.3105.0" }], Status: enabled },
    DevType7_NIC1: { Controllers: [{ FirmwarePackageVersion: "2.50" }], Status: enabled },
  });
  return {
    tree,
    places: {
      system: own,
      systems: [own, hgx],
      suppliers: [],
      processors: `${own}/Processors`,
      memory: `${own}/Memory`,
      chassis: [chassis],
      allChassis: undefined,
      pcieFunctions: functionsOf(tree, chassis),
    },
  };
}

/** What the DGX's system lists of its buses: GPUs, NVLink switches, the BMC's screen, a bridge, a network card, and functions that are not there. */
function functionsOf(tree: Tree, chassis: string): readonly string[] {
  const paths: string[] = [];
  const add = (device: string, id: string, members: object) => {
    const card = `${chassis}/PCIeDevices/${device}`;
    const path = `${card}/PCIeFunctions/${id}`;
    tree.set(path, {
      ...{ Id: id, FunctionId: 0, FunctionType: "Physical", Status: enabled },
      Links: { PCIeDevice: at(card) },
      ...members,
    });
    paths.push(path);
  };
  const nvidia = (bus: string, lanes: number, type: string, members: object) => {
    const device = `00_${bus}_00`;
    const link = { LanesInUse: lanes, MaxLanes: lanes, MaxPCIeType: type, PCIeType: type };
    tree.set(`${chassis}/PCIeDevices/${device}`, { Id: device, Name: device, PCIeInterface: link });
    add(device, "0", { VendorId: "0x10DE", ...members });
  };
  for (const bus of switchBuses)
    nvidia(bus, 2, "Gen4", { ClassCode: "0x068000", DeviceClass: "Bridge", DeviceId: "0x22A3" });
  for (const bus of gpuBuses)
    nvidia(bus, 16, "Gen5", { ClassCode: "0x030200", DeviceClass: "DisplayController", DeviceId: "0x2330" });
  add("00_04_00", "screen", { VendorId: "0x1A03", DeviceId: "0x2000", ClassCode: "0x030000" });
  add("00_16_00", "bridge", { VendorId: "0x15B3", DeviceId: "0x1979", ClassCode: "0x060400" });
  add("00_18_00", "network", { VendorId: "0x15B3", DeviceId: "0x1021", ClassCode: "0x020700" });
  tree.set(`${chassis}/PCIeDevices/00_00_00/PCIeFunctions/absent`, {
    Links: { PCIeDevice: at(`${chassis}/PCIeDevices/00_00_00`) },
    Status: { State: "Absent" },
  });
  return [...paths, `${chassis}/PCIeDevices/00_00_00/PCIeFunctions/absent`];
}

/** A Grace Hopper board with two GPUs: nothing links the GPUs' system with the host's, whose buses are not listed. */
export function gh200(): Machine {
  const tree: Tree = new Map();
  const own = `${root}/Systems/System_0`;
  const bmc = `${root}/Chassis/BMC_0`;
  const gpus = ["1640124000234", "1640124000373"].map((SerialNumber, index) => {
    const id = `GPU_${index}`;
    const pcie = { LanesInUse: 1, MaxLanes: 1, MaxPCIeType: "Gen5", PCIeType: "Gen4" };
    const members = {
      ...{ SerialNumber, Model: "NVIDIA GH200 96GB HBM3", FirmwareVersion: "96.00.A6.00.01" },
      Location: { PartLocation: { LocationType: "Embedded", ServiceLabel: "" } },
      SystemInterface: { InterfaceType: "PCIe", PCIe: pcie },
    };
    return [id, addGpu(tree, id, members, "0x2342")] as const;
  });
  tree.set(hgx, board("HGX_BMC_0"));
  list(tree, `${hgx}/Processors`, {
    ...Object.fromEntries(gpus),
    HGX_CPU_0: { ProcessorType: "CPU", Model: "Grace A02", Status: enabled },
  });
  list(tree, `${own}/Processors`, {
    CPU_0: { ProcessorType: "CPU", Model: "Grace A02", Status: enabled },
  });
  list(tree, `${own}/Memory`, {
    ProcessorModule_0_Memory_0: {
      ...{ SerialNumber: "9223381527946500827", CapacityMiB: 491520, PartNumber: "", Status: enabled },
      Location: { PartLocation: { ServiceLabel: "LP5x_0 LP5x_0" } },
    },
  });
  const chassis = `${root}/Chassis`;
  list(tree, chassis, {
    BMC_0: { Links: { ComputerSystems: [at(own)] } },
    HGX_BMC_0: { Links: { ComputerSystems: [at(hgx)], ContainedBy: at(`${chassis}/HGX_Chassis_0`) } },
  });
  return {
    tree,
    places: {
      ...{ system: own, systems: [own, hgx], suppliers: [], pcieFunctions: [] },
      ...{ processors: `${own}/Processors`, memory: `${own}/Memory` },
      ...{ chassis: [bmc], allChassis: chassis },
    },
  };
}

/** The chassis of a GB200 with network adapters: the host's system names only its BMC's, and they name the system. Its GPUs say nothing of themselves. */
export function gb200(): Machine {
  const { tree, places } = gh200();
  const { system: own } = places;
  for (const [path, id] of [
    ["IO_Board_0", "IO_Board_0_CX7_0"],
    ["Riser_Slot1_BlueField_3_DPU", "Riser_Slot1_BlueField_3_DPU"],
  ] as const) {
    const place = `${root}/Chassis/${path}`;
    const isDpu = path.startsWith("Riser");
    list(tree, `${place}/NetworkAdapters`, {
      [id]: {
        ...{ Controllers: [], Manufacturer: isDpu ? "Nvidia" : "NVIDIA" },
        ...{ Model: isDpu ? "BlueField-3 DPU" : "P4768-B01", Status: { State: "Enabled" } },
        SerialNumber: isDpu ? "MT2425XZ0LRP" : "1583124760427",
      },
    });
    tree.set(place, {
      Id: path,
      Links: { ComputerSystems: [at(own)] },
      NetworkAdapters: at(`${place}/NetworkAdapters`),
    });
  }
  const paths = ["BMC_0", "IO_Board_0", "Riser_Slot1_BlueField_3_DPU", "HGX_BMC_0"];
  tree.set(`${root}/Chassis`, {
    Members: paths.map((name) => at(`${root}/Chassis/${name}`)),
    "Members@odata.count": paths.length,
  });
  list(tree, `${hgx}/Processors`, {
    GPU_0: {
      ...{ ProcessorType: "GPU", Status: enabled },
      Location: { PartLocation: { ServiceLabel: "GPU_0" } },
    },
  });
  return { tree, places };
}
