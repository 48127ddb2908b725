// Changes a system's boot settings: on the system, or on its settings for the next restart if it has them (DSP0266, 9.10).
import type { BmcLinks } from "@/server/hardware/interfaces";
import type { Replied, RedfishClient } from "@/server/hardware/redfish/client/client";
import { declinesValue, type Failed } from "@/server/hardware/redfish/client/errors";
import type { Call } from "@/server/hardware/redfish/client/sender";
import { bootProperties, type BootProperty } from "@/server/hardware/redfish/resources/boot-ways";
import { readPendingBoot, readSystem } from "@/server/hardware/redfish/resources/system";
import { changeVersioned } from "@/server/hardware/redfish/resources/versions";

type Place = Pick<BmcLinks, "system" | "pendingBoot">;
type Boot = Readonly<Record<string, string>>;

/**
 * Sends the change, and once more with what the BMC demands besides, as it reports it: some take a boot source only together with the boot mode
 * (ansible-collections/community.general#11542). What a BMC demanded once is sent at once the next time.
 */
export async function patchBoot(
  client: RedfishClient,
  call: Call,
  place: Place,
  boot: Boot,
): Promise<Replied> {
  const { bmc } = call;
  const whole = await completed(client, call, place, { boot, demanded: bmc.demandsBoot });
  if (!whole.ok) return whole;
  const replied = await send(client, call, place, whole.boot);
  if (replied.ok || !declinesValue(replied.error)) return replied;
  const { message } = replied.error;
  const demanded = bootProperties.filter((name) => !(name in whole.boot) && message.includes(name));
  if (demanded.length === 0) return replied;
  const fuller = await completed(client, call, place, { boot: whole.boot, demanded });
  if (!fuller.ok) return fuller;
  if (Object.keys(fuller.boot).length === Object.keys(whole.boot).length) return replied;
  const again = await send(client, call, place, fuller.boot);
  if (again.ok) bmc.demandsBoot = [...new Set([...bmc.demandsBoot, ...demanded])];
  return again;
}

/** The change with the demanded properties that it lacks, as the BMC reports them. */
async function completed(
  client: RedfishClient,
  call: Call,
  { system, pendingBoot }: Place,
  { boot, demanded }: { readonly boot: Boot; readonly demanded: readonly BootProperty[] },
): Promise<{ readonly ok: true; readonly boot: Boot } | Failed> {
  const missing = demanded.filter((name) => !(name in boot));
  if (missing.length === 0) return { ok: true, boot };
  const read = await readSystem(client, call, system);
  if (!read.ok) return read;
  const pending = pendingBoot === undefined ? null : await readPendingBoot(client, call, pendingBoot);
  if (pending?.ok === false) return pending;
  const reported = { ...read.system.Boot, ...pending?.boot };
  const added = missing.flatMap((name) => (reported[name] == null ? [] : [[name, reported[name]] as const]));
  return { ok: true, boot: { ...Object.fromEntries(added), ...boot } };
}

function send(
  client: RedfishClient,
  call: Call,
  { system, pendingBoot }: Place,
  boot: Boot,
): Promise<Replied> {
  const { bmc } = call;
  const path = pendingBoot ?? system;
  const known = freshVersion(client, call, path);
  return changeVersioned(
    async (version) => {
      const replied = await client.change(call, "PATCH", path, { Boot: boot }, version);
      // Huawei's iBMC answers 412 where the standard has 428 (ansible/ansible#60031).
      if (!replied.ok)
        bmc.demandsVersion ||=
          replied.error.status === 428 || (replied.error.status === 412 && version === null);
      return replied;
    },
    known === null && bmc.demandsVersion ? null : { version: known },
    async () => {
      if (path === system) {
        const read = await readSystem(client, call, path);
        return read.ok ? { ok: true, version: freshVersion(client, call, path) } : read;
      }
      const read = await client.get(call, path);
      return read.ok ? { ok: true, version: read.answer.etag } : read;
    },
  );
}

function freshVersion(client: RedfishClient, { bmc }: Call, path: string): string | null {
  const seen = bmc.systems.get(path);
  const { etagFreshMs } = client.settings.limits;
  return seen !== undefined && client.settings.now() - seen.readAt <= etagFreshMs ? seen.etag : null;
}
