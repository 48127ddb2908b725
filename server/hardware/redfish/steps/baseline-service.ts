// What a baseline may name of the BMC's network, of the setup's password and of a DPU, as Redfish shows it.
import { z } from "zod";
import { optionalLink, text } from "@/server/hardware/redfish/resources/references";
import { biosResource, pathOfLink } from "@/server/hardware/redfish/resources/resources";
import type { StepClient } from "@/server/hardware/redfish/steps/step-client";

const manager = z.object({ NetworkProtocol: optionalLink });
/** Each protocol is an object of its own (DMTF ManagerNetworkProtocol); vendors' own are below `Oem` and not read. */
const networkProtocol = z.record(z.string(), z.unknown());
const protocol = z.union([z.object({ ProtocolEnabled: z.unknown() }), z.object({ Port: z.unknown() })]);
const enabled = z.object({ ProtocolEnabled: z.boolean() });

/**
 * Names of the network protocols that the BMC has on; null if the manager shows none. One of which the BMC does not say whether it is on is listed as not
 * told (Lenovo's XCC of SNMP), so that it is as its baseline only where the reference host did not tell either.
 */
export async function enabledProtocols(session: StepClient): Promise<readonly string[] | null> {
  const path = pathOfLink((await session.get(session.links.manager, manager)).body.NetworkProtocol);
  const found = path === null ? null : await session.look(path, networkProtocol);
  const told = Object.entries(found?.body ?? {}).flatMap(([name, body]) => {
    const on = enabled.safeParse(body).data?.ProtocolEnabled ?? null;
    return on !== null || protocol.safeParse(body).success ? [{ name, on }] : [];
  });
  if (told.length === 0) return null;
  return told
    .flatMap(({ name, on }) => {
      // safety: platform: a protocol that does not say whether it is on
      if (on === null) return [`${name} (not told)`];
      return on ? [name] : [];
    })
    .sort();
}

/** Whether the firmware's setup has a password, where the vendor has a setting that tells; null: not told. */
export async function hasUefiPassword(session: StepClient): Promise<boolean | null> {
  const name = session.profile.uefiPasswordHash;
  const hash = name === null ? null : (await biosAttributes(session))?.[name];
  return typeof hash === "string" ? hash !== "" : null;
}

const ownNvidia = z.object({ Mode: text, "@odata.id": text });
const dpuSystem = z.object({
  Oem: z
    .object({ Nvidia: ownNvidia.nullish().catch(null) })
    .nullish()
    .catch(null),
});

/**
 * The mode of a BlueField (`DpuMode`, `NicMode`): BlueField-3 shows it in the system's own part, BlueField-2 as a BIOS setting
 * (NVIDIA BlueField BMC Software, Modes of Operation Configuration). Null: not told, as by nearly every BMC of a host.
 */
export async function dpuMode(session: StepClient): Promise<string | null> {
  const own = (await session.get(session.links.system, dpuSystem)).body.Oem?.Nvidia;
  const path = own?.Mode == null ? own?.["@odata.id"] : null;
  const mode = own?.Mode ?? (path == null ? null : (await session.look(path, ownNvidia))?.body.Mode);
  if (mode != null) return mode;
  const setting = (await biosAttributes(session))?.["NicMode"];
  return typeof setting === "string" ? setting : null;
}

async function biosAttributes(session: StepClient) {
  const path = pathOfLink((await session.system()).Bios);
  return path === null ? null : ((await session.look(path, biosResource))?.body.Attributes ?? null);
}
