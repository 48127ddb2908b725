// A host in NICo's format.
import { standingMeaning, standingText } from "@/server/domain/assurance/standing";
import type { Standing } from "@/server/domain/assurance/standing";
import { storedBody } from "@/server/domain/repair/health/report";
import { storedInventory, type HardwareInventory } from "@/server/domain/hosts/inventory/inventory";
import type { Part } from "@/server/domain/hosts/parts/part";
import { nicoMachineStatus, nicoUnknownMachine } from "@/server/domain/lifecycle/projections";
import { nicoPlatformState } from "@/server/domain/lifecycle/nico-substates";
import { isState } from "@/server/domain/lifecycle/states";
import { nicoLabels } from "@/server/surfaces/machine/nico/instance-view";
import type { Machine } from "@/server/usecases/hosts/machines/read-machines";

const usable: ReadonlySet<string> = new Set(["Ready", "InUse", "Initializing"]);

function statusOf(state: string, facts: { readonly maintenance: boolean; readonly allocatable: boolean }) {
  return isState(state) ? nicoMachineStatus(state, facts) : nicoUnknownMachine;
}

/** States that NICo reports as the same status are one line of its history, with the time of the first. The newest one says which state of NICo's a step stands for. */
function statusHistory({ history, runningStep }: Pick<Machine, "history" | "runningStep">) {
  const oldestFirst = [...history].reverse().map((line) => ({
    ...statusOf(line.state, { maintenance: false, allocatable: true }),
    at: line.at.toISOString(),
  }));
  const changes = oldestFirst.filter((line, index) => line.status !== oldestFirst[index - 1]?.status);
  const platform = nicoPlatformState(runningStep);
  return changes.reverse().map(({ status, message, at }, index) => ({
    status,
    message: index === 0 && status === "Reset" && platform !== null ? `${message}: ${platform}` : message,
    created: at,
    updated: at,
  }));
}

function grouped<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
): { readonly name: string; readonly first: Item; readonly count: number }[] {
  const groups = new Map<string, { name: string; first: Item; count: number }>();
  for (const item of items) {
    const name = nameOf(item);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, { name, first: item, count: 1 });
    else group.count += 1;
  }
  return [...groups.values()];
}

const decimalBytes = (bytes: string): string => {
  const value = Number(bytes);
  return value >= 1e12 ? `${Number((value / 1e12).toFixed(2))}TB` : `${Math.round(value / 1e9)}GB`;
};

/** As NICo's agent prints the memory of a GPU: `81559 MiB`. */
const binaryText = (bytes: string): string => `${BigInt(bytes) / 2n ** 20n} MiB`;

const gpusOf = ({ parts }: HardwareInventory): readonly Part[] =>
  (parts?.found ?? []).filter(({ kind }) => kind === "gpu");

function capabilities(inventory: HardwareInventory) {
  return [
    ...grouped(inventory.cpus, (cpu) => cpu.model).map(({ name, first, count }) => ({
      type: "CPU",
      name,
      cores: first.cores,
      count,
    })),
    {
      type: "Memory",
      name: "Memory",
      capacity: `${Math.round(Number(inventory.memoryBytes) / 2 ** 30)}GB`,
      count: 1,
    },
    ...grouped(inventory.storage, (drive) => drive.model).map(({ name, first, count }) => ({
      type: "Storage",
      name,
      capacity: decimalBytes(first.capacityBytes),
      vendor: first.manufacturer ?? null,
      count,
    })),
    ...grouped(gpusOf(inventory), (gpu) => gpu.model).map(({ name, first, count }) => ({
      type: "GPU",
      name,
      ...(first.memoryBytes === undefined ? {} : { capacity: binaryText(first.memoryBytes) }),
      vendor: first.manufacturer ?? null,
      count,
    })),
    ...grouped(inventory.nics, (nic) => nic.model ?? "Network interface").map(({ name, count }) => ({
      type: "Network",
      name,
      count,
    })),
    ...grouped(
      inventory.infiniband.filter((device) => !device.dpu),
      (device) => device.model,
    ).map(({ name, count }) => ({ type: "InfiniBand", name, count })),
    ...grouped(dpusOf(inventory), (model) => model).map(({ name, count }) => ({ type: "DPU", name, count })),
  ];
}

/** Models of DPUs: as parts, which include those whose ports are Ethernet, else as InfiniBand devices. */
const dpusOf = ({ parts, infiniband }: HardwareInventory): readonly string[] =>
  parts?.told.includes("dpu") === true
    ? parts.found.filter(({ kind }) => kind === "dpu").map(({ model }) => model)
    : infiniband.filter(({ dpu }) => dpu).map(({ model }) => model);

