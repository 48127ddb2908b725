// Reads what a BMC says of the health of its machine: at most two requests at a time, from as few resources as say it all (docs/bmc-health.md#what-is-read).
import { z } from "zod";
import { partNames } from "@/server/domain/repair/health/bmc/component";
import type {
  BmcPart,
  Component,
  HealthReading,
  PartReading,
} from "@/server/domain/repair/health/bmc/component";
import { noLogRead } from "@/server/domain/repair/health/bmc/log";
import type { LogMarks, LogReadings } from "@/server/domain/repair/health/bmc/log";
import type { BmcLinks, BmcTarget, CallOptions, HealthInterface } from "@/server/hardware/interfaces";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import type { Call } from "@/server/hardware/redfish/client/sender";
import {
  adapterOf,
  driveOf,
  fanOf,
  intrusionOf,
  leakDetectorOf,
  memoryOf,
  powerOf,
  processorOf,
  redundancyOf,
  sensorOf,
  supplyOf,
  thermalOf,
} from "@/server/hardware/redfish/health/components";
import { readLogs } from "@/server/hardware/redfish/health/logs";
import { CannotTell, Gather, cannotTell } from "@/server/hardware/redfish/inventory/gather";
import { ownPlaces } from "@/server/hardware/redfish/inventory/own-places";
import { beginWithLinks } from "@/server/hardware/redfish/power";
import { hasAll } from "@/server/hardware/redfish/resources/expand";
import { links, optionalLink, pathOf } from "@/server/hardware/redfish/resources/references";
import { pathOfLink, storageUnit } from "@/server/hardware/redfish/resources/resources";
import { readSystem } from "@/server/hardware/redfish/resources/system";
import type { ComputerSystem } from "@/server/hardware/redfish/resources/system";

/** Limits against a BMC whose lists are longer than a machine. */
const maxChassis = 64;
const maxMembers = 512;

/** Gathers components of each part. What fails is noted with its part, and the others go on. */
class Findings {
  readonly #found = new Map<
    BmcPart,
    { components: Component[]; isOffered: boolean; unread: string | null }
  >();
  readonly #newGather: () => Gather;
  /** Why nothing more is asked: the BMC stopped answering. */
  #silent: string | null = null;

  constructor(newGather: () => Gather) {
    this.#newGather = newGather;
  }

  /** Undefined from `look`: the BMC has no such list here. */
  async of(
    parts: readonly BmcPart[],
    look: (
      gather: Gather,
      add: (part: BmcPart, found: readonly Component[] | undefined) => void,
    ) => Promise<void>,
  ): Promise<void> {
    if (this.#silent !== null) return this.#failed(parts, this.#silent);
    try {
      await look(this.#newGather(), (part, found) => {
        if (found === undefined) return;
        const so = this.#at(part);
        so.isOffered = true;
        so.components.push(...found);
      });
    } catch (error) {
      if (!(error instanceof CannotTell)) throw error;
      if (error.error.kind === "unreachable") this.#silent = error.message;
      this.#failed(parts, error.message);
    }
  }

  #failed(parts: readonly BmcPart[], why: string): void {
    for (const part of parts) this.#at(part).unread ??= why;
  }

  reading(): HealthReading {
    const of = (part: BmcPart): PartReading => this.#at(part);
    return {
      fans: of("fans"),
      powerSupplies: of("powerSupplies"),
      sensors: of("sensors"),
      leakDetectors: of("leakDetectors"),
      intrusion: of("intrusion"),
      networkAdapters: of("networkAdapters"),
      memory: of("memory"),
      processors: of("processors"),
      drives: of("drives"),
    };
  }

  #at(part: BmcPart) {
    const known = this.#found.get(part) ?? { components: [], isOffered: false, unread: null };
    this.#found.set(part, known);
    return known;
  }
}

/** The last two segments: `Memory/DIMM.Socket.A5`. */
const placeOf = (path: string): string => path.split("/").slice(-2).join("/");

/** Members of a list, whole; undefined: the BMC has no such list. */
async function membersOf<Found>(
  gather: Gather,
  reference: { readonly "@odata.id": string } | null | undefined,
  make: (place: string, body: unknown) => Found,
): Promise<readonly Found[] | undefined> {
  const path = pathOfLink(reference);
  if (path === null) return undefined;
  const before = gather.leftOut.length;
  const members = await gather.members("list", path, 1);
  if (gather.leftOut.length > before) return undefined;
  if (members.length > maxMembers) return gather.stop(path, `it lists more than ${maxMembers} members`);
  const whole = await gather.wholeMembers(members);
  const found = await gather.resources(members, whole);
  return found.map(({ path: place, body }) => make(placeOf(place), body));
}

