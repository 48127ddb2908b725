// The inventory interface of every Redfish BMC.
import type { InventoryInterface } from "@/server/hardware/interfaces";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import { discover } from "@/server/hardware/redfish/resources/discover";
import { failure, type Failed } from "@/server/hardware/redfish/client/errors";
import { beginWithLinks } from "@/server/hardware/redfish/power";
import { pathOf } from "@/server/hardware/redfish/resources/references";
import { seenSystem } from "@/server/hardware/redfish/resources/system";
import type { VendorProfile } from "@/server/hardware/redfish/vendor-profile";
import { collectStorage } from "@/server/hardware/redfish/inventory/drives";
import { collectFirmware, readUpdateService } from "@/server/hardware/redfish/inventory/firmware";
import { CannotTell, Gather } from "@/server/hardware/redfish/inventory/gather";
import { collectMacs } from "@/server/hardware/redfish/inventory/nics";
import { collectPlatform, storageFacts } from "@/server/hardware/redfish/inventory/platform";

/** Identity and links; then drives, network addresses and firmware, from the service root by links each time. */
export function redfishInventory(client: RedfishClient, profile: VendorProfile): InventoryInterface {
  return {
    async discover(target, options) {
      const begun = client.begin(target, options);
      if (!begun.ok) return begun;
      const discovered = await discover(client, begun.call);
      return discovered.ok
        ? { ok: true, value: { links: discovered.found.links, system: discovered.found.reading } }
        : discovered;
    },

    async collect(target, options) {
      const begun = client.begin(target, options);
      if (!begun.ok) return begun;
      const discovered = await discover(client, begun.call);
      if (!discovered.ok) return discovered;
      const { root, links, system, reading } = discovered.found;
      const gather = new Gather(client, begun.call);
      const update = root.UpdateService == null ? null : pathOf(root.UpdateService["@odata.id"]);
      try {
        const storage = await collectStorage(gather, system.Storage?.["@odata.id"]);
        const macs = await collectMacs(
          gather,
          system.EthernetInterfaces?.["@odata.id"],
          system.NetworkInterfaces?.["@odata.id"],
        );
        const service = await readUpdateService(gather, update ?? undefined);
        const firmware = (await collectFirmware(gather, profile, service)).map(({ component, version }) => ({
          component,
          version,
        }));
        const platform = await collectPlatform(gather, profile, {
          system,
          manager: links.manager,
          storage,
          update: service,
        });
        const { unresolved } = storage;
        const leftOut = [
          ...unresolved
            .filter(({ slot, serial }) => slot !== null || serial !== null)
            .map(({ reason }) => reason),
          ...gather.leftOut,
        ];
        return {
          ok: true,
          value: {
            inventory: {
              system: reading,
              storage: storage.drives.map(({ device }) => device),
              unresolved,
              macs,
              firmware,
              platform,
            },
            leftOut,
          },
        };
      } catch (error) {
        return cannotTell(error);
      }
    },

    async storage(target, options) {
      const begun = await beginWithLinks(client, target, options);
      if (!begun.ok) return begun;
      const looked = await seenSystem(client, begun.call, begun.links.system);
      if (!looked.ok) return looked;
      if (looked.seen === null) return failure("failed", `${begun.links.system} could not be read`);
      const { reading, storage: reference } = looked.seen;
      const gather = new Gather(client, begun.call);
      try {
        const storage = await collectStorage(gather, reference);
        const platform = await storageFacts(gather, profile, storage);
        return {
          ok: true,
          value: {
            system: reading,
            storage: storage.drives.map(({ device }) => device),
            unresolved: storage.unresolved,
            platform,
          },
        };
      } catch (error) {
        return cannotTell(error);
      }
    },
  };
}

function cannotTell(error: unknown): Failed {
  if (error instanceof CannotTell) return { ok: false, error: error.error };
  throw error;
}
