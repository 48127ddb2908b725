// Whether a service has the systems of other hosts too: then what belongs to the service is not one host's alone (docs/adr/0069-several-hosts-at-one-bmc.md).
import { systemPath } from "@/server/domain/hardware/bmc-system";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import type { Failed } from "@/server/hardware/redfish/client/errors";
import type { Call } from "@/server/hardware/redfish/client/sender";
import { readCollection } from "@/server/hardware/redfish/resources/collection";
import { readSystem, type ComputerSystem } from "@/server/hardware/redfish/resources/system";

/** What stands beside a host and is none: a DPU, or what an operating system tells of itself (SystemType of Redfish's ComputerSystem schema). */
const noHosts: ReadonlySet<string> = new Set(["DPU", "OS"]);

/** Wider than what Reclaim takes as a host itself: a partition may be a host of somebody else. GPU boards do not tell how they boot. */
const mayBeHost = ({ SystemType: type, Boot: boot }: ComputerSystem): boolean =>
  boot != null && !noHosts.has(type ?? "");

/** The path of a system besides the host's own that is, or may be, another host's; null: there is none. */
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
  // The only one is the host's, by whatever path it calls itself.
  if (listed.members.length === 1) return { ok: true, path: null };
  for (const path of listed.members) {
    if (systemPath(path) === systemPath(own)) continue;
    const read = await readSystem(client, call, path);
    if (
      /* safety: bmc: a system that cannot be read may be another host's */ !read.ok ||
      mayBeHost(read.system)
    )
      return { ok: true, path };
  }
  return { ok: true, path: null };
}
