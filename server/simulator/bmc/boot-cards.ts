// The boot cards of some machines of the fleet, as their BMCs show them. The captured machines have none, so they are not in the trees.
import { storageUnit, type Entries } from "@/server/simulator/bmc/storage-unit";
import { models, type DriveModel } from "@/server/simulator/fleet/models";

/** Boot card by model. Its drives come after the machine's own. */
const cards = {
  boss: {
    id: "BOSS.SL.14-1",
    controller: "BOSS-S2",
    levels: ["RAID1"],
    volumes: ["Disk.Virtual.0:BOSS.SL.14-1"],
    erase: "decommission",
  },
  kit: {
    id: "M.2_RAID_Kit",
    controller: "M.2 NVMe 2-Bay RAID Kit",
    levels: ["RAID0", "RAID1"],
    volumes: null,
    erase: null,
  },
} as const;

const link = (path: string) => ({ "@odata.id": path });

const asShown = ({ capturedSerial, identity, behaviour }: DriveModel) =>
  ({
    serial: capturedSerial,
    model: identity.model,
    manufacturer: identity.manufacturer,
    firmware: identity.firmware,
    capacityBytes: Number(identity.capacityBytes),
    protocol: behaviour.kind === "nvme" ? "NVMe" : "SATA",
  }) as const;

/** A tree with the card of this model added: its unit, its drives, and its volume VD_0 if it has one. */
export function withCard(
  tree: ReadonlyMap<string, Record<string, unknown>>,
  storage: string,
  model: "dellBoss" | "lenovoKit",
): Map<string, Record<string, unknown>> {
  const name = model === "dellBoss" ? "boss" : "kit";
  const drives = models[model].drives.filter(({ card }) => card === name).map(asShown);
  const entries: Entries = storageUnit(storage, { ...cards[name], drives });
  const units = tree.get(storage);
  const members = Array.isArray(units?.["Members"]) ? units["Members"] : [];
  const added = [...members, link(`${storage}/${cards[name].id}`)];
  return new Map([
    ...tree,
    [storage, { ...units, Members: added, "Members@odata.count": added.length }],
    ...entries.map(([path, body]): [string, Record<string, unknown>] => [
      path,
      { "@odata.id": path, ...body },
    ]),
  ]);
}
