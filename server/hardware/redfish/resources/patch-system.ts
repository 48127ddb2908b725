// Changes a system's boot settings: on the system, or on its settings for the next restart if it has them (DSP0266, 9.10).
import type { BmcLinks } from "@/server/hardware/interfaces";
import type { Replied, RedfishClient } from "@/server/hardware/redfish/client/client";
import type { Call } from "@/server/hardware/redfish/client/sender";
import { readSystem } from "@/server/hardware/redfish/resources/system";
import { changeVersioned } from "@/server/hardware/redfish/resources/versions";

export function patchBoot(
  client: RedfishClient,
  call: Call,
  { system, pendingBoot }: Pick<BmcLinks, "system" | "pendingBoot">,
  boot: Readonly<Record<string, string>>,
): Promise<Replied> {
  const { bmc } = call;
  const path = pendingBoot ?? system;
  const known = freshVersion(client, call, path);
  return changeVersioned(
    async (version) => {
      const replied = await client.change(call, "PATCH", path, { Boot: boot }, version);
      if (!replied.ok) bmc.demandsVersion ||= replied.error.status === 428;
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
