// The inventory interface of every Redfish BMC.
import type { InventoryInterface } from "@/server/hardware/interfaces";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import { discover } from "@/server/hardware/redfish/resources/discover";
import { beginWithLinks } from "@/server/hardware/redfish/power";
import { pathOf } from "@/server/hardware/redfish/resources/references";
import { readSystem, seenSystem, storageLinksOf } from "@/server/hardware/redfish/resources/system";
import type { VendorProfile } from "@/server/hardware/redfish/vendor-profile";
import {
  collectStorage,
  type FoundStorage,
  type PowerAround,
} from "@/server/hardware/redfish/inventory/drives";
import { collectFirmware, readUpdateService } from "@/server/hardware/redfish/inventory/firmware";
import { readBmcSettings } from "@/server/hardware/redfish/inventory/bmc-settings";
import { StepClient } from "@/server/hardware/redfish/steps/step-client";
import { watchReady } from "@/server/hardware/redfish/inventory/watch";
import { cannotTell, Gather } from "@/server/hardware/redfish/inventory/gather";
import { ownPlaces } from "@/server/hardware/redfish/inventory/own-places";
import { collectParts } from "@/server/hardware/redfish/inventory/parts";
import type { Call } from "@/server/hardware/redfish/client/sender";
import type { Details } from "@/server/hardware/redfish/inventory/part-members";
import { collectMacs } from "@/server/hardware/redfish/inventory/nics";
import { readPlatform } from "@/server/hardware/redfish/inventory/platform-reading";
import { noPlatformFacts } from "@/server/domain/hosts/inventory/platform";
import { collectPlatform, storageFacts } from "@/server/hardware/redfish/inventory/platform";

type Look<Name extends keyof InventoryInterface> = (
  client: RedfishClient,
  profile: VendorProfile,
) => InventoryInterface[Name];

const lookForLinks: Look<"discover"> = (client) => async (target, options) => {
  const begun = client.begin(target, options);
  if (!begun.ok) return begun;
  const discovered = await discover(client, begun.call);
  return discovered.ok
    ? { ok: true, value: { links: discovered.found.links, system: discovered.found.reading } }
    : discovered;
};

/** What only adds to a part takes no more than half of the call's time, which what follows needs. */
const detailsOf = (client: RedfishClient, call: Call): Details => ({
  newGather: () => new Gather(client, call),
  spare: () => client.remainingMs(call) > call.options.timeoutMs / 2,
});

/** In a call of its own, because `call` may keep what it read before. Unknown without an answer. */
const powerNow =
  (client: RedfishClient, call: Call, path: string): PowerAround["now"] =>
  async () => {
    const begun = client.begin(call.target, { ...call.options, timeoutMs: client.remainingMs(call) });
    const read = begun.ok ? await readSystem(client, begun.call, path) : begun;
    return read.ok ? read.reading.power : "unknown";
  };

const collect: Look<"collect"> = (client, profile) => async (target, options) => {
  const begun = client.begin(target, options);
  if (!begun.ok) return begun;
  const discovered = await discover(client, begun.call);
  if (!discovered.ok) return discovered;
  const { root, links, system, reading, systems } = discovered.found;
  const gather = new Gather(client, begun.call);
  const update = root.UpdateService == null ? null : pathOf(root.UpdateService["@odata.id"]);
  const { EthernetInterfaces: ports, NetworkInterfaces: cards } = system;
  try {
    const storage = await collectStorage(gather, storageLinksOf(system), {
      before: reading.power,
      now: powerNow(client, begun.call, links.system),
    });
    const { macs } = await collectMacs(gather, {
      ethernet: ports?.["@odata.id"],
      interfaces: cards?.["@odata.id"],
      chassis: (system.Links?.Chassis ?? []).flatMap((place) => pathOf(place) ?? []),
      system: links.system,
      systems: root.Systems?.["@odata.id"],
    });
    const service = await readUpdateService(gather, update ?? undefined);
    const reader = { client, call: begun.call, gather };
    const places = await ownPlaces(reader, links.system);
    const { components: firmware, others } = await collectFirmware(gather, profile, service, places);
    if (others.length > 0)
      gather.leaveOut(
        "firmware",
        `${others.map(({ label }) => label).join(", ")}: the service has several systems, and nothing there says that it is this system's (RelatedItem)`,
      );
    const known = { system, manager: links.manager, storage, update: service };
    const { platform, bios, boot } = await collectPlatform(gather, profile, known);
    const step = { target, args: {}, known: { platform, baseline: null } };
    const parts = await collectParts(detailsOf(client, begun.call), {
      system: links.system,
      systems,
      suppliers: system.Links?.SupplyingComputerSystems ?? [],
      processors: system.Processors?.["@odata.id"],
      memory: system.Memory?.["@odata.id"],
      chassis: (system.Links?.Chassis ?? []).flatMap((place) => pathOf(place) ?? []),
      pcieFunctions: (system.PCIeFunctions ?? []).flatMap((place) => pathOf(place["@odata.id"]) ?? []),
      allChassis: root.Chassis?.["@odata.id"],
    });
    const bmcSettings = await readBmcSettings(() => new StepClient(client, begun.call, links, profile, step));
    return {
      ok: true,
      value: {
        inventory: {
          system: reading,
          storage: storage.drives.map(({ device }) => device),
          unresolved: storage.unresolved,
          macs,
          firmware: firmware.map(({ component, version }) => ({ component, version })),
          platform,
          bios,
          bmcSettings,
          boot,
          parts,
        },
        leftOut: [...reasonsOf(storage), ...gather.leftOut],
      },
    };
  } catch (error) {
    return cannotTell(error);
  }
};

/** The reasons for drives that are present but could not be resolved. */
const reasonsOf = ({ unresolved }: FoundStorage): readonly string[] =>
  unresolved.filter(({ slot, serial }) => slot !== null || serial !== null).map(({ reason }) => reason);

const lookAtStorage: Look<"storage"> = (client, profile) => async (target, options, query) => {
  const begun = await beginWithLinks(client, target, options);
  if (!begun.ok) return begun;
  client.keepAnswers(begun.call);
  const looked = await seenSystem(client, begun.call, begun.links.system);
  if (!looked.ok) return looked;
  const { reading, storage: links } = looked.seen;
  const gather = new Gather(client, begun.call);
  try {
    const storage = await collectStorage(gather, links, {
      before: reading.power,
      now: powerNow(client, begun.call, begun.links.system),
    });
    const platform = await storageFacts(gather, profile, storage);
    const step = { target, args: {}, known: { platform: noPlatformFacts, baseline: null } };
    const session = () => new StepClient(client, begun.call, begun.links, profile, step);
    return {
      ok: true,
      value: {
        reading: query == null ? null : await readPlatform(session, query),
        system: reading,
        storage: storage.drives.map(({ device }) => device),
        unresolved: storage.unresolved,
        platform,
      },
    };
  } catch (error) {
    return cannotTell(error);
  }
};

/** `discover` and `collect` follow all links from the service root every time; `storage` uses the links stored with the host. */
export const redfishInventory = (client: RedfishClient, profile: VendorProfile): InventoryInterface => ({
  certificate: (target, options) => client.certificate(target, options),
  discover: lookForLinks(client, profile),
  collect: collect(client, profile),
  storage: lookAtStorage(client, profile),
  watch: watchReady(client, profile),
});
