// Finds the host's system by following links from the service root, without assumptions about paths (docs/design/hardware.md#redfish).
import { sameUuid } from "@/server/domain/hosts/inventory/system-uuid";
import { isMachineOf } from "@/server/hardware/same-machine";
import type { BmcLinks, SystemReading } from "@/server/hardware/interfaces";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import { systemPath } from "@/server/domain/hardware/bmc-system";
import { readCollection } from "@/server/hardware/redfish/resources/collection";
import { failure, type Failed } from "@/server/hardware/redfish/client/errors";
import type { Call } from "@/server/hardware/redfish/client/sender";
import { pathOf } from "@/server/hardware/redfish/resources/references";
import type { ServiceRoot } from "@/server/hardware/redfish/client/sign-in";
import { linksOfSystem, readSystem, type ComputerSystem } from "@/server/hardware/redfish/resources/system";

export interface Discovered {
  readonly root: ServiceRoot;
  readonly links: BmcLinks;
  readonly system: ComputerSystem;
  readonly reading: SystemReading;
  /** All systems of the service. */
  readonly systems: readonly string[];
}

/** A service with more systems than this is not read through for one host. */
const maxSystems = 64;

/** Reads the service root, signs in, and finds the host's system and its paths. */
export async function discover(client: RedfishClient, call: Call): Promise<DiscoveryResult | Failed> {
  const rooted = await client.serviceRoot(call);
  if (!rooted.ok) return rooted;
  const { root } = rooted;
  if (root.Systems == null) return failure("unsupported", "the service root has no Systems");
  const systems = await readCollection(client, call, root.Systems["@odata.id"]);
  if (!systems.ok) return systems;
  if (systems.members.length > maxSystems)
    return failure("unsupported", `the service has more than ${maxSystems} systems`);
  const unfit: string[] = [];
  const hosts: Candidate[] = [];
  for (const path of likelyFirst(call.target, systems.members)) {
    const read = await readSystem(client, call, path);
    if (!read.ok) return read;
    const candidate = { root, system: read.system, reading: read.reading, systems: systems.members };
    // A BMC may list GPU boards and DPUs beside the host. The host is the system that can be restarted and booted.
    const why = whyUnfit(read.system);
    if (why !== null) unfit.push(`${path} ${why}`);
    else if (isAtPath(call.target, candidate)) return withLinks(client, call, candidate);
    else hosts.push(candidate);
  }
  const named = hosts.filter(({ reading }) => isNamed(call.target, reading));
  const among = await fitAmong(client, call, named);
  if (!among.ok) return among;
  const fit = among.fit.length > 0 ? among : await fitAmong(client, call, hosts);
  if (!fit.ok) return fit;
  const [only] = fit.fit;
  if (only === undefined) return fit.unsupported ?? noSystem(unfit);
  // A single system is returned as it is; the caller compares its identity.
  // safety: bmc: of several systems none is taken (never)
  if (fit.fit.length > 1) return ambiguous(call.target, fit.fit, fit === among);
  return { ok: true, found: only };
}

type Candidate = Omit<Discovered, "links">;

type DiscoveryResult = { readonly ok: true; readonly found: Discovered };

async function withLinks(
  client: RedfishClient,
  call: Call,
  candidate: Candidate,
): Promise<DiscoveryResult | Failed> {
  const linked = await linksOfSystem(client, call, candidate.system);
  return linked.ok ? { ok: true, found: { ...candidate, links: linked.links } } : linked;
}

interface Fit {
  readonly ok: true;
  readonly fit: readonly Discovered[];
  /** Why one of them is not a host, by its own answer. */
  readonly unsupported: Failed | null;
}

/** The systems that can be restarted and managed. Only a complete answer rules a system out: one that cannot be read may be the host. */
async function fitAmong(
  client: RedfishClient,
  call: Call,
  candidates: readonly Candidate[],
): Promise<Fit | Failed> {
  const fit: Discovered[] = [];
  let unsupported: Failed | null = null;
  for (const candidate of candidates) {
    const linked = await withLinks(client, call, candidate);
    if (linked.ok) {
      fit.push(linked.found);
      continue;
    }
    // safety: bmc: a system that cannot be read is counted (never)
    if (linked.error.kind !== "unsupported") return linked;
    unsupported = linked;
  }
  return { ok: true, fit, unsupported };
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

/** A service may have dozens of systems, so the one that was named, or found last time, is read first. */
function likelyFirst({ links, system }: Call["target"], members: readonly string[]): readonly string[] {
  const likely = (path: string) => isSystem(path, system?.path ?? links?.system ?? null);
  return [...members.filter(likely), ...members.filter((path) => !likely(path))];
}

const isSystem = (path: string, named: string | null): boolean =>
  named !== null && systemPath(path) === systemPath(named);

/** A service may have the systems of many hosts, including virtual ones. */
const hostTypes: ReadonlySet<string> = new Set(["Physical", "Virtual"]);

/** Whether this is the system at the named path, or, without a name, the known machine at the path where it was last found. */
function isAtPath(
  { identity, links, system: named }: Call["target"],
  { system, reading }: Candidate,
): boolean {
  const path = pathOf(system["@odata.id"]);
  if (path === null) return false;
  if (named?.path != null) return isSystem(path, named.path);
  return isSystem(path, links?.system ?? null) && isMachineOf({ identity, links }, reading);
}

/** Whether its system UUID, or else its serial, is the one that the host was given or is known by. Firmware may give several systems the same one. */
function isNamed({ identity, system }: Call["target"], reading: SystemReading): boolean {
  if (system?.path != null) return false;
  const uuid = (identity?.systemUuid ?? system?.systemUuid ?? "").toLowerCase();
  if (uuid !== "")
    return [uuid, ...(identity?.confirmed?.systemUuids ?? [])].some((name) => sameUuid(name, reading.uuid));
  const serial = identity?.serial ?? system?.serial ?? "";
  return serial !== "" && reading.serial === serial;
}

/** The message that the page, the CLI and the API show when a person has to choose. */
function ambiguous(
  { identity, system }: Call["target"],
  found: readonly Discovered[],
  named: boolean,
): Failed {
  const known = identity ?? system ?? null;
  const why =
    system?.path != null
      ? `none of them is ${system.path}`
      : known?.systemUuid != null || known?.serial != null
        ? `the host's serial and system UUID name ${named ? "each" : "none"} of them`
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

/** The paths stored with the host, or discovered now if there are none yet. */
export async function linksOf(
  client: RedfishClient,
  call: Call,
): Promise<{ readonly ok: true; readonly links: BmcLinks } | Failed> {
  if (call.target.links !== null) return { ok: true, links: call.target.links };
  const discovered = await discover(client, call);
  return discovered.ok ? { ok: true, links: discovered.found.links } : discovered;
}
