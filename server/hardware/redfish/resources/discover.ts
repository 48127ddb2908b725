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

/** More systems than this behind one service are not read through for one host. */
const maxSystems = 64;

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
  if (systems.members.length > maxSystems)
    return failure("unsupported", `the service has more than ${maxSystems} systems`);
  let problem: Failed = failure("unsupported", "the BMC has no system");
  const others: Discovered[] = [];
  for (const path of systems.members) {
    const read = await readSystem(client, call, path);
    if (!read.ok) return read;
    // A BMC may list GPU boards and DPUs beside the host; the host is the physical one that can be restarted and booted.
    if (read.system.SystemType != null && !hostTypes.has(read.system.SystemType)) continue;
    if (read.system.Boot == null) continue;
    const linked = await linksOfSystem(client, call, read.system);
    if (!linked.ok) {
      problem = linked;
      continue;
    }
    const found = { root, links: linked.links, system: read.system, reading: read.reading };
    if (isNamed(call.target, found)) return { ok: true, found };
    others.push(found);
  }
  const [only, ...more] = others;
  if (only === undefined) return problem;
  // The only one is told as it is: whoever asked compares it.
  return more.length === 0 ? { ok: true, found: only } : ambiguous(others);
}

/** A service may have the systems of many hosts, virtual ones among them. */
const hostTypes: ReadonlySet<string> = new Set(["Physical", "Virtual"]);

/** Whether it is the system that the host was said, or is known, to be. */
function isNamed(
  { identity, system }: Call["target"],
  { links, reading }: Pick<Discovered, "links" | "reading">,
): boolean {
  if (system?.path != null) return links.system === system.path;
  const uuid = identity?.systemUuid ?? system?.systemUuid ?? null;
  if (uuid !== null) return reading.uuid === uuid.toLowerCase();
  const serial = identity?.serial ?? system?.serial ?? null;
  return serial !== null && reading.serial === serial;
}

const ambiguous = (found: readonly Discovered[]): Failed =>
  failure(
    "unsupported",
    `the service has ${found.length} systems, and the host's serial and system UUID name none of them: ${found
      .map(
        ({ links, reading }) =>
          `${links.system} (serial ${reading.serial || "none"}, system UUID ${reading.uuid || "none"})`,
      )
      .join(", ")}. Give the one or the other`,
  );

/** The paths stored with the host, or found now when there are none yet. */
export async function linksOf(
  client: RedfishClient,
  call: Call,
): Promise<{ readonly ok: true; readonly links: BmcLinks } | Failed> {
  if (call.target.links !== null) return { ok: true, links: call.target.links };
  const discovered = await discover(client, call);
  return discovered.ok ? { ok: true, links: discovered.found.links } : discovered;
}
