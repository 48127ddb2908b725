// A storage unit of a BMC that no captured tree has: a RAID controller or boot card with its drives and volumes.
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
  /** RAID levels that it makes. */
  readonly levels: readonly string[];
  /** Of volumes over its first two drives; null: its volumes are not the BMC's to show. */
  readonly volumes: readonly string[] | null;
  /** The controller erases all its drives at once, as a Dell BOSS card does; null: nothing does. */
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

/** The unit with all that it leads to; the collection of units is the caller's. */
export function storageUnit(
  storage: string,
  { id, controller, drives, levels, volumes, erase }: Unit,
): Entries {
  const path = `${storage}/${id}`;
  const drivePaths = drives.map((_, bay) => `${path}/Drives/${bay}`);
  const volumePaths = (volumes ?? []).map((name) => `${path}/Volumes/${name}`);
  const decommission = {
    Oem: {
      "#DellStorage.ControllerDrivesDecommission": {
        target: `${path}/Actions/Oem/DellStorage.ControllerDrivesDecommission`,
      },
    },
  };
  return [
    [
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
    ],
    ...drives.map(
      ({ serial, model, manufacturer, firmware, capacityBytes, protocol }, bay) =>
        [
          `${path}/Drives/${bay}`,
          {
            "@odata.type": "#Drive.v1_17_0.Drive",
            Id: String(bay),
            Name: `Drive ${bay}`,
            SerialNumber: serial,
            Model: model,
            Manufacturer: manufacturer,
            Revision: firmware,
            CapacityBytes: capacityBytes,
            Protocol: protocol,
            MediaType: "SSD",
            Status: { State: "Enabled", Health: "OK" },
            Operations: [],
            ...(erase === "drives"
              ? {
                  Actions: {
                    "#Drive.SecureErase": { target: `${path}/Drives/${bay}/Actions/Drive.SecureErase` },
                  },
                }
              : {}),
          },
        ] as const,
    ),
    ...(volumes === null ? [] : [collection(`${path}/Volumes`, volumePaths)]),
    ...volumePaths.map(
      (volume) =>
        [
          volume,
          {
            "@odata.type": "#Volume.v1_6_2.Volume",
            Id: volume.split("/").at(-1),
            Name: volume.split("/").at(-1),
            RAIDType: "RAID1",
            VolumeType: "Mirrored",
            Links: { Drives: drivePaths.slice(0, 2).map(link) },
          },
        ] as const,
    ),
  ];
}
