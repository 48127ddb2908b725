// Whether a service also has the systems of other hosts, so that what belongs to the service is shared (docs/adr/0069-several-hosts-at-one-bmc.md).
import { systemPath } from "@/server/domain/hardware/bmc-system";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import type { Failed } from "@/server/hardware/redfish/client/errors";
import type { Call } from "@/server/hardware/redfish/client/sender";
import { readCollection } from "@/server/hardware/redfish/resources/collection";
import { readSystem, type ComputerSystem } from "@/server/hardware/redfish/resources/system";

/** Systems beside a host that are not hosts: a DPU, or what an operating system reports (SystemType of Redfish's ComputerSystem schema). */
const noHosts: ReadonlySet<string> = new Set(["DPU", "OS"]);

/**
 * Broader than what Reclaim accepts as a host: a partition may be somebody else's host. A GPU board can neither be restarted nor says from what it boots; that
 * of NVIDIA's GH200 lists the boot sources that a system may have, and has none.
 */
function mayBeHost({ SystemType: type, Boot: boot, Actions: actions }: ComputerSystem): boolean {
  if (boot == null || noHosts.has(type ?? "")) return false;
  const told = [boot.BootSourceOverrideEnabled, boot.BootSourceOverrideTarget, boot.BootSourceOverrideMode];
  // safety: bmc: a system that can be restarted, or says from what it boots, may be another host (false)
  return actions?.["#ComputerSystem.Reset"] != null || told.some((value) => value != null);
}

/** The path of a system that is, or may be, another host's; null if there is none. */
export async function otherSystem(
  client: RedfishClient,
  call: Call,
  own: string,
): Promise<{ readonly ok: true; readonly path: string | null } | Failed> {
  const rooted = await client.serviceRoot(call);
  if (!rooted.ok) return rooted;
  const collection = rooted.root.Systems?.["@odata.id"];
  if (collection === undefined) return { ok: true, path: null };
  const listed = await readCollection(client, call, collection);
  if (!listed.ok) return listed;
  // A single system is the host's, whatever path it calls itself.
  if (listed.members.length === 1) return { ok: true, path: null };
  for (const path of listed.members) {
    if (systemPath(path) === systemPath(own)) continue;
    const read = await readSystem(client, call, path);
    if (!read.ok || mayBeHost(read.system)) return { ok: true, path };
  }
  return { ok: true, path: null };
}
