// The ComputerSystem resource: what one GET of it returns.
import { z } from "zod";
import { isPlaceholderSerial } from "@/server/domain/hosts/inventory/placeholder-serial";
import { ownUuid } from "@/server/domain/hosts/inventory/system-uuid";
import type { MarkClock } from "@/server/domain/hosts/reset-mark";
import type { BmcLinks, BootSource, PowerState, SystemReading } from "@/server/hardware/interfaces";
import type { StorageLinks, SystemSeen } from "@/server/hardware/redfish/client/bmcs";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import { contentError, failure, type Failed } from "@/server/hardware/redfish/client/errors";
import { resetTypesOf } from "@/server/hardware/redfish/resources/action-info";
import { managerOf } from "@/server/hardware/redfish/resources/manager-of";
import { link, links, optionalLink, pathOf, text } from "@/server/hardware/redfish/resources/references";
import type { Call } from "@/server/hardware/redfish/client/sender";

const names = z.array(z.string()).nullish().catch(null);

const resetAction = z.object({
  target: z.string().min(1),
  "ResetType@Redfish.AllowableValues": names,
  "@Redfish.ActionInfo": text,
});

const bootPart = z
  .object({
    BootSourceOverrideEnabled: text,
    BootSourceOverrideTarget: text,
    BootSourceOverrideMode: text,
    HttpBootUri: text,
    "BootSourceOverrideTarget@Redfish.AllowableValues": names,
    "BootSourceOverrideEnabled@Redfish.AllowableValues": names,
  })
  .nullish()
  .catch(null);

/** The settings that a system applies at its next restart, as in AMI's firmware. */
const pendingResource = z.object({
  Boot: z.record(z.string(), z.unknown()).nullish().catch(null).pipe(bootPart),
});

const computerSystem = z.object({
  "@odata.id": z.string().min(1),
  "@odata.etag": text,
  SerialNumber: text,
  UUID: text,
  Manufacturer: text,
  Model: text,
  SystemType: text,
  PowerState: text,
  LastResetTime: text,
  Boot: bootPart,
  "@Redfish.Settings": z.object({ SettingsObject: optionalLink }).nullish().catch(null),
  Actions: z
    .object({ "#ComputerSystem.Reset": resetAction.nullish().catch(null) })
    .nullish()
    .catch(null),
  Links: z
    .object({ ManagedBy: links, Chassis: links, SupplyingComputerSystems: links })
    .nullish()
    .catch(null),
  /** Left out if one of them is no link: a list that leaves one out is of no use. */
  PCIeFunctions: z.array(link).nullish().catch(null),
  Storage: optionalLink,
  SimpleStorage: optionalLink,
  Processors: optionalLink,
  Memory: optionalLink,
  EthernetInterfaces: optionalLink,
  NetworkInterfaces: optionalLink,
  Bios: optionalLink,
  SecureBoot: optionalLink,
  VirtualMedia: optionalLink,
  LogServices: optionalLink,
  TrustedModules: z
    .array(
      z
        .object({ InterfaceType: text, Status: z.object({ State: text }).nullish().catch(null) })
        .nullish()
        .catch(null),
    )
    .nullish()
    .catch(null),
});
export type ComputerSystem = z.infer<typeof computerSystem>;

export type SystemRead =
  | {
      readonly ok: true;
      readonly system: ComputerSystem;
      readonly reading: SystemReading;
      readonly seen: SystemSeen;
    }
  | Failed;

export const storageLinksOf = ({
  Storage: storage,
  SimpleStorage: simple,
}: ComputerSystem): StorageLinks => ({
  storage: storage?.["@odata.id"],
  simpleStorage: simple?.["@odata.id"],
});

/** One GET of the system. Its version is remembered for a change that soon follows. */
export async function readSystem(client: RedfishClient, call: Call, path: string): Promise<SystemRead> {
  const replied = await client.get(call, path);
  if (!replied.ok) return replied;
  const parsed = computerSystem.safeParse(replied.answer.body);
  if (!parsed.success)
    return contentError(
      { method: "GET", path, purpose: "read" },
      replied.answer.status,
      "its content is not a computer system",
    );
  const { bmc } = call;
  const reading = readingOf(parsed.data, {
    bmcTime: replied.answer.bmcTime,
    readAt: new Date(performance.timeOrigin + client.settings.now()).toISOString(),
  });
  const { serial, uuid } = reading;
  const before = bmc.systems.get(path);
  // Another machine answers at the address, so it is unknown how this one expands links.
  if (before !== undefined && (before.serial !== serial || before.uuid !== uuid)) bmc.expand = undefined;
  const seen: SystemSeen = {
    path,
    serial,
    uuid,
    readAt: client.settings.now(),
    reading,
    storage: storageLinksOf(parsed.data),
    etag: replied.answer.etag ?? parsed.data["@odata.etag"] ?? null,
    bootMode: parsed.data.Boot?.BootSourceOverrideMode ?? null,
  };
  bmc.systems.set(path, seen);
  return { ok: true, system: parsed.data, reading, seen };
}

/** `Boot` of the settings for the next restart; empty if they have none. */
export async function readPendingBoot(
  client: RedfishClient,
  call: Call,
  path: string,
): Promise<{ readonly ok: true; readonly boot: NonNullable<ComputerSystem["Boot"]> } | Failed> {
  const replied = await client.get(call, path);
  if (!replied.ok) return replied;
  const boot = pendingResource.safeParse(replied.answer.body).data?.Boot ?? {};
  return { ok: true, boot: Object.fromEntries(Object.entries(boot).filter(([, value]) => value != null)) };
}

