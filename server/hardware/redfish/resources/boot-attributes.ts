// Network boot by a BIOS attribute that names the boot program, for BMCs that accept no boot source (docs/adr/0064-the-next-way.md).
import type { BmcLinks, HardwareResult, SystemReading } from "@/server/hardware/interfaces";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import { failure, type Failed, type RedfishError } from "@/server/hardware/redfish/client/errors";
import type { Call } from "@/server/hardware/redfish/client/sender";
import { unchangedKind } from "@/server/hardware/redfish/resources/read-back";
import { biosResource, pathOfLink, type Settings } from "@/server/hardware/redfish/resources/resources";
import { readSystem } from "@/server/hardware/redfish/resources/system";
import { changeVersioned } from "@/server/hardware/redfish/resources/versions";

interface BootAttribute {
  readonly vendor: string;
  /** Takes the address of the boot program; an empty text removes it. */
  readonly name: string;
  /** What is set with it, if the BIOS has it. */
  readonly besides: Settings;
}

/** One row per vendor. HPE: iLO 6 refuses every boot source on some machines (dsx-ai-factory/libredfish#76). */
export const bootAttributes = [
  { vendor: "HPE", name: "UrlBootFile", besides: { PreBootNetwork: "IPv4" } },
] as const satisfies readonly BootAttribute[];
export type BootAttributeName = (typeof bootAttributes)[number]["name"];

interface BootBios {
  readonly system: SystemReading;
  /** Where settings for the next restart are written. */
  readonly settingsPath: string;
  readonly settingsEtag: string | null;
  readonly onReset: boolean;
  readonly current: Settings;
  readonly pending: Settings;
}

/** An update of the BIOS may bring an attribute, so it is looked for again. */
const absentMs = 3_600_000;

type BiosRead = { readonly ok: true; readonly bios: BootBios | null } | Failed;

/** Null: the system has no BIOS settings that can be written. */
async function readBootBios(
  client: RedfishClient,
  call: Call,
  { system: path }: BmcLinks,
): Promise<BiosRead> {
  const read = await readSystem(client, call, path);
  if (!read.ok) return read;
  const biosPath = pathOfLink(read.system.Bios);
  if (biosPath === null) return { ok: true, bios: null };
  const replied = await client.get(call, biosPath);
  // A dangling link means that the BMC offers no BIOS settings.
  if (!replied.ok) return replied.error.kind === "unsupported" ? { ok: true, bios: null } : replied;
  const current = biosResource.safeParse(replied.answer.body).data;
  const settingsPath = pathOfLink(current?.["@Redfish.Settings"]?.SettingsObject);
  if (current === undefined || settingsPath === null) return { ok: true, bios: null };
  const next = await client.get(call, settingsPath);
  if (!next.ok) return next.error.kind === "unsupported" ? { ok: true, bios: null } : next;
  return {
    ok: true,
    bios: {
      system: read.reading,
      settingsPath,
      settingsEtag: next.answer.etag,
      onReset: current["@Redfish.Settings"]?.SupportedApplyTimes?.includes("OnReset") === true,
      current: current.Attributes,
      pending: biosResource.safeParse(next.answer.body).data?.Attributes ?? {},
    },
  };
}

/** Those of the attributes that the system's BIOS has. */
export async function bootAttributesOf(
  client: RedfishClient,
  call: Call,
  links: BmcLinks,
): Promise<{ readonly ok: true; readonly names: readonly BootAttributeName[] } | Failed> {
  const read = await readBootBios(client, call, links);
  if (!read.ok) return read;
  const current = read.bios?.current ?? {};
  return { ok: true, names: bootAttributes.flatMap(({ name }) => (name in current ? [name] : [])) };
}

/** The value after the next restart. */
const coming = ({ current, pending }: BootBios, name: string): Settings[string] | undefined =>
  pending[name] ?? current[name];

/** Why another way should be tried, or that is the result. */
export type Attempt =
  | { readonly next: string; readonly result: null }
  | { readonly next: null; readonly result: HardwareResult<SystemReading> };

/** Whether the BMC answered that it will never take the value. */
type Declines = (error: RedfishError) => boolean;

