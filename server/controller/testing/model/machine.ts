// The machine of the model: what power, BMC and network really do to it.
import type { Drive, HostTables, Machine, World } from "@/server/controller/testing/model/world";
import { openInstance } from "@/server/controller/testing/model/world";
import { must } from "@/server/controller/testing/model/violation";

/** Lets time pass; erases that end in it have erased. */
export function advance(world: World, ms: number): void {
  world.nowMs += ms;
  for (const drive of world.machine.drives) endErase(world, drive);
}

function endErase(world: World, drive: Drive): void {
  if (drive.erasing === null || drive.erasing.untilMs > world.nowMs) return;
  if (drive.behaviour === "honest") Object.assign(drive, { content: "erased", erasedIn: drive.erasing.reclamationId });
  drive.erasing = null;
}

export const present = (machine: Machine): readonly Drive[] => machine.drives.filter((drive) => drive.present);
export const eraseEndMs = (machine: Machine): number => Math.max(0, ...machine.drives.map((drive) => drive.erasing?.untilMs ?? 0));

/** A tenant at work: everything that can hold a byte holds the tenant's. */
export function tenantWrites(world: World): void {
  const { machine } = world;
  if (machine.agent !== null || openInstance(world) === null || ![...machine.ports.values()].some((port) => port.network === "tenant")) return;
  for (const drive of present(machine)) Object.assign(drive, { content: "tenant", erasedIn: null });
  machine.memory = { tenant: true, askedIn: null, overwrittenIn: null };
  machine.infiniband = { tenant: true, resetIn: null };
  world.seen.add("tenant wrote");
}

/** A reset that the BMC performs. */
export function bmcReset(world: World): void {
  must(eraseEndMs(world.machine) <= world.nowMs, "no power action during an erase");
  world.seen.add("reset");
  restart(world);
}

/** The machine starts again: into our image if a one-time boot is set, else from disk. */
export function restart(world: World): void {
  const { machine } = world;
  if (machine.memory.askedIn !== null) machine.memory = { tenant: false, askedIn: null, overwrittenIn: machine.memory.askedIn };
  if (machine.bios.pendingIn !== null) machine.bios = { pendingIn: null, appliedIn: machine.bios.pendingIn };
  const epoch = openWindow(world.host, world.nowMs);
  machine.agent = machine.override && epoch !== null ? { epoch: null, tokenEpoch: epoch, finished: new Set(), working: null } : null;
  machine.override = false;
  tenantWrites(world);
}

function openWindow(host: HostTables | null, nowMs: number): number | null {
  const window = host?.windows.find((row) => row.bootEpoch === host.run.bootEpoch && row.expiresMs > nowMs);
  return window?.bootEpoch ?? null;
}