function metadata(row: Machine, inventory: HardwareInventory | null) {
  return {
    dmiData: {
      ...(row.serial === null ? {} : { productSerial: row.serial, chassisSerial: row.serial }),
      ...(inventory?.system.biosVersion === undefined ? {} : { biosVersion: inventory.system.biosVersion }),
      boardSerial: inventory?.system.boardSerial ?? null,
    },
    gpus: (inventory === null ? [] : gpusOf(inventory)).map((gpu) => ({
      name: gpu.model,
      serial: gpu.serial ?? null,
      vbiosVersion: gpu.firmware ?? null,
      totalMemory: gpu.memoryBytes === undefined ? null : binaryText(gpu.memoryBytes),
      pciBusId: gpu.slot,
      // The agent does not read them.
      ...{ driverVersion: null, inforomVersion: null, frequency: null },
    })),
    networkInterfaces: (inventory?.nics ?? []).map((nic) => ({
      macAddress: nic.mac,
      device: nic.model ?? nic.name,
    })),
    infinibandInterfaces: (inventory?.infiniband ?? [])
      .filter(({ dpu }) => !dpu)
      .map(({ guid, model, slot }) => ({ guid, device: model, slot })),
  };
}

/** Which one is the primary one is not known. The addresses are those of the agent's newest boot. */
function interfacesOf({ id, ports }: Machine, inventory: HardwareInventory | null) {
  if (ports === null) return {};
  const addresses = new Map((inventory?.nics ?? []).map((nic) => [nic.mac, nic.addresses ?? []]));
  return {
    machineInterfaces: ports.map((port) => ({
      id: port.id,
      machineId: id,
      ...{ controllerInterfaceId: null, controllerSegmentId: null, attachedDpuMachineID: null },
      ...{ subnetId: null, hostname: null, macAddress: port.mac },
      ipAddresses: addresses.get(port.mac) ?? [],
      created: new Date(port.created).toISOString(),
      updated: new Date(port.updated ?? port.created).toISOString(),
    })),
  };
}

/** Labels that NICo's clients look for, if the host has no such labels of its own. */
export const placeLabels = ({
  rack,
  name,
}: Pick<Machine, "rack" | "name">): Readonly<Record<string, string>> => ({
  ServerName: name,
  ...(rack === null ? {} : { RackIdentifier: rack }),
});

/** The host's own labels come first, because NICo accepts at most ten. */
function machineLabels(row: Machine): Readonly<Record<string, string>> {
  const own = nicoLabels(row.labels);
  const others = Object.entries(placeLabels(row)).filter(([key]) => !Object.hasOwn(own, key));
  return Object.fromEntries([...Object.entries(own), ...others].slice(0, 10));
}

/** Reclaim's own probe: what is proven of the host. */
const standingProbe = "SanitizationStanding";

/** With these every expected drive is accounted for, though a gate may have been let through by an exception or by the policy, or be one that is not implemented. NICo's clients take any alert for a defect. */
const passed: ReadonlySet<Standing> = new Set<Standing>(["proven", "provenWithExceptions"]);

/**
 * The standing as NICo's clients would see the outcome of a probe: a success, which names it, if the host is proven, with or without exceptions; otherwise an
 * alert without classifications, which says something and stops nothing. A host that no tenant can use has only the success: its status says that it is not ready.
 */
function standingEntries({ standing }: Machine, status: string) {
  if (standing === null) return { successes: [], alerts: [] };
  const probe = { id: standingProbe, target: standing };
  if (passed.has(standing)) return { successes: [probe], alerts: [] };
  const message = `${standingText[standing]}. ${standingMeaning[standing]}`;
  return {
    successes: [],
    alerts: usable.has(status)
      ? [{ ...probe, inAlertSince: null, message, tenantMessage: null, classifications: [] }]
      : [],
  };
}

/** No source speaks for Reclaim. */
const othersWords = <Entry extends { readonly id: string }>(entries: readonly Entry[]): readonly Entry[] =>
  entries.filter(({ id }) => id !== standingProbe);

/** Always there, as in NICo: an empty aggregate if there is nothing to say, or if the reader may not see it. */
function healthView(row: Machine, status: string) {
  const body = row.health === null ? null : storedBody.safeParse(row.health).data;
  const own = standingEntries(row, status);
  return {
    health: {
      source: "aggregate-host-health",
      observedAt: row.healthObservedAt?.toISOString() ?? null,
      successes: [...othersWords(body?.successes ?? []), ...own.successes],
      alerts: [...othersWords(body?.alerts ?? []), ...own.alerts],
    },
  };
}

/** @param includeMetadata for those who may read it */
export function machineView(row: Machine, includeMetadata: boolean) {
  const { status } = statusOf(row.state, row);
  const parsed = row.inventory === null ? null : storedInventory.safeParse(row.inventory);
  const inventory = parsed?.success === true ? parsed.data : null;
  return {
    id: row.id,
    siteId: row.siteId,
    instanceTypeId: null,
    instanceId: row.instanceId,
    tenantId: row.tenantId,
    controllerMachineId: row.id,
    vendor: row.manufacturer,
    productName: row.model,
    ...(row.serial === null ? {} : { serialNumber: row.serial }),
    machineCapabilities: inventory === null ? [] : capabilities(inventory),
    ...interfacesOf(row, inventory),
    maintenanceMessage: row.maintenanceReason,
    ...healthView(row, status),
    labels: machineLabels(row),
    status,
    isUsableByTenant: usable.has(status),
    statusHistory: statusHistory(row),
    ...(includeMetadata ? { metadata: metadata(row, inventory) } : {}),
    created: row.createdAt.toISOString(),
    updated: row.updatedAt.toISOString(),
  };
}
