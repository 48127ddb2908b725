// Boot settings changed by a person: boot device, boot mode, secure boot (docs/adr/0071-boot-settings-by-a-person.md).
import { notAsSet, notOffered } from "@/server/domain/hosts/boot-settings";
import type { BootChange } from "@/server/domain/hosts/boot-settings";
import type { BmcLinks, HardwareResult, SystemWithBoot } from "@/server/hardware/interfaces";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import { failure, type Failed } from "@/server/hardware/redfish/client/errors";
import type { Call } from "@/server/hardware/redfish/client/sender";
import { bootSettingsOf, overrideModeOf, targetOf } from "@/server/hardware/redfish/resources/boot-settings";
import { patchBoot } from "@/server/hardware/redfish/resources/patch-system";
import { unchangedKind } from "@/server/hardware/redfish/resources/read-back";
import { pathOfLink, secureBootResource } from "@/server/hardware/redfish/resources/resources";
import { readPendingBoot, readSystem } from "@/server/hardware/redfish/resources/system";
import { changeVersioned } from "@/server/hardware/redfish/resources/versions";

interface BootResources {
  readonly value: SystemWithBoot;
  /** The secure-boot resource; null: the system has none. */
  readonly secureBoot: { readonly path: string; readonly etag: string | null } | null;
}

/** Reads the system, and its secure-boot resource if it has one. */
export async function readBootSettings(
  client: RedfishClient,
  call: Call,
  { system: path, pendingBoot }: BmcLinks,
): Promise<{ readonly ok: true; readonly found: BootResources } | Failed> {
  const read = await readSystem(client, call, path);
  if (!read.ok) return read;
  const pending = pendingBoot === undefined ? null : await readPendingBoot(client, call, pendingBoot);
  if (pending?.ok === false) return pending;
  const boot = { ...read.system.Boot, ...pending?.boot };
  const secureBootPath = pathOfLink(read.system.SecureBoot);
  const replied = secureBootPath === null ? null : await client.get(call, secureBootPath);
  // A dangling link means that the BMC offers no secure boot.
  if (replied !== null && !replied.ok && replied.error.kind !== "unsupported") return replied;
  const secureBoot =
    replied?.ok === true ? (secureBootResource.safeParse(replied.answer.body).data ?? null) : null;
  return {
    ok: true,
    found: {
      value: { ...read.reading, settings: bootSettingsOf({ Boot: boot }, secureBoot) },
      secureBoot:
        secureBootPath === null || replied?.ok !== true
          ? null
          : { path: secureBootPath, etag: replied.answer.etag ?? null },
    },
  };
}

/** Sets boot device and mode in one request, so that the BMC takes both or neither, then secure boot, and then reads everything back. */
export async function changeBootSettings(
  client: RedfishClient,
  call: Call,
  links: BmcLinks,
  change: BootChange,
): Promise<HardwareResult<SystemWithBoot>> {
  const before = await readBootSettings(client, call, links);
  if (!before.ok) return before;
  const { value, secureBoot } = before.found;
  const missing = notOffered(change, value.settings);
  if (missing !== null) return failure("unsupported", missing);
  const boot = bootBodyOf(change);
  if (Object.keys(boot).length > 0) {
    // From here on the mode is what the person says.
    if (change.mode !== undefined) call.bmc.uefiAtStake.delete(links.system);
    const replied = await patchBoot(client, call, links, boot);
    if (!replied.ok) return replied;
  }
  if (
    change.secureBoot !== undefined &&
    change.secureBoot !== value.settings.secureBoot &&
    secureBoot !== null
  ) {
    const replied = await patchSecureBoot(client, call, secureBoot, change.secureBoot);
    if (!replied.ok) return replied;
  }
  return untilSet(client, call, links, change);
}

/** If only the mode is set, the boot source stays as it is. */
function bootBodyOf({ device, persistent, mode }: BootChange): Readonly<Record<string, string>> {
  return {
    ...(device === undefined
      ? {}
      : {
          BootSourceOverrideTarget: targetOf[device],
          BootSourceOverrideEnabled: persistent === true ? "Continuous" : "Once",
        }),
    ...(mode === undefined ? {} : { BootSourceOverrideMode: overrideModeOf[mode] }),
  };
}

const patchSecureBoot = (
  client: RedfishClient,
  call: Call,
  { path, etag }: NonNullable<BootResources["secureBoot"]>,
  on: boolean,
) =>
  changeVersioned(
    (version) => client.change(call, "PATCH", path, { SecureBootEnable: on }, version),
    { version: etag },
    async () => {
      const read = await client.get(call, path);
      return read.ok ? { ok: true, version: read.answer.etag ?? null } : read;
    },
  );

async function untilSet(
  client: RedfishClient,
  call: Call,
  links: BmcLinks,
  change: BootChange,
): Promise<HardwareResult<SystemWithBoot>> {
  const { lookWaitsMs, bootReadBackMs } = client.settings.limits;
  const startedAt = client.settings.now();
  for (let look = 0; ; look += 1) {
    const read = await readBootSettings(client, call, links);
    if (!read.ok) return { ok: false, error: { ...read.error, unknownOutcome: true } };
    const other = notAsSet(change, read.found.value.settings);
    if (other === null) return { ok: true, value: read.found.value };
    const waitMs = lookWaitsMs[Math.min(look, lookWaitsMs.length - 1)] ?? 0;
    const lookedMs = client.settings.now() + waitMs - startedAt;
    if (
      lookedMs > bootReadBackMs ||
      client.remainingMs(call) <= waitMs ||
      call.options.signal?.aborted === true
    )
      return failure(unchangedKind(lookedMs, bootReadBackMs), `the BMC took the boot setting, but ${other}`);
    await client.settings.sleep(waitMs, call.options.signal);
  }
}
