// The hand-made tree of a generic BMC: the minimum that Redfish requires, with drives behind two controllers.
import { makeTree, type Tree } from "@/server/simulator/bmc/tree";
import { models } from "@/server/simulator/fleet/models";
import {
  type Entries,
  system,
  root,
  capturedSerial,
  capturedUuid,
} from "@/server/simulator/bmc/generic/parts";
import { health } from "@/server/simulator/bmc/generic/health";
import { service } from "@/server/simulator/bmc/generic/service";
import { services } from "@/server/simulator/bmc/generic/services";
import {
  computer,
  firmwareSettings,
  storage,
  networkInterfaces,
  chassisAdapters,
} from "@/server/simulator/bmc/generic/computer";

/** `more`: resources to add or replace, for machines in tests. */
export function genericTree(more: Entries = []): Tree {
  const resources = new Map<string, unknown>(
    [
      ...service(),
      ...services(),
      ...computer(),
      ...networkInterfaces(),
      ...chassisAdapters(),
      ...firmwareSettings(),
      ...storage(),
      ...health(),
      ...more,
    ].map(([path, body]) => [path, { "@odata.id": path, ...body }]),
  );
  return makeTree({
    resources,
    system,
    sessions: `${root}/SessionService/Sessions`,
    poweredWith: [`${root}/Chassis/1`],
    serial: capturedSerial,
    serviceTag: capturedSerial,
    uuid: capturedUuid,
    macs: models.generic.nics.map(({ captured }) => captured),
    partSerials: [],
    driveSerials: models.generic.drives.map((drive) => drive.capturedSerial),
  });
}
