// Reads a state file: whether it belongs to this fleet, and the last known state of each thing.
import { readJournal } from "@/server/simulator/state/journal";
import {
  stateHeader,
  stateLine,
  type DriveMemory,
  type HostMemory,
  type NetworkMemory,
} from "@/server/simulator/state/memory";

/** A state file that cannot be this fleet's. */
export class StateError extends Error {
  override readonly name = "StateError";
}

export interface Recalled {
  /** Real milliseconds for which simulators of this fleet had been running. */
  readonly at: number;
  readonly hosts: ReadonlyMap<number, HostMemory>;
  /** By host and place. */
  readonly drives: ReadonlyMap<
    number,
    ReadonlyMap<number, { readonly at: number; readonly drive: DriveMemory }>
  >;
  readonly networks: ReadonlyMap<string, NetworkMemory>;
  readonly tornBytes: number;
}

export interface FleetIdentity {
  readonly seed: number;
  readonly hosts: number;
}

function parsed(file: string, number: number, line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new StateError(
        `${file} is damaged in line ${number}: put back its content, or remove it to begin with drives that hold tenants' data`,
      );
    throw error;
  }
}

function checkHeader(file: string, line: string, fleet: FleetIdentity): void {
  const header = stateHeader.safeParse(parsed(file, 1, line));
  if (!header.success) throw new StateError(`${file} is not a state file of this simulator`);
  const { seed, hosts } = header.data;
  if (seed !== fleet.seed)
    throw new StateError(`${file} is about a fleet of seed ${seed}, not ${fleet.seed}: use another file`);
  if (hosts > fleet.hosts)
    throw new StateError(
      `${file} is about a fleet of ${hosts} hosts, which can grow but not shrink to ${fleet.hosts}: use another file`,
    );
}

/** Null if there is no file, or an empty one. Throws StateError if it belongs to another fleet, or is damaged anywhere but at its end. */
export function recallFleet(file: string, fleet: FleetIdentity): Recalled | null {
  const journal = readJournal(file);
  const [header, ...lines] = journal?.lines ?? [];
  if (journal === null || (header === undefined && journal.tornBytes === 0)) return null;
  if (header === undefined) throw new StateError(`${file} is not a state file of this simulator`);
  checkHeader(file, header, fleet);
  const hosts = new Map<number, HostMemory>();
  const drives = new Map<number, Map<number, { readonly at: number; readonly drive: DriveMemory }>>();
  const networks = new Map<string, NetworkMemory>();
  let at = 0;
  for (const [index, text] of lines.entries()) {
    const result = stateLine.safeParse(parsed(file, index + 2, text));
    if (!result.success)
      throw new StateError(`${file} says in line ${index + 2} what this simulator does not understand`);
    const line = result.data;
    at = Math.max(at, line.at);
    if ("state" in line) hosts.set(line.host, line.state);
    if ("network" in line) networks.set(line.network.wanted.host, line.network);
    if (!("drive" in line)) continue;
    const places =
      drives.get(line.host) ?? new Map<number, { readonly at: number; readonly drive: DriveMemory }>();
    drives.set(line.host, places.set(line.place, { at: line.at, drive: line.drive }));
  }
  return { at, hosts, drives, networks, tornBytes: journal.tornBytes };
}
