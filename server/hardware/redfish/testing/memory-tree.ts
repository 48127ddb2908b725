// A Redfish service in memory, for tests that read very many: a small machine, and a client that reads it without HTTP.
import { isObject } from "@/server/domain/json";
import type { BmcTarget } from "@/server/hardware/interfaces";
import { RedfishClient, type Replied } from "@/server/hardware/redfish/client/client";
import { answeredError, contentError } from "@/server/hardware/redfish/client/errors";
import type { Call } from "@/server/hardware/redfish/client/sender";
import { takeRoot, type RootRead } from "@/server/hardware/redfish/client/sign-in";

export type Json = Record<string, unknown>;

const root = "/redfish/v1";
export const systemPath = `${root}/Systems/1`;
export const storagePath = `${systemPath}/Storage`;
const chassis = `${root}/Chassis/1`;
const manager = `${root}/Managers/bmc`;
const to = (path: string) => ({ "@odata.id": path });
const on = { State: "Enabled", Health: "OK" };

const list = (path: string, members: readonly string[]): readonly (readonly [string, Json])[] => [
  [path, { ...to(path), Members: members.map(to), "Members@odata.count": members.length }],
];

const drive = (unit: string, id: string, serial: string): readonly [string, Json] => [
  `${storagePath}/${unit}/Drives/${id}`,
  {
    ...{ ...to(`${storagePath}/${unit}/Drives/${id}`), Id: id, Name: `Drive ${id}`, SerialNumber: serial },
    ...{ Model: "PM1743", Protocol: "NVMe", MediaType: "SSD", CapacityBytes: 3_840_755_982_336, Status: on },
    Actions: {
      "#Drive.SecureErase": { target: `${storagePath}/${unit}/Drives/${id}/Actions/Drive.SecureErase` },
    },
  },
];

function unit(
  id: string,
  drives: readonly (readonly [string, string])[],
): readonly (readonly [string, Json])[] {
  const entries = drives.map(([name, serial]) => drive(id, name, serial));
  return [
    [
      `${storagePath}/${id}`,
      {
        ...{ ...to(`${storagePath}/${id}`), Id: id, Name: id, Status: on },
        ...{ Drives: entries.map(([path]) => to(path)), "Drives@odata.count": entries.length },
        StorageControllers: [{ MemberId: "0", Model: "HBA", SupportedDeviceProtocols: ["NVMe"] }],
      },
    ],
    ...entries,
  ];
}

const port = (id: string, MACAddress: string): readonly [string, Json] => [
  `${systemPath}/EthernetInterfaces/${id}`,
  { ...to(`${systemPath}/EthernetInterfaces/${id}`), Id: id, MACAddress, Status: on },
];

/** Chassis, manager, firmware, accounts and subscriptions. */
const services = (): readonly (readonly [string, Json])[] => [
  ...list(`${root}/Chassis`, [chassis]),
  [
    chassis,
    { ...to(chassis), Id: "1", ChassisType: "RackMount", Links: { ComputerSystems: [to(systemPath)] } },
  ],
  ...list(`${root}/Managers`, [manager]),
  [
    manager,
    { ...to(manager), Id: "bmc", ManagerType: "BMC", Links: { ManagerForServers: [to(systemPath)] } },
  ],
  [
    `${root}/UpdateService`,
    { ...to(`${root}/UpdateService`), FirmwareInventory: to(`${root}/UpdateService/FirmwareInventory`) },
  ],
  ...list(`${root}/UpdateService/FirmwareInventory`, [`${root}/UpdateService/FirmwareInventory/BIOS`]),
  [`${root}/UpdateService/FirmwareInventory/BIOS`, { Id: "BIOS", Name: "BIOS", Version: "1.0" }],
  [
    `${root}/AccountService`,
    { ...to(`${root}/AccountService`), Accounts: to(`${root}/AccountService/Accounts`) },
  ],
  ...list(`${root}/AccountService/Accounts`, [`${root}/AccountService/Accounts/1`]),
  [
    `${root}/AccountService/Accounts/1`,
    { ...to(`${root}/AccountService/Accounts/1`), UserName: "root", Enabled: true },
  ],
  [
    `${root}/EventService`,
    { ...to(`${root}/EventService`), Subscriptions: to(`${root}/EventService/Subscriptions`) },
  ],
  ...list(`${root}/EventService/Subscriptions`, []),
];

