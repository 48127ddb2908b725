// A machine with a RAID controller and a Dell BOSS card, which no host of the fleet has: for tests of the steps that need them.
import { genericTree } from "@/server/simulator/bmc/generic-tree";
import { personalities } from "@/server/simulator/bmc/personality";

const storage = "/redfish/v1/Systems/node/Storage";
const link = (path: string) => ({ "@odata.id": path });
const collection = (path: string, members: readonly string[]) => [path, { "@odata.type": "#Collection", Name: "Collection", Members: members.map(link), "Members@odata.count": members.length }] as const;

interface Unit {
  readonly id: string;
  readonly drives: number;
  readonly levels: readonly string[];
  readonly volumes: readonly string[];
  readonly boss: boolean;
}

function unit({ id, drives, levels, volumes, boss }: Unit) {
  const path = `${storage}/${id}`;
  const drivePaths = Array.from({ length: drives }, (_, bay) => `${path}/Drives/${bay}`);
  const volumePaths = volumes.map((name) => `${path}/Volumes/${name}`);
  const action = `${path}/Actions/Oem/DellStorage.ControllerDrivesDecommission`;
  return [
    [path, {
      "@odata.type": "#Storage.v1_15_0.Storage", Id: id, Name: id, Drives: drivePaths.map(link), Volumes: link(`${path}/Volumes`),
      StorageControllers: [{ MemberId: "0", Name: id, SupportedRAIDTypes: levels }], ...(boss ? { Actions: { Oem: { "#DellStorage.ControllerDrivesDecommission": { target: action } } } } : {}),
    }],
    ...drivePaths.map((drive, bay) => [drive, {
      "@odata.type": "#Drive.v1_17_0.Drive", Id: String(bay), Name: `Drive ${bay}`, SerialNumber: `${id}-${bay}`, Model: "HIDDEN", CapacityBytes: 480_103_981_056, Protocol: "SATA", MediaType: "SSD",
      Status: { State: "Enabled", Health: "OK" }, Operations: [], ...(boss ? {} : { Actions: { "#Drive.SecureErase": { target: `${drive}/Actions/Drive.SecureErase` } } }),
    }] as const),
    collection(`${path}/Volumes`, volumePaths),
    ...volumePaths.map((volume) => [volume, { "@odata.type": "#Volume.v1_6_2.Volume", Id: volume.split("/").at(-1), Name: volume.split("/").at(-1), RAIDType: "RAID1", VolumeType: "Mirrored", Links: { Drives: drivePaths.slice(0, 2).map(link) } }] as const),
  ] as const;
}

export const raidId = "RAID.Slot.3-1";
export const bossId = "BOSS.SL.14-1";

/** The fleet's kinds of BMC, of which the generic one has both cards, each with a volume that somebody made. */
export function kindsWithRaid(): ReturnType<typeof personalities> {
  const kinds = personalities();
  const cards = [unit({ id: raidId, drives: 5, levels: ["RAID0", "RAID1", "RAID5"], volumes: ["old"], boss: false }), unit({ id: bossId, drives: 2, levels: ["RAID1"], volumes: ["VD_0"], boss: true })];
  const tree = genericTree([...cards.flat(), collection(storage, [raidId, bossId].map((id) => `${storage}/${id}`))].map(([path, body]) => [path, { "@odata.id": path, ...body }] as const));
  return { ...kinds, generic: { ...kinds.generic, tree } };
}