/**
 * Has the BIOS boot from the address until it is removed again, and reads back that it will at the next restart.
 * @param uri null: no address is configured
 */
export async function setBootAttribute(
  client: RedfishClient,
  call: Call,
  links: BmcLinks,
  { name, uri, declines }: { name: BootAttributeName; uri: string | null; declines: Declines },
): Promise<Attempt> {
  const read = await readBootBios(client, call, links);
  if (!read.ok) return { next: null, result: read };
  const { bios } = read;
  if (bios === null || !(name in bios.current)) return { next: `the BIOS has no ${name}`, result: null };
  if (uri === null)
    return {
      next: `the BIOS has ${name}, which Reclaim sets only if RECLAIM_HTTP_BOOT_URI names the boot program`,
      result: null,
    };
  const besides = bootAttributes.find((row) => row.name === name)?.besides ?? {};
  const wanted = {
    [name]: uri,
    ...Object.fromEntries(Object.entries(besides).filter(([other]) => other in bios.current)),
  };
  const set = await write(client, call, links, bios, wanted);
  if (!set.ok && declines(set.error)) return { next: set.error.message, result: null };
  if (!set.ok) return { next: null, result: set };
  const bootOverride = { source: "uefiHttp", enabled: true, continuous: true } as const;
  return { next: null, result: { ok: true, value: { ...set.value, bootOverride } } };
}

/** Removes our address, if one of the attributes has it. Null: none does. */
export async function clearBootAttributes(
  client: RedfishClient,
  call: Call,
  links: BmcLinks,
  uri: string,
): Promise<HardwareResult<SystemReading> | null> {
  const read = await readBootBios(client, call, links);
  if (!read.ok) return read;
  const { bios } = read;
  if (bios === null || !bootAttributes.some(({ name }) => name in bios.current || name in bios.pending)) {
    call.bmc.noBootAttribute.set(links.system, client.settings.now() + absentMs);
    return null;
  }
  const ours = bootAttributes.flatMap(({ name }) => (coming(bios, name) === uri ? [[name, ""]] : []));
  return ours.length === 0 ? null : write(client, call, links, bios, Object.fromEntries(ours));
}

/** Writes what is not already coming, and reads it back. */
async function write(
  client: RedfishClient,
  call: Call,
  links: BmcLinks,
  bios: BootBios,
  wanted: Settings,
): Promise<{ readonly ok: true; readonly value: SystemReading } | Failed> {
  const isComing = (now: BootBios): boolean =>
    Object.entries(wanted).every(([name, value]) => coming(now, name) === value);
  if (isComing(bios)) return { ok: true, value: bios.system };
  const { settingsPath: path } = bios;
  const body = {
    Attributes: wanted,
    ...(bios.onReset ? { "@Redfish.SettingsApplyTime": { ApplyTime: "OnReset" } } : {}),
  };
  const replied = await changeVersioned(
    (version) => client.change(call, "PATCH", path, body, version),
    { version: bios.settingsEtag },
    async () => {
      const again = await client.get(call, path);
      return again.ok ? { ok: true, version: again.answer.etag ?? null } : again;
    },
  );
  if (!replied.ok) return replied;
  const { lookWaitsMs, bootReadBackMs } = client.settings.limits;
  const startedAt = client.settings.now();
  for (let look = 0; ; look += 1) {
    const back = await readBootBios(client, call, links);
    if (!back.ok) return { ok: false, error: { ...back.error, unknownOutcome: true } };
    if (back.bios !== null && isComing(back.bios)) return { ok: true, value: back.bios.system };
    const waitMs = lookWaitsMs[Math.min(look, lookWaitsMs.length - 1)] ?? 0;
    const lookedMs = client.settings.now() + waitMs - startedAt;
    if (
      lookedMs > bootReadBackMs ||
      client.remainingMs(call) <= waitMs ||
      call.options.signal?.aborted === true
    )
      return failure(
        unchangedKind(lookedMs, bootReadBackMs),
        `PATCH ${path} was answered ${replied.answer.status}, but ${Object.keys(wanted).join(", ")} will not be so after the next restart`,
      );
    await client.settings.sleep(waitMs, call.options.signal);
  }
}
