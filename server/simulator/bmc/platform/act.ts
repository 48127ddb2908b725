// Requests that change what a BMC stores besides power and boot. Null if the path is not one of them.
import { attributesOf } from "@/server/simulator/bmc/platform/show";
import { z } from "zod";
import {
  fault,
  missingParameter,
  unknownProperty,
  type BmcAnswer,
  type BmcRequest,
} from "@/server/simulator/bmc/answer";
import { parseJson } from "@/server/domain/json";
import { orderOf, patchBootOrder } from "@/server/simulator/bmc/platform/boot-order";
import { listsOf } from "@/server/simulator/bmc/platform/show";
import { settings } from "@/server/simulator/bmc/platform/memory";
import { platformMs, type Platform } from "@/server/simulator/bmc/platform/platform";
import {
  type Around,
  emptied,
  under,
  gone,
  missing,
  accepted,
} from "@/server/simulator/bmc/platform/answers";
import { decommission, configure, eraseDrive, makeVolume } from "@/server/simulator/bmc/platform/act-storage";

const lockdown = "Lockdown.1.SystemLockdown";

const attributes = z.strictObject({
  Attributes: settings,
  "@Redfish.SettingsApplyTime": z.looseObject({ ApplyTime: z.string() }).optional(),
});

const accountPatch = z.strictObject({
  Enabled: z.boolean().optional(),
  UserName: z.string().optional(),
  RoleId: z.string().optional(),
});

const accountShown = z.looseObject({ UserName: z.string(), Enabled: z.boolean(), RoleId: z.string() });

const mediaPatch = z.strictObject({ Image: z.null(), Inserted: z.literal(false).optional() });

const deleteBody = z.strictObject({ JobID: z.string() });

const otherPatch = z.union([
  z.strictObject({ InterfaceEnabled: z.boolean() }),
  z.strictObject({ BootOptionEnabled: z.boolean() }),
  z.strictObject({ SecureBootEnable: z.boolean() }),
]);

const bootOption = z.looseObject({ UefiDevicePath: z.string() });

const keysBody = z.strictObject({ ResetKeysType: z.string() });

const defaultsBody = z.strictObject({ ResetType: z.string() });

const updateBody = z.looseObject({ ImageURI: z.string(), Targets: z.array(z.string()).optional() });

export const lockedDown = ({ platform }: Around): boolean => platform.attributes[lockdown] === "Enabled";

/** A controller looks every two seconds, and repeats a request that got no answer for one. */
const restartMs = 4_000;

const refusedByLock = (): BmcAnswer =>
  fault(
    403,
    "Base.1.8.InsufficientPrivilege",
    "Unable to complete the operation because the system is in lockdown mode.",
  );

export function act(request: BmcRequest, path: string, around: Around): BmcAnswer | null {
  const { places, platform } = around;
  if (request.method === "POST" && path === places.managerReset) {
    around.loseSessions();
    platform.restartBmc(restartMs);
    return emptied;
  }
  if (request.method === "PATCH" && path === places.attributes) return patchAttributes(request, around);
  const change = changeAt(request, path, around);
  return change !== null && lockedDown(around) ? refusedByLock() : (change?.() ?? null);
}