/** The system as read within the last `identityFreshMs`, or as read now. */
export async function seenSystem(
  client: RedfishClient,
  call: Call,
  path: string,
): Promise<{ readonly ok: true; readonly seen: SystemSeen } | Failed> {
  const known = call.bmc.systems.get(path);
  const fresh =
    known !== undefined && client.settings.now() - known.readAt <= client.settings.limits.identityFreshMs;
  if (fresh) return { ok: true, seen: known };
  return readSystem(client, call, path);
}

const powerStateOf: Readonly<Record<string, PowerState>> = {
  On: "on",
  Off: "off",
  PoweringOn: "poweringOn",
  PoweringOff: "poweringOff",
};

/** Redfish's names for the boot sources. */
export const bootTargetOf = { uefiHttp: "UefiHttp", pxe: "Pxe", none: "None" } as const satisfies Record<
  BootSource,
  string
>;

export const overrideOf = (boot: ComputerSystem["Boot"]): SystemReading["bootOverride"] => ({
  source: sourceOf(boot?.BootSourceOverrideTarget ?? "None"),
  // Some BMCs read `Continuous` after `Once` was set (the test bed's notes, 5). Either way the override is enabled.
  enabled: boot?.BootSourceOverrideEnabled === "Once" || boot?.BootSourceOverrideEnabled === "Continuous",
});

/** Empty if the BMC reports none, or what many boards have in place of one. */
function serialOf({ SerialNumber }: ComputerSystem): string {
  const serial = (SerialNumber ?? "").trim();
  return isPlaceholderSerial(serial) ? "" : serial;
}

function readingOf(system: ComputerSystem, markClock: MarkClock): SystemReading {
  return {
    power: powerStateOf[system.PowerState ?? ""] ?? "unknown",
    bootOverride: overrideOf(system.Boot),
    serial: serialOf(system),
    uuid: ownUuid(system.UUID ?? ""),
    manufacturer: (system.Manufacturer ?? "").trim(),
    model: (system.Model ?? "").trim(),
    resetMark: (system.LastResetTime ?? "").trim() || null,
    markClock,
  };
}

function sourceOf(target: string): SystemReading["bootOverride"]["source"] {
  switch (target) {
    case bootTargetOf.uefiHttp:
      return "uefiHttp";
    case bootTargetOf.pxe:
      return "pxe";
    case bootTargetOf.none:
      return "none";
    case "Hdd":
      return "disk";
    default:
      return "other";
  }
}

/** The paths and names that later calls need, taken from this system. `sessions` comes from the service root. */
export async function linksOfSystem(
  client: RedfishClient,
  call: Call,
  system: ComputerSystem,
): Promise<{ readonly ok: true; readonly links: BmcLinks } | Failed> {
  const path = pathOf(system["@odata.id"]);
  const reset = system.Actions?.["#ComputerSystem.Reset"];
  const resetPath = reset == null ? null : pathOf(reset.target);
  if (path === null || reset == null || resetPath === null)
    return failure("unsupported", "the system offers no ComputerSystem.Reset action");
  const [named] = system.Links?.ManagedBy ?? [];
  const manager =
    named === undefined ? await managerOf(client, call, path) : ({ ok: true, path: pathOf(named) } as const);
  if (!manager.ok) return manager;
  if (manager.path === null)
    return failure("unsupported", "the system names no manager, and none is the only one for it");
  const pending = await pendingBootOf(client, call, system);
  if (!pending.ok) return pending;
  const resets = await resetTypesOf(client, call, reset);
  return {
    ok: true,
    links: {
      system: path,
      manager: manager.path,
      resetAction: resetPath,
      // Without an answer each kind is tried, as where the BMC lists none.
      resetTypes: resets.ok ? resets.types : [],
      ...(system.Boot?.["BootSourceOverrideEnabled@Redfish.AllowableValues"] == null
        ? {}
        : { bootEnabled: system.Boot["BootSourceOverrideEnabled@Redfish.AllowableValues"] }),
      bootTargets: system.Boot?.["BootSourceOverrideTarget@Redfish.AllowableValues"] ?? [],
      ...(pending.path === null ? {} : { pendingBoot: pending.path }),
      sessions: call.bmc.sessionsPath ?? null,
      ...(serialOf(system) === "" ? { noSerial: true } : {}),
    },
  };
}

/** Where the boot source is written if not to the system itself: to its settings for the next restart, if they contain one. */
async function pendingBootOf(
  client: RedfishClient,
  call: Call,
  system: ComputerSystem,
): Promise<{ readonly ok: true; readonly path: string | null } | Failed> {
  const link = system["@Redfish.Settings"]?.SettingsObject;
  const path = link == null ? null : pathOf(link["@odata.id"]);
  if (path === null) return { ok: true, path: null };
  const read = await readPendingBoot(client, call, path);
  if (read.ok) return { ok: true, path: read.boot.BootSourceOverrideTarget == null ? null : path };
  // A dangling link means that the BMC has no such settings. Without an answer that is unknown.
  return read.error.kind === "unsupported" ? { ok: true, path: null } : read;
}
