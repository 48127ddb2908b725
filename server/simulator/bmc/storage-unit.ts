// A storage unit of a BMC that is in no captured tree: a RAID controller or boot card with its drives and volumes.
const link = (path: string) => ({ "@odata.id": path });

/** Resources by path, without their own `@odata.id`. */
export type Entries = readonly (readonly [string, object])[];

export interface UnitDrive {
  readonly serial: string;
  readonly model: string;
  readonly manufacturer?: string;
  readonly firmware?: string;
  readonly capacityBytes: number;
  readonly protocol: "SATA" | "NVMe";
}

export interface Unit {
  readonly id: string;
  readonly controller: string;
  readonly drives: readonly UnitDrive[];
  /** RAID levels that it supports. */
  readonly levels: readonly string[];
  /** Names of volumes over its first two drives; null: the BMC does not show its volumes. */
  readonly volumes: readonly string[] | null;
  /** How drives are erased: all at once by the controller, as on a Dell BOSS card, or one by one; null: not at all. */
  readonly erase: "decommission" | "drives" | null;
}

export const collection = (path: string, members: readonly string[]) =>
  [
    path,
    {
      "@odata.type": "#Collection",
      Name: "Collection",
      Members: members.map(link),
      "Members@odata.count": members.length,
    },
  ] as const;

/** The unit with everything that it links to. The collection of units is the caller's. */
export function storageUnit(storage: string, unit: Unit): Entries {
  const path = `${storage}/${unit.id}`;
  const drivePaths = unit.drives.map((_, bay) => `${path}/Drives/${bay}`);
  const volumePaths = (unit.volumes ?? []).map((name) => `${path}/Volumes/${name}`);
  return [
    unitResource(path, unit, drivePaths),
    ...unit.drives.map((drive, bay) => driveResource(`${path}/Drives/${bay}`, bay, drive, unit.erase)),
    ...(unit.volumes === null ? [] : [collection(`${path}/Volumes`, volumePaths)]),
    ...volumePaths.map((volume) => volumeResource(volume, drivePaths.slice(0, 2))),
  ];
}

type Entry = Entries[number];

function unitResource(
  path: string,
  { id, controller, levels, volumes, erase }: Unit,
  drivePaths: readonly string[],
): Entry {
  const decommission = {
    Oem: {
      "#DellStorage.ControllerDrivesDecommission": {
        target: `${path}/Actions/Oem/DellStorage.ControllerDrivesDecommission`,
      },
    },
  };
  return [
    path,
    {
      "@odata.type": "#Storage.v1_15_0.Storage",
      Id: id,
      Name: id,
      Drives: drivePaths.map(link),
      ...(volumes === null ? {} : { Volumes: link(`${path}/Volumes`) }),
      StorageControllers: [
        { MemberId: "0", Name: controller, Model: controller, SupportedRAIDTypes: levels },
      ],
      ...(erase === "decommission" ? { Actions: decommission } : {}),
    },
  ];
}

function driveResource(path: string, bay: number, drive: UnitDrive, erase: Unit["erase"]): Entry {
  const secureErase = { "#Drive.SecureErase": { target: `${path}/Actions/Drive.SecureErase` } };
  return [
    path,
    {
      "@odata.type": "#Drive.v1_17_0.Drive",
      Id: String(bay),
      Name: `Drive ${bay}`,
      SerialNumber: drive.serial,
      Model: drive.model,
      Manufacturer: drive.manufacturer,
      Revision: drive.firmware,
      CapacityBytes: drive.capacityBytes,
      Protocol: drive.protocol,
      MediaType: "SSD",
      Status: { State: "Enabled", Health: "OK" },
      Operations: [],
      ...(erase === "drives" ? { Actions: secureErase } : {}),
    },
  ];
}

const volumeResource = (path: string, drives: readonly string[]): Entry => [
  path,
  {
    "@odata.type": "#Volume.v1_6_2.Volume",
    Id: path.split("/").at(-1),
    Name: path.split("/").at(-1),
    RAIDType: "RAID1",
    VolumeType: "Mirrored",
    Links: { Drives: drives.map(link) },
  },
];