/** A machine with three drives behind two controllers, and two ports. */
export const smallTree = (): ReadonlyMap<string, Json> =>
  new Map<string, Json>([
    [
      root,
      {
        ...{ ...to(root), RedfishVersion: "1.15.0", Vendor: "Test" },
        ...{
          Systems: to(`${root}/Systems`),
          Chassis: to(`${root}/Chassis`),
          Managers: to(`${root}/Managers`),
        },
        ...{ UpdateService: to(`${root}/UpdateService`), AccountService: to(`${root}/AccountService`) },
        EventService: to(`${root}/EventService`),
        ProtocolFeaturesSupported: { ExpandQuery: { NoLinks: true, Levels: true, MaxLevels: 2 } },
      },
    ],
    ...list(`${root}/Systems`, [systemPath]),
    [
      systemPath,
      {
        ...{ ...to(systemPath), Id: "1", SerialNumber: "SN-1", UUID: "4c4c4544-0001-4000-8000-00000000000a" },
        ...{ Manufacturer: "Test", Model: "T1", SystemType: "Physical", PowerState: "On" },
        Boot: {
          ...{ BootSourceOverrideEnabled: "Disabled", BootSourceOverrideTarget: "None" },
          "BootSourceOverrideTarget@Redfish.AllowableValues": ["None", "Pxe", "Hdd"],
          BootOptions: to(`${systemPath}/BootOptions`),
        },
        Actions: {
          "#ComputerSystem.Reset": {
            target: `${systemPath}/Actions/ComputerSystem.Reset`,
            "ResetType@Redfish.AllowableValues": ["On", "ForceOff", "ForceRestart"],
          },
        },
        Links: { ManagedBy: [to(manager)], Chassis: [to(chassis)] },
        ...{ Storage: to(storagePath), EthernetInterfaces: to(`${systemPath}/EthernetInterfaces`) },
        ...{ Processors: to(`${systemPath}/Processors`), Memory: to(`${systemPath}/Memory`) },
        Bios: to(`${systemPath}/Bios`),
      },
    ],
    ...list(storagePath, [`${storagePath}/A`, `${storagePath}/B`]),
    ...unit("A", [
      ["0", "DRIVE-0"],
      ["1", "DRIVE-1"],
    ]),
    ...unit("B", [["2", "DRIVE-2"]]),
    ...list(
      `${systemPath}/EthernetInterfaces`,
      ["1", "2"].map((id) => `${systemPath}/EthernetInterfaces/${id}`),
    ),
    port("1", "02:00:00:00:00:01"),
    port("2", "02:00:00:00:00:02"),
    ...list(`${systemPath}/Processors`, [`${systemPath}/Processors/1`]),
    [
      `${systemPath}/Processors/1`,
      { ...to(`${systemPath}/Processors/1`), ProcessorType: "CPU", Model: "X", Status: on },
    ],
    ...list(`${systemPath}/Memory`, [`${systemPath}/Memory/1`]),
    [
      `${systemPath}/Memory/1`,
      { ...to(`${systemPath}/Memory/1`), CapacityMiB: 65_536, SerialNumber: "M1", Status: on },
    ],
    ...list(`${systemPath}/BootOptions`, [`${systemPath}/BootOptions/1`]),
    [
      `${systemPath}/BootOptions/1`,
      { ...to(`${systemPath}/BootOptions/1`), DisplayName: "PXE", BootOptionEnabled: true },
    ],
    [`${systemPath}/Bios`, { ...to(`${systemPath}/Bios`), Attributes: { Sriov: "Enabled", Threads: 2 } }],
    ...services(),
  ]);

export const memoryTarget: BmcTarget = {
  ...{ hostId: "host-1", address: "http://127.0.0.1:9", username: "root", password: "x" },
  ...{ links: null, powerState: null },
};

/** Path of a resource, without a query, and without a slash at its end. */
export const placeOf = (path: string): string => (path.split("?", 1)[0] ?? "").replace(/\/+$/, "");

/** Reads a tree in memory. Whatever asks for more than `mostReads` resources is an endless read, and throws. */
export class MemoryClient extends RedfishClient {
  reads = 0;
  readonly #tree: ReadonlyMap<string, unknown>;
  readonly #mostReads: number;

  constructor(tree: ReadonlyMap<string, unknown>, mostReads: number) {
    super({ networks: ["loopback"] });
    this.#tree = tree;
    this.#mostReads = mostReads;
  }

  override async serviceRoot(call: Call): Promise<RootRead> {
    const body = this.#read(root);
    return takeRoot(call, body);
  }

  override async get(_call: Call, path: string): Promise<Replied> {
    const request = { method: "GET", path, purpose: "read" } as const;
    const body = this.#read(path);
    if (body === undefined) return answeredError(request, { status: 404, text: "" });
    if (!isObject(body)) return contentError(request, 200, "its content is not a JSON object");
    return { ok: true, answer: { status: 200, body, etag: null, bmcTime: null, location: null } };
  }

  #read(path: string): unknown {
    this.reads += 1;
    if (this.reads > this.#mostReads) throw new Error(`more than ${this.#mostReads} reads, at last ${path}`);
    const body = this.#tree.get(placeOf(path));
    return path.includes("$expand") ? this.#expanded(body, 2) : body;
  }

  /** With the content of members and drives, as far as they are links. */
  #expanded(body: unknown, levels: number): unknown {
    if (levels === 0 || !isObject(body)) return body;
    const inside = (items: unknown): unknown =>
      Array.isArray(items)
        ? items.map((item: unknown) => {
            const at = isObject(item) ? item["@odata.id"] : undefined;
            const content = typeof at === "string" ? this.#tree.get(placeOf(at)) : undefined;
            return isObject(content) ? this.#expanded({ ...content, "@odata.id": at }, levels - 1) : item;
          })
        : items;
    return {
      ...body,
      ...("Members" in body ? { Members: inside(body["Members"]) } : {}),
      ...("Drives" in body ? { Drives: inside(body["Drives"]) } : {}),
    };
  }
}