function changeAt({ method, body }: BmcRequest, path: string, around: Around): (() => BmcAnswer) | null {
  const { places, platform } = around;
  if (method === "PATCH" && path === places.biosSettings) return () => patchBios(body, around);
  const order = method === "PATCH" ? orderOf(path, body, places) : null;
  if (order !== null) return () => patchBootOrder(path, order, around);
  if (method === "PATCH" && under(path, places.accounts)) return () => patchAccount(path, body, around);
  if (method === "PATCH" && places.media.has(path))
    return () => (parseJson(mediaPatch, body) === null ? unknownProperty() : eject(path, platform));
  if (method === "DELETE" && under(path, places.accounts)) return () => deleteAccount(path, around);
  if (method === "DELETE" && under(path, places.subscriptions))
    return () =>
      gone(path, around, () => (platform.subscriptions = { ...platform.subscriptions, [path]: null }));
  if (method === "DELETE" && listsOf(places).some((list) => under(path, list))) {
    // No firmware deletes a boot entry that it made itself; it can only be disabled. An entry for a partition was made by an installed system.
    const fixed =
      under(path, places.lists.bootEntries) &&
      !(path in platform.others) &&
      !/(?:^|\/)HD[(_]/.test(parseJson(bootOption, around.read(path) ?? "")?.UefiDevicePath ?? "");
    return () =>
      fixed
        ? fault(405, "Base.1.8.OperationNotAllowed", `DELETE is not allowed on ${path}.`)
        : gone(path, around, () => (platform.others = { ...platform.others, [path]: null }));
  }
  if (
    method === "PATCH" &&
    (path === places.secureBoot ||
      places.hostInterfaces.includes(path) ||
      under(path, places.lists.bootEntries))
  )
    return () => patchOther(path, body, around);
  const storage = places.storage.find(
    ({ volumes, decommission }) => under(path, volumes) || path === volumes || path === decommission,
  );
  if (method === "DELETE" && storage !== undefined)
    return () =>
      around.read(path) === null
        ? missing(path)
        : accepted(around, configure(storage), platformMs.volume, { kind: "removeVolumes", paths: [path] });
  if (method !== "POST") return null;
  if (path === places.resetBios) {
    return () => {
      platform.biosDefaultsPending = true;
      platform.changed();
      return emptied;
    };
  }
  if (path === places.managerDefaults) return () => loadDefaults(body, around);
  if (path === places.resetKeys) return () => resetKeys(body, around);
  if (path === places.deleteJobs) {
    return () => deleteJobs(body, platform);
  }
  const medium = [...places.media].find(([, target]) => target === path)?.[0];
  if (medium !== undefined) return () => eject(medium, platform);
  if (path === places.simpleUpdate) return () => update(body, around);
  const drive = places.secureErase.get(path);
  if (drive !== undefined) return () => eraseDrive(drive, around);
  if (storage !== undefined)
    return path === storage.decommission
      ? () => decommission(storage, around)
      : () => makeVolume(body, storage, around);
  return null;
}

/** Deletes one job by its id, or all. What a BIOS job was going to write is dropped with it. */
function deleteJobs(body: string, platform: Platform): BmcAnswer {
  const id = parseJson(deleteBody, body)?.JobID;
  if (id === undefined) return missingParameter("The action DeleteJobQueue requires the parameter JobID.");
  const all = id === "JID_CLEARALL";
  const found = platform.jobs.list().find((job) => job.id === id);
  if (!all && found === undefined) return fault(400, "IDRAC.2.8.JCP007", `Unable to find the job ${id}.`);
  if (all || found?.effect.kind === "bios") platform.biosPending = {};
  if (all) platform.jobs.clear();
  else platform.jobs.remove(id);
  return emptied;
}

function patchAttributes({ body }: BmcRequest, around: Around): BmcAnswer {
  const { platform } = around;
  const given = parseJson(attributes, body)?.Attributes;
  if (given === undefined) return unknownProperty();
  if (lockedDown(around) && Object.keys(given).some((name) => name !== lockdown)) return refusedByLock();
  if (lockdown in given && given[lockdown] !== "Enabled" && given[lockdown] !== "Disabled")
    return fault(
      400,
      "Base.1.8.PropertyValueNotInList",
      `The value ${String(given[lockdown])} for the property ${lockdown} is not in the list of acceptable values.`,
    );
  platform.attributes = { ...platform.attributes, ...given };
  platform.changed();
  return emptied;
}

function patchBios(body: string, around: Around): BmcAnswer {
  const { places, platform, read } = around;
  const given = parseJson(attributes, body)?.Attributes;
  const known = attributesOf(places.bios === null ? null : read(places.bios));
  if (given === undefined || Object.keys(given).some((name) => !(name in known))) return unknownProperty();
  platform.biosPending = { ...platform.biosPending, ...given };
  platform.changed();
  return places.jobs === null
    ? emptied
    : accepted(around, "Configure: BIOS.Setup.1-1", platformMs.biosJob, { kind: "bios" }, true);
}

function patchAccount(path: string, body: string, { read, platform }: Around): BmcAnswer {
  const given = parseJson(accountPatch, body);
  const shown = parseJson(accountShown, read(path) ?? "");
  if (given === null || shown === null) return unknownProperty();
  const { UserName, Enabled, RoleId } = shown;
  platform.accounts = {
    ...platform.accounts,
    [path]: {
      UserName: given.UserName ?? UserName,
      Enabled: given.Enabled ?? Enabled,
      RoleId: given.RoleId ?? RoleId,
    },
  };
  platform.changed();
  return emptied;
}

function deleteAccount(path: string, around: Around): BmcAnswer {
  const { places, platform } = around;
  if (places.accountSlots)
    return fault(405, "Base.1.8.OperationNotAllowed", `DELETE is not allowed on ${path}.`);
  return gone(path, around, () => (platform.accounts = { ...platform.accounts, [path]: null }));
}

function patchOther(path: string, body: string, { platform }: Around): BmcAnswer {
  const given = parseJson(otherPatch, body);
  if (given === null) return unknownProperty();
  platform.others = { ...platform.others, [path]: { ...platform.others[path], ...given } };
  platform.changed();
  return emptied;
}

function eject(path: string, platform: Platform): BmcAnswer {
  platform.media = { ...platform.media, [path]: null };
  platform.changed();
  return emptied;
}

function resetKeys(body: string, { platform, places }: Around): BmcAnswer {
  const type = parseJson(keysBody, body)?.ResetKeysType;
  if (type !== "ResetAllKeysToDefault" && type !== "DeleteAllKeys" && type !== "DeletePK")
    return fault(
      400,
      "Base.1.8.ActionParameterValueNotInList",
      "The value for the parameter ResetKeysType is not in the list of acceptable values.",
    );
  platform.secureBootMode = type === "ResetAllKeysToDefault" ? "UserMode" : "SetupMode";
  if (!platform.keepsKeys())
    platform.others = Object.fromEntries(
      Object.entries(platform.others).filter(
        ([path]) => !places.lists.secureBoot.some((list) => under(path, list)),
      ),
    );
  platform.changed();
  return emptied;
}

/** What a tenant left on the BMC itself goes; secure-boot keys and boot entries are the firmware's. */
function loadDefaults(body: string, { platform, places, loseSessions }: Around): BmcAnswer {
  const type = parseJson(defaultsBody, body)?.ResetType;
  if (type === undefined || !places.defaultsTypes.includes(type))
    return fault(
      400,
      "Base.1.8.ActionParameterValueNotInList",
      "The value for the parameter ResetType is not in the list of acceptable values.",
    );
  platform.attributes = {};
  platform.subscriptions = {};
  platform.media = {};
  platform.others = Object.fromEntries(
    Object.entries(platform.others).filter(
      ([path]) =>
        !places.hostInterfaces.includes(path) && !places.lists.keys.some((list) => under(path, list)),
    ),
  );
  if (type !== "PreserveNetworkAndUsers") platform.accounts = {};
  platform.resetToDefaults = true;
  loseSessions();
  platform.restartBmc();
  return emptied;
}

/** Downloads nothing: the version is taken from the image's name. The BIOS is written at the host's next restart. */
function update(body: string, around: Around): BmcAnswer {
  const given = parseJson(updateBody, body);
  const path = given?.Targets?.[0];
  const version = /(\d+(?:\.\d+)+)/.exec(given?.ImageURI.split("/").at(-1) ?? "")?.[1];
  if (path === undefined || around.read(path) === null)
    return missingParameter("The action SimpleUpdate requires a target that exists.");
  if (version === undefined)
    return fault(400, "Base.1.8.ActionParameterValueFormatError", "The image is not one for this component.");
  return accepted(
    around,
    `Firmware Update: ${path.split("/").at(-1) ?? ""}`,
    platformMs.firmware,
    { kind: "firmware", path, version },
    /bios|uefi/i.test(path),
  );
}
