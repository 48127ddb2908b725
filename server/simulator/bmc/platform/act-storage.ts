// Requests that change drives and volumes behind one of the BMC's controllers.
import { z } from "zod";
import { unknownProperty, type BmcAnswer } from "@/server/simulator/bmc/answer";
import { parseJson } from "@/server/domain/json";
import type { StoragePlace } from "@/server/simulator/bmc/platform/places";
import { platformMs } from "@/server/simulator/bmc/platform/platform";
import { type Around, missing, jobId, under, accepted } from "@/server/simulator/bmc/platform/answers";

const volumeBody = z.looseObject({
  Name: z.string(),
  RAIDType: z.string(),
  Links: z.looseObject({ Drives: z.array(z.looseObject({ "@odata.id": z.string() })).min(1) }),
});

const serialShown = z.looseObject({ SerialNumber: z.string() });

/** iDRAC's name for the jobs of a storage controller. */
export const configure = ({ unit }: StoragePlace): string => `Configure: ${unit.split("/").at(-1) ?? ""}`;

export function eraseDrive(path: string, around: Around): BmcAnswer {
  const { platform, places, read } = around;
  const serial = parseJson(serialShown, read(path) ?? "")?.SerialNumber;
  if (serial === undefined) return missing(path);
  const id = jobId(around);
  platform.orderErase(id, serial);
  return { status: 202, headers: { location: `${places.tasks ?? ""}/${id}` } };
}

/** Removes every volume of the unit with the contents of its drives. An empty bay contains nothing. */
export function decommission(storage: StoragePlace, around: Around): BmcAnswer {
  const { captured, volumes, drives } = storage;
  const { platform, places, read } = around;
  const made = Object.keys(platform.volumes).filter((path) => under(path, volumes));
  const serials = drives.flatMap((path) => parseJson(serialShown, read(path) ?? "")?.SerialNumber ?? []);
  const id = jobId(around);
  platform.orderDecommission(
    id,
    configure(storage),
    serials.filter((serial) => !platform.driveGone(serial)),
    [...captured, ...made],
  );
  return { status: 202, headers: { location: `${places.tasks ?? ""}/${id}` } };
}

/** A boot card creates its volume at the host's next restart; a RAID controller does so at once. */
export function makeVolume(body: string, storage: StoragePlace, around: Around): BmcAnswer {
  const given = parseJson(volumeBody, body);
  if (given === null) return unknownProperty();
  const path = `${storage.volumes}/Volume.${around.platform.number()}`;
  const drives = given.Links.Drives.map((row) => row["@odata.id"]);
  return accepted(
    around,
    configure(storage),
    platformMs.volume,
    { kind: "makeVolume", path, volume: { Name: given.Name, RAIDType: given.RAIDType, drives } },
    storage.decommission !== null,
  );
}
