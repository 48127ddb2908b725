// The ComputerSystem resource: what one GET of it tells.
import { z } from "zod";
import type { BmcLinks, BootSource, PowerState, SystemReading } from "@/server/hardware/interfaces";
import type { SystemSeen } from "@/server/hardware/redfish/client/bmcs";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import { contentError, failure, type Failed } from "@/server/hardware/redfish/client/errors";
import { links, optionalLink, pathOf, text } from "@/server/hardware/redfish/resources/references";
import type { Call } from "@/server/hardware/redfish/client/sender";

const names = z.array(z.string()).nullish().catch(null);

const resetAction = z.object({
  target: z.string().min(1),
  "ResetType@Redfish.AllowableValues": names,
  "@Redfish.ActionInfo": text,
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
  Boot: z
    .object({
      BootSourceOverrideEnabled: text,
      BootSourceOverrideTarget: text,
      BootSourceOverrideMode: text,
      "BootSourceOverrideTarget@Redfish.AllowableValues": names,
      "BootSourceOverrideEnabled@Redfish.AllowableValues": names,
    })
    .nullish()
    .catch(null),
  Actions: z
    .object({ "#ComputerSystem.Reset": resetAction.nullish().catch(null) })
    .nullish()
    .catch(null),
  Links: z.object({ ManagedBy: links }).nullish().catch(null),
  Storage: optionalLink,
  EthernetInterfaces: optionalLink,
  NetworkInterfaces: optionalLink,
  Bios: optionalLink,
  SecureBoot: optionalLink,
  VirtualMedia: optionalLink,
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
  { readonly ok: true; readonly system: ComputerSystem; readonly reading: SystemReading } | Failed;

/** One GET of the system. Its version is remembered for a change that follows soon. */
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
  const reading = readingOf(parsed.data);
  const { serial, uuid } = reading;
  // Another machine answers at the address: what this one offers is not known.
  if (bmc.identity !== null && (bmc.identity.serial !== serial || bmc.identity.uuid !== uuid))
    bmc.expand = undefined;
  bmc.identity = {
    path,
    serial,
    uuid,
    readAt: client.settings.now(),
    reading,
    storage: parsed.data.Storage?.["@odata.id"],
  };
  const etag = replied.answer.etag ?? parsed.data["@odata.etag"] ?? null;
  bmc.systemVersion = etag === null ? null : { path, etag, readAt: client.settings.now() };
  return { ok: true, system: parsed.data, reading };
}

/** The system as it was read within the last seconds (`identityFreshMs`), or as it is read now. */
export async function seenSystem(
  client: RedfishClient,
  call: Call,
  path: string,
): Promise<{ readonly ok: true; readonly seen: SystemSeen | null } | Failed> {
  const known = call.bmc.identity;
  const fresh =
    known !== null &&
    known.path === path &&
    /* safety: bmc: an old look at the machine does not count */ client.settings.now() - known.readAt <=
      client.settings.limits.identityFreshMs;
  if (fresh) return { ok: true, seen: known };
  const read = await readSystem(client, call, path);
  return read.ok ? { ok: true, seen: call.bmc.identity } : read;
}

const powerStateOf: Readonly<Record<string, PowerState>> = {
  On: "on",
  Off: "off",
  PoweringOn: "poweringOn",
  PoweringOff: "poweringOff",
};

/** Redfish's names of the boot sources. */
export const bootTargetOf = { uefiHttp: "UefiHttp", pxe: "Pxe", none: "None" } as const satisfies Record<
  BootSource,
  string
>;

function readingOf(system: ComputerSystem): SystemReading {
  const enabled = system.Boot?.BootSourceOverrideEnabled;
  return {
    power: powerStateOf[system.PowerState ?? ""] ?? "unknown",
    bootOverride: {
      source: sourceOf(system.Boot?.BootSourceOverrideTarget ?? "None"),
      // BMCs were seen to read `Continuous` after `Once` (the test bed's notes, 5): it is in force either way.
      enabled: enabled === "Once" || enabled === "Continuous",
    },
    serial: (system.SerialNumber ?? "").trim(),
    uuid: (system.UUID ?? "").trim().toLowerCase(),
    manufacturer: (system.Manufacturer ?? "").trim(),
    model: (system.Model ?? "").trim(),
    resetMark: (system.LastResetTime ?? "").trim() || null,
  };
}

function sourceOf(target: string): BootSource | "other" {
  switch (target) {
    case bootTargetOf.uefiHttp:
      return "uefiHttp";
    case bootTargetOf.pxe:
      return "pxe";
    case bootTargetOf.none:
      return "none";
    default:
      return "other";
  }
}

const actionInfo = z.object({ Parameters: z.array(z.object({ Name: text, AllowableValues: names })) });

/** The paths and names that later calls need, as this system gives them. `sessions` is what the service root told before. */
export async function linksOfSystem(
  client: RedfishClient,
  call: Call,
  system: ComputerSystem,
): Promise<{ readonly ok: true; readonly links: BmcLinks } | Failed> {
  const path = pathOf(system["@odata.id"]);
  const reset = system.Actions?.["#ComputerSystem.Reset"];
  const resetPath = reset == null ? null : pathOf(reset.target);
  const manager = system.Links?.ManagedBy[0];
  const managerPath = manager === undefined ? null : pathOf(manager);
  if (path === null || reset == null || resetPath === null)
    return failure("unsupported", "the system offers no ComputerSystem.Reset action");
  if (managerPath === null) return failure("unsupported", "the system names no manager");
  return {
    ok: true,
    links: {
      system: path,
      manager: managerPath,
      resetAction: resetPath,
      resetTypes:
        reset["ResetType@Redfish.AllowableValues"] ??
        (await resetTypes(client, call, reset["@Redfish.ActionInfo"] ?? null)),
      ...(system.Boot?.["BootSourceOverrideEnabled@Redfish.AllowableValues"] == null
        ? {}
        : { bootEnabled: system.Boot["BootSourceOverrideEnabled@Redfish.AllowableValues"] }),
      bootTargets: system.Boot?.["BootSourceOverrideTarget@Redfish.AllowableValues"] ?? [],
      sessions: call.bmc.sessionsPath ?? null,
    },
  };
}

/** Allowed values from the action's description; an empty list means that the BMC does not tell. */
async function resetTypes(
  client: RedfishClient,
  call: Call,
  reference: string | null,
): Promise<readonly string[]> {
  const path = reference === null ? null : pathOf(reference);
  if (path === null) return [];
  const replied = await client.get(call, path);
  const info = replied.ok ? actionInfo.safeParse(replied.answer.body) : null;
  return info?.data?.Parameters.find(({ Name }) => Name === "ResetType")?.AllowableValues ?? [];
}
