// What is compared while a host waits in Ready: drives, reset mark and clock, firmware, chassis intrusion (docs/adr/0121-ready-lasts.md).
import { z } from "zod";
import type { InventoryInterface } from "@/server/hardware/interfaces";
import type { ReadyReading } from "@/server/domain/hosts/ready-watch/reading";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import { collectStorage } from "@/server/hardware/redfish/inventory/drives";
import { collectFirmware, readUpdateService } from "@/server/hardware/redfish/inventory/firmware";
import { cannotTell, Gather } from "@/server/hardware/redfish/inventory/gather";
import { ownPlaces } from "@/server/hardware/redfish/inventory/own-places";
import { beginWithLinks } from "@/server/hardware/redfish/power";
import { pathOf, text } from "@/server/hardware/redfish/resources/references";
import type { ComputerSystem } from "@/server/hardware/redfish/resources/system";
import { readSystem } from "@/server/hardware/redfish/resources/system";
import type { VendorProfile } from "@/server/hardware/redfish/vendor-profile";
import type { Call } from "@/server/hardware/redfish/client/sender";

const secured = z.object({
  PhysicalSecurity: z.object({ IntrusionSensor: text }).nullish().catch(null),
});

interface Place {
  readonly client: RedfishClient;
  readonly call: Call;
  readonly gather: Gather;
}

/** The first sensor of the system's chassis that does not read Normal; null: none of them has one. */
async function intrusionOf({ gather }: Place, { Links }: ComputerSystem): Promise<string | null> {
  const read: string[] = [];
  for (const reference of Links?.Chassis ?? []) {
    const path = pathOf(reference);
    const body = path === null ? undefined : await gather.resource("chassis", path);
    const sensor = secured.safeParse(body).data?.PhysicalSecurity?.IntrusionSensor;
    if (sensor != null) read.push(sensor);
  }
  return read.find((sensor) => sensor !== "Normal") ?? read[0] ?? null;
}

async function firmwareOf(
  { client, call, gather }: Place,
  profile: VendorProfile,
  system: string,
): Promise<ReadyReading["firmware"]> {
  const rooted = await client.serviceRoot(call);
  const update = rooted.ok ? rooted.root.UpdateService : null;
  const path = update == null ? null : pathOf(update["@odata.id"]);
  if (path === null) return null;
  const service = await readUpdateService(gather, path);
  const places = await ownPlaces({ client, call, gather }, system);
  const { components } = await collectFirmware(gather, profile, service, places, 1);
  return components.length === 0
    ? null
    : components.map(({ component, version }) => ({ component, version }));
}

/** Reads the system anew: a cached one may be older than the claim that this reading is for. */
export const watchReady =
  (client: RedfishClient, profile: VendorProfile): InventoryInterface["watch"] =>
  async (target, options) => {
    const begun = await beginWithLinks(client, target, options);
    if (!begun.ok) return begun;
    const { call, links } = begun;
    const read = await readSystem(client, call, links.system);
    if (!read.ok) return read;
    const gather = new Gather(client, call);
    try {
      const place = { client, call, gather };
      const storage = await collectStorage(gather, read.seen.storage, null);
      const drives = storage.drives.map(({ device: { serial, model } }) => ({ serial, model }));
      const watched = {
        power: read.reading.power,
        drives: drives.length === 0 ? null : drives,
        unnamed: storage.unresolved.map(({ key }) => key),
        resetMark: read.reading.resetMark,
        bmcTime: read.reading.markClock?.bmcTime ?? null,
        firmware: await firmwareOf(place, profile, links.system),
        intrusion: await intrusionOf(place, read.system),
      };
      return { ok: true, value: { system: read.reading, watched } };
    } catch (error) {
      return cannotTell(error);
    }
  };