const chassis = z.object({
  Thermal: optionalLink,
  Power: optionalLink,
  ThermalSubsystem: optionalLink,
  PowerSubsystem: optionalLink,
  Sensors: optionalLink,
  NetworkAdapters: optionalLink,
});
type Chassis = z.infer<typeof chassis>;

const subsystem = z.object({ Fans: optionalLink, PowerSupplies: optionalLink, LeakDetection: optionalLink });
const leakDetection = z.object({ LeakDetectors: optionalLink });

/** The content behind a link; undefined: there is no link, or the BMC does not have what it leads to. */
async function behind(
  gather: Gather,
  link: { readonly "@odata.id": string } | null | undefined,
): Promise<unknown> {
  const path = pathOfLink(link);
  return path === null ? undefined : gather.resource("resource", path);
}

/**
 * `Thermal` and `Power` say in one answer each what the newer resources spread over dozens, and most BMCs have both. The newer ones are read where the
 * older are missing or say nothing of a part.
 */
async function readChassis(findings: Findings, path: string, body: unknown): Promise<void> {
  const found: Chassis = chassis.parse(body);
  const place = placeOf(path);
  await findings.of(["intrusion"], async (_, add) => {
    const sensor = intrusionOf(place, body);
    add("intrusion", sensor === null ? undefined : [sensor]);
  });
  const told = { fans: false, supplies: false, sensors: false };
  await findings.of(["fans", "sensors"], async (gather, add) => {
    const { fans, temperatures } = thermalOf(place, await behind(gather, found.Thermal));
    told.fans = (fans ?? []).length > 0;
    told.sensors = (temperatures ?? []).length > 0;
    add("fans", fans);
    add("sensors", temperatures);
  });
  await findings.of(["powerSupplies", "sensors"], async (gather, add) => {
    const { supplies, voltages } = powerOf(place, await behind(gather, found.Power));
    told.supplies = (supplies ?? []).length > 0;
    add("powerSupplies", supplies);
    add("sensors", voltages);
  });
  await readSubsystems(findings, found, place, told);
  await findings.of(["networkAdapters"], async (gather, add) =>
    add("networkAdapters", await membersOf(gather, found.NetworkAdapters, adapterOf)),
  );
}

async function readSubsystems(
  findings: Findings,
  found: Chassis,
  place: string,
  told: { readonly fans: boolean; readonly supplies: boolean; readonly sensors: boolean },
): Promise<void> {
  await findings.of(told.fans ? ["leakDetectors"] : ["leakDetectors", "fans"], async (gather, add) => {
    const body = await behind(gather, found.ThermalSubsystem);
    const { Fans, LeakDetection } = subsystem.safeParse(body).data ?? {};
    const detection = leakDetection.safeParse(await behind(gather, LeakDetection)).data;
    add("leakDetectors", await membersOf(gather, detection?.LeakDetectors, leakDetectorOf));
    if (told.fans) return;
    const fans = await membersOf(gather, Fans, fanOf);
    add("fans", fans === undefined ? undefined : [...fans, ...redundancyOf("fan redundancy", place, body)]);
  });
  if (!told.supplies)
    await findings.of(["powerSupplies"], async (gather, add) => {
      const body = await behind(gather, found.PowerSubsystem);
      const supplies = await membersOf(gather, subsystem.safeParse(body).data?.PowerSupplies, supplyOf);
      add(
        "powerSupplies",
        supplies === undefined ? undefined : [...supplies, ...redundancyOf("power redundancy", place, body)],
      );
    });
  if (!told.sensors)
    await findings.of(["sensors"], async (gather, add) =>
      add("sensors", await membersOf(gather, found.Sensors, sensorOf)),
    );
}

const metered = z.object({ Metrics: optionalLink });

async function readModules(findings: Findings, { Memory, Processors }: ComputerSystem): Promise<void> {
  await findings.of(["memory"], async (gather, add) => {
    const modules = await membersOf(gather, Memory, (place, body) => ({ place, body }));
    const counted = (modules ?? []).map(({ body }) => pathOfLink(metered.safeParse(body).data?.Metrics));
    const metrics = new Map<string, unknown>();
    // A module's counters are optional, also where it links to them.
    for (const path of counted) if (path !== null) metrics.set(path, await gather.resource("counters", path));
    add(
      "memory",
      modules?.map(({ place, body }, at) => memoryOf(place, body, metrics.get(counted[at] ?? ""))),
    );
  });
  await findings.of(["processors"], async (gather, add) =>
    add("processors", await membersOf(gather, Processors, processorOf)),
  );
}

