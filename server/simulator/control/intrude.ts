// Leaves on the BMC what a tenant with root could leave there, through the machine's own interface to it: for tests and the demo.
import { z } from "zod";
import { settings } from "@/server/simulator/bmc/platform/memory";
import type { Platform } from "@/server/simulator/bmc/platform/platform";
import type { Places } from "@/server/simulator/bmc/platform/places";
import { bootOrderOf } from "@/server/simulator/bmc/platform/boot-order";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";

const body = z.strictObject({
  account: z.string().min(1).optional(),
  subscription: z.string().min(1).optional(),
  medium: z.string().min(1).optional(),
  /** A key for the site's own account, an entry in the boot menu, a certificate in the secure-boot database; and the host interface enabled. */
  key: z.string().min(1).optional(),
  bootEntry: z.string().min(1).optional(),
  certificate: z.string().min(1).optional(),
  hostInterface: z.literal(true).optional(),
  /** BIOS attributes, settings of the BMC and network protocols, each with its value; and versions of firmware by the ids of its inventory. */
  bios: settings.optional(),
  attributes: settings.optional(),
  protocols: z.record(z.string(), z.boolean()).optional(),
  firmware: z.record(z.string(), z.string()).optional(),
  /** Reference of the boot entry that comes first. */
  bootFirst: z.string().optional(),
  /** Of a machine whose BMC shows it. */
  dpuMode: z.enum(["DpuMode", "NicMode"]).optional(),
});

/** The first account slot from 5 on that this machine has not used. The captured trees have their own accounts below. */
function freeSlot(host: SimulatedHost, collection: string): string {
  for (let number = 5; ; number += 1) {
    const path = `${collection}/${number}`;
    if (host.platform.accounts[path] == null) return path;
  }
}

/** Adds what is named, and returns where; null if the body is invalid. */
export function intrude(
  host: SimulatedHost,
  places: Places,
  given: unknown,
): Readonly<Record<string, string>> | null {
  const wanted = body.safeParse(given);
  if (!wanted.success) return null;
  const { platform } = host;
  const { account, subscription, medium } = wanted.data;
  const left: Record<string, string> = {};
  if (account !== undefined && places.accounts !== null) {
    left["account"] = freeSlot(host, places.accounts);
    platform.accounts = {
      ...platform.accounts,
      [left["account"]]: { UserName: account, Enabled: true, RoleId: "Administrator" },
    };
  }
  if (subscription !== undefined && places.subscriptions !== null) {
    left["subscription"] = `${places.subscriptions}/left-${platform.number()}`;
    platform.subscriptions = { ...platform.subscriptions, [left["subscription"]]: subscription };
  }
  const [drive] = places.media.keys();
  if (medium !== undefined && drive !== undefined) {
    left["medium"] = drive;
    platform.media = { ...platform.media, [drive]: medium };
  }
  const { key, bootEntry, certificate, hostInterface } = wanted.data;
  const add = (
    name: string,
    list: string | null | undefined,
    content: (id: string) => Record<string, string | boolean>,
  ): void => {
    if (list == null) return;
    const id = `left-${platform.number()}`;
    left[name] = `${list}/${id}`;
    platform.others = { ...platform.others, [left[name]]: content(id) };
  };
  if (key !== undefined)
    add("key", places.lists.keys[0], () => ({ KeyString: key, KeyType: "SSH", UserDescription: "left" }));
  if (bootEntry !== undefined)
    add("bootEntry", places.lists.bootEntries, (id) => ({
      ...{ DisplayName: bootEntry, BootOptionEnabled: true, BootOptionReference: id },
    }));
  if (certificate !== undefined)
    add("certificate", places.lists.secureBoot[0], () => ({
      ...{ Fingerprint: certificate, SignatureString: certificate },
    }));
  const [own] = places.hostInterfaces;
  if (hostInterface === true && own !== undefined) {
    left["hostInterface"] = own;
    platform.others = { ...platform.others, [own]: { InterfaceEnabled: true } };
  }
  changeSettings(platform, places, wanted.data);
  platform.changed();
  return left;
}

/** Changes what is there, as `racadm`, `efibootmgr`, `mlxconfig` or an update from the running system would. */
function changeSettings(
  platform: Platform,
  places: Places,
  { bios = {}, attributes = {}, protocols = {}, firmware = {}, bootFirst, dpuMode }: z.infer<typeof body>,
): void {
  platform.bios = { ...platform.bios, ...bios };
  platform.attributes = { ...platform.attributes, ...attributes };
  const switched = Object.entries(protocols).map(([name, on]) => [name, { ProtocolEnabled: on }] as const);
  if (places.protocols !== null && switched.length > 0)
    platform.others = { ...platform.others, [places.protocols]: Object.fromEntries(switched) };
  for (const [id, version] of Object.entries(firmware))
    platform.firmware = { ...platform.firmware, [`${places.firmware ?? ""}/${id}`]: version };
  if (places.dpu !== null && dpuMode !== undefined)
    platform.others = { ...platform.others, [places.dpu]: { Mode: dpuMode } };
  if (bootFirst !== undefined) {
    const order = bootOrderOf(places, platform, false);
    platform.bootOrder = [bootFirst, ...order.filter((each) => each !== bootFirst)];
  }
}
