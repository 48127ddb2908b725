// The properties that we use of Redfish resources besides system, drives and network. A missing or malformed property is null: not offered.
import { z } from "zod";
import { links, optionalLink, pathOf, text } from "@/server/hardware/redfish/resources/references";

const names = z.array(z.string()).nullish().catch(null);
const action = z.object({ target: z.string().min(1) });

/** An action that a resource offers; null if it does not. */
export const optionalAction = action.nullish().catch(null);

const settingValue = z.union([z.string(), z.number(), z.boolean(), z.null()]).catch(null);
export const settings = z
  .record(z.string(), settingValue)
  .nullish()
  .catch(null)
  .transform((values) => values ?? {});
export type Settings = z.infer<typeof settings>;

const settingsAnnotation = z
  .object({ SettingsObject: optionalLink, SupportedApplyTimes: names })
  .nullish()
  .catch(null);

export const biosResource = z.object({
  Attributes: settings,
  AttributeRegistry: text,
  "@Redfish.Settings": settingsAnnotation,
  ResetBiosToDefaultsPending: z.boolean().nullish().catch(null),
  Actions: z.object({ "#Bios.ResetBios": optionalAction }).nullish().catch(null),
});

export const secureBootResource = z.object({
  SecureBootMode: text,
  SecureBootEnable: z.boolean().nullish().catch(null),
  Actions: z.object({ "#SecureBoot.ResetKeys": optionalAction }).nullish().catch(null),
});

const controller = z
  .object({ Name: text, Model: text, SupportedRAIDTypes: names, SupportedDeviceProtocols: names })
  .nullish()
  .catch(null);

export type SecureBootResource = z.infer<typeof secureBootResource>;

export const storageUnit = z.object({
  Id: text,
  Name: text,
  Drives: links,
  Volumes: optionalLink,
  StorageControllers: z.array(controller).nullish().catch(null),
  Controllers: optionalLink,
  Actions: z
    .object({ Oem: z.record(z.string(), z.unknown()).nullish().catch(null) })
    .nullish()
    .catch(null),
});
export type StorageUnit = z.infer<typeof storageUnit>;

export const updateService = z.object({
  FirmwareInventory: optionalLink,
  Actions: z
    .object({
      "#UpdateService.SimpleUpdate": action
        .extend({ "TransferProtocol@Redfish.AllowableValues": names })
        .nullish()
        .catch(null),
    })
    .nullish()
    .catch(null),
});
export type UpdateService = z.infer<typeof updateService>;

const managerAction = action
  .extend({ "ResetType@Redfish.AllowableValues": names, "@Redfish.ActionInfo": text })
  .nullish()
  .catch(null);

export const managerResource = z.object({
  LastResetTime: text,
  VirtualMedia: optionalLink,
  Actions: z
    .object({
      "#Manager.Reset": managerAction,
      "#Manager.ResetToDefaults": managerAction,
    })
    .nullish()
    .catch(null),
});

/** The path of an optional link; null if it leads nowhere. */
export function pathOfLink(link: { readonly "@odata.id": string } | null | undefined): string | null {
  return link == null ? null : pathOf(link["@odata.id"]);
}