const isWholeDrive = hasAll("Status", "FailurePredicted");
const driveLinks = z.object({ Drives: links });

async function readDrives(findings: Findings, { Storage }: ComputerSystem): Promise<void> {
  await findings.of(["drives"], async (gather, add) => {
    const path = pathOfLink(Storage);
    if (path === null) return;
    const before = gather.leftOut.length;
    const units = await gather.members("storage", path, 2);
    if (gather.leftOut.length > before) return;
    const drives = new Set<string>();
    for (const { path: unit, body: alone } of await gather.resources(
      units,
      (body) => storageUnit.safeParse(body).success,
    )) {
      const listed = (driveLinks.safeParse(alone).data?.Drives ?? []).flatMap((link) => pathOf(link) ?? []);
      await gather.withDrives(unit, alone, listed);
      for (const drive of listed) drives.add(drive);
    }
    if (drives.size > maxMembers) gather.stop(path, `it lists more than ${maxMembers} drives`);
    const found = await gather.resources([...drives], isWholeDrive);
    add(
      "drives",
      found.map(({ path: place, body }) => driveOf(placeOf(place), body)),
    );
  });
}

/** Where health is read. */
interface Places {
  readonly chassis: readonly string[];
  /** What may have logs of this machine alone. */
  readonly logged: readonly string[];
}

/**
 * All chassis of a service with one system: some have sensors in chassis that the system does not name. Otherwise those that the system names, and only
 * logs of what is this system's alone.
 */
async function placesOf(
  client: RedfishClient,
  call: Call,
  { system, manager }: Pick<BmcLinks, "system" | "manager">,
  found: ComputerSystem,
): Promise<Places> {
  const gather = new Gather(client, call);
  const own = (found.Links?.Chassis ?? []).flatMap((reference) => pathOf(reference) ?? []);
  const alone = await ownPlaces({ client, call, gather }, system);
  if (alone !== null) return { chassis: own, logged: alone };
  const rooted = await client.serviceRoot(call);
  if (!rooted.ok) throw new CannotTell(rooted.error);
  const list = pathOfLink(rooted.root.Chassis);
  const all = list === null ? [] : await gather.members("chassis", list);
  const chassis = [...new Set([...own, ...all])];
  if (chassis.length > maxChassis)
    return gather.stop(list ?? system, `it lists more than ${maxChassis} chassis`);
  return { chassis, logged: [system, manager, ...own] };
}

const ofChassis: readonly BmcPart[] = partNames.filter(
  (part) => !["memory", "processors", "drives"].includes(part),
);

/** @returns where logs may be; only the system's own, if the chassis could not be listed */
async function readAll(
  findings: Findings,
  client: RedfishClient,
  call: Call,
  links: BmcLinks,
  system: ComputerSystem,
): Promise<readonly string[]> {
  let logged: readonly string[] = [links.system];
  await findings.of(ofChassis, async () => {
    const places = await placesOf(client, call, links, system);
    logged = places.logged;
    for (const place of places.chassis)
      await findings.of(ofChassis, async (gather) => {
        const body = await gather.resource("chassis", place);
        if (body !== undefined) await readChassis(findings, place, body);
      });
  });
  await readModules(findings, system);
  await readDrives(findings, system);
  return logged;
}

/** In a call of their own, which does not remember their pages. */
async function logsOrWhy(
  client: RedfishClient,
  target: BmcTarget,
  options: CallOptions,
  owners: readonly string[],
  marks: LogMarks,
): Promise<LogReadings> {
  const begun = client.begin(target, options);
  if (!begun.ok) return noLogRead(marks, begun.error.message);
  try {
    return await readLogs(client, begun.call, owners, marks);
  } catch (error) {
    if (error instanceof CannotTell) return noLogRead(marks, error.message);
    throw error;
  }
}

/** Reads the system anew, and everything else once. */
export const readHealth =
  (client: RedfishClient): HealthInterface["read"] =>
  async (target, marks, options) => {
    const begun = await beginWithLinks(client, target, options);
    if (!begun.ok) return begun;
    const { call, links: found } = begun;
    client.keepAnswers(call);
    const read = await readSystem(client, call, found.system);
    if (!read.ok) return read;
    const findings = new Findings(() => new Gather(client, call));
    try {
      const logged = await readAll(findings, client, call, found, read.system);
      const logs = await logsOrWhy(client, target, options, logged, marks);
      return { ok: true, value: { system: read.reading, health: findings.reading(), logs } };
    } catch (error) {
      return cannotTell(error);
    }
  };
