// From the service root by links to the system: nothing is assumed about paths (docs/design/hardware.md#redfish).
import type { BmcLinks, SystemReading } from "@/server/hardware/interfaces";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import { readCollection } from "@/server/hardware/redfish/resources/collection";
import { failure, type Failed } from "@/server/hardware/redfish/client/errors";
import type { Call } from "@/server/hardware/redfish/client/sender";
import type { ServiceRoot } from "@/server/hardware/redfish/client/sign-in";
import { linksOfSystem, readSystem, type ComputerSystem } from "@/server/hardware/redfish/resources/system";

export interface Discovered {
  readonly root: ServiceRoot;
  readonly links: BmcLinks;
  readonly system: ComputerSystem;
  readonly reading: SystemReading;
}

/** More systems than this behind one BMC is not a host. */
const maxSystems = 8;

/** Reads the service root, signs in, and finds the host's system and its paths. */
export async function discover(
  client: RedfishClient,
  call: Call,
): Promise<{ readonly ok: true; readonly found: Discovered } | Failed> {
  const rooted = await client.serviceRoot(call);
  if (!rooted.ok) return rooted;
  const { root } = rooted;
  if (root.Systems == null) return failure("unsupported", "the service root has no Systems");
  const systems = await readCollection(client, call, root.Systems["@odata.id"]);
  if (!systems.ok) return systems;
  let problem: Failed = failure("unsupported", "the BMC has no system");
  for (const path of systems.members.slice(0, maxSystems)) {
    const read = await readSystem(client, call, path);
    if (!read.ok) return read;
    // A BMC may list GPU boards and DPUs beside the host; the host is the physical one that can be restarted and booted.
    if (read.system.SystemType != null && read.system.SystemType !== "Physical") continue;
    if (read.system.Boot == null) continue;
    const linked = await linksOfSystem(client, call, read.system);
    if (linked.ok)
      return { ok: true, found: { root, links: linked.links, system: read.system, reading: read.reading } };
    problem = linked;
  }
  return problem;
}

/** The paths stored with the host, or found now when there are none yet. */
export async function linksOf(
  client: RedfishClient,
  call: Call,
): Promise<{ readonly ok: true; readonly links: BmcLinks } | Failed> {
  if (call.target.links !== null) return { ok: true, links: call.target.links };
  const discovered = await discover(client, call);
  return discovered.ok ? { ok: true, links: discovered.found.links } : discovered;
}
