// From the service root by links to the system: nothing is assumed about paths (docs/design/hardware.md#redfish).
import type { BmcLinks, SystemReading } from "@/server/hardware/interfaces";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import { systemPath } from "@/server/domain/hardware/bmc-system";
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
  let problem: Failed | null = null;
  const unfit: string[] = [];
  const others: Discovered[] = [];
  for (const path of likelyFirst(call.target, systems.members)) {
    const read = await readSystem(client, call, path);
    if (!read.ok) return read;
    // A BMC may list GPU boards and DPUs beside the host; the host is the physical one that can be restarted and booted.
    const why = whyUnfit(read.system);
    if (why !== null) {
      unfit.push(`${path} ${why}`);
      continue;
    }
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
  if (only === undefined) return problem ?? noSystem(unfit);
  // The only one is told as it is: whoever asked compares it.
  return more.length === 0 ? { ok: true, found: only } : ambiguous(call.target, others);
}

const noSystem = (unfit: readonly string[]): Failed =>
  failure(
    "unsupported",
    `the BMC has no system that can be restarted and booted${unfit.length === 0 ? "" : `: ${unfit.join(", ")}`}`,
  );

function whyUnfit({ SystemType: type, Boot: boot }: ComputerSystem): string | null {
  if (type != null && !hostTypes.has(type)) return `is a ${type}`;
  return boot == null ? "has no Boot" : null;
}

/** A service may have dozens: the one that was named, or that it was the last time, is read before the others. */
function likelyFirst({ links, system }: Call["target"], members: readonly string[]): readonly string[] {
  const likely = (path: string) => isSystem(path, system?.path ?? links?.system ?? null);
  return [...members.filter(likely), ...members.filter((path) => !likely(path))];
}

const isSystem = (path: string, named: string | null): boolean =>
  named !== null && systemPath(path) === systemPath(named);

/** A service may have the systems of many hosts, virtual ones among them. */
const hostTypes: ReadonlySet<string> = new Set(["Physical", "Virtual"]);

/** Whether it is the system that the host was said, or is known, to be. */
function isNamed(
  { identity, system }: Call["target"],
  { links, reading }: Pick<Discovered, "links" | "reading">,
): boolean {
  if (system?.path != null) return isSystem(links.system, system.path);
  const uuid = identity?.systemUuid ?? system?.systemUuid ?? null;
  if (uuid !== null) return reading.uuid === uuid.toLowerCase();
  const serial = identity?.serial ?? system?.serial ?? null;
  return serial !== null && reading.serial === serial;
}

/** What stands on the page, in the command and in the API where a person has to choose. */
function ambiguous({ identity, system }: Call["target"], found: readonly Discovered[]): Failed {
  const known = identity ?? system ?? null;
  const why =
    system?.path != null
      ? `none of them is ${system.path}`
      : known?.systemUuid != null || known?.serial != null
        ? "the host's serial and system UUID name none of them"
        : "nothing says which of them is the host";
  const list = found.map(
    ({ links, reading }) =>
      `${links.system} (serial ${reading.serial || "none"}, system UUID ${reading.uuid || "none"})`,
  );
  return failure(
    "unsupported",
    `the service has ${found.length} systems, and ${why}: ${list.join(", ")}. Choose one: System in Change BMC, reclaim hosts set-bmc --system, or redfish_system_id in driver_info`,
  );
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
