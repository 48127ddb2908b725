// A machine with a RAID controller and a Dell BOSS card, which no host of the fleet has together: for tests of the steps that need them.
import { genericTree } from "@/server/simulator/bmc/generic/generic-tree";
import { personalities } from "@/server/simulator/bmc/personality";
import { collection, storageUnit } from "@/server/simulator/bmc/storage-unit";

const storage = "/redfish/v1/Systems/node/Storage";

export const raidId = "RAID.Slot.3-1";
export const bossId = "BOSS.SL.14-1";

const drives = (id: string, count: number) =>
  Array.from(
    { length: count },
    (_, bay) =>
      ({
        serial: `${id}-${bay}`,
        model: "HIDDEN",
        capacityBytes: 480_103_981_056,
        protocol: "SATA",
      }) as const,
  );

/** The fleet's kinds of BMC. The generic one has both cards, each with an existing volume. */
export function kindsWithRaid(): ReturnType<typeof personalities> {
  const kinds = personalities();
  const units = [
    storageUnit(storage, {
      id: raidId,
      controller: raidId,
      drives: drives(raidId, 5),
      levels: ["RAID0", "RAID1", "RAID5"],
      volumes: ["old"],
      erase: "drives",
    }),
    storageUnit(storage, {
      id: bossId,
      controller: bossId,
      drives: drives(bossId, 2),
      levels: ["RAID1"],
      volumes: ["VD_0"],
      erase: "decommission",
    }),
  ];
  const tree = genericTree(
    [
      ...units.flat(),
      collection(
        storage,
        [raidId, bossId].map((id) => `${storage}/${id}`),
      ),
    ].map(([path, body]) => [path, { "@odata.id": path, ...body }] as const),
  );
  return { ...kinds, generic: { ...kinds.generic, tree } };
}
