// The model's machine: what power, BMC and network really do to it, and what runs on it.
import type { MarkReading } from "@/server/domain/hosts/reset-mark";
import { places } from "@/server/controller/testing/model/machine-state";
import type { Drive, Machine } from "@/server/controller/testing/model/machine-state";
import { eraseBegan } from "@/server/domain/cleaning/sanitization/voided";
import { openInstance, storeSignal } from "@/server/controller/testing/model/world";
import type { World } from "@/server/controller/testing/model/world";
import { must } from "@/server/controller/testing/model/violation";

/** Lets time pass: erases that end in it have erased, and a firmware that waits in a script asks again. */
export function advance(world: World, ms: number): void {
  world.nowMs += ms;
  for (const drive of world.machine.drives) endErase(world, drive);
  if (world.machine.waiting) askScript(world);
}

function endErase(world: World, drive: Drive): void {
  if (drive.erasing === null || drive.erasing.untilMs > world.nowMs) return;
  if (drive.behaviour === "honest")
    Object.assign(drive, { bytes: drive.bytes.map(() => 0), erasedIn: drive.erasing.reclamationId });
  drive.erasing = null;
}

export const present = (machine: Machine): readonly Drive[] =>
  machine.drives.filter((drive) => drive.present);
/** Drives that the BMC lists. */
export const named = (machine: Machine): readonly Drive[] =>
  present(machine).filter((drive) => !drive.nameless);
/** Drives that an agent can report. */
export const visible = (machine: Machine): readonly Drive[] =>
  named(machine).filter((drive) => !drive.hidden);
export const eraseEndMs = (machine: Machine): number =>
  Math.max(0, ...machine.drives.map((drive) => drive.erasing?.untilMs ?? 0));
/** What an agent makes of its status: one that is idle and of which no block can be read may be erasing (docs/adr/0022-durations-travel.md). */
export const statusOf = ({ says, erasing }: Drive): "idle" | "erasing" | "unknown" =>
  says === "running" ? "erasing" : erasing === null ? "idle" : says === "idle" ? "unknown" : "erasing";
/** Nothing of a tenant is on it, and nobody has written to it since its erase. */
export const isClean = (drive: Drive): boolean => drive.bytes.every((byte) => byte === 0);
export const isTenants = (drive: Drive): boolean => drive.bytes.some((byte) => byte === 1);

/**
 * As the BMC reports it, derived from its clock, which is rounded and may be set; null: it reports none. Its web server may send a time that is ten
 * seconds old.
 */
export function resetMarkOf({ machine, nowMs }: World): Required<MarkReading> {
  machine.readings += 1;
  const jitterMs = ((machine.readings % 5) - 2) * 1_000;
  const clockMs = Math.max(nowMs, machine.resetAtMs) + machine.clockMs;
  return {
    resetMark: machine.tellsResets ? iso(machine.resetAtMs + machine.clockMs + jitterMs) : null,
    markClock: { bmcTime: iso(Math.floor(clockMs / 10_000) * 10_000), readAt: iso(nowMs) },
  };
}

/** By a time server, a new battery, summer time without a zone, or because it started without a time. */
export function stepBmcClock(world: World, choice: number): void {
  const { machine } = world;
  const hour = 3_600_000;
  machine.clockMs += [-hour, hour, 12 * hour, 0, -machine.clockMs, -world.nowMs][choice % 6] ?? 0;
  world.seen.add("the BMC's clock was set");
}

const iso = (ms: number): string => new Date(ms).toISOString();

/** Drives by their serials, for comparison. */
export const serialsOf = (drives: readonly { readonly serial: string }[]): string =>
  [...new Set(drives.map(({ serial }) => serial))].sort().join();

/** While the host waits in Ready, only a reset shows that somebody wrote, and not one that may be its agent's. */
const firstShownMs = 10 * 60_000;

/** Somebody boots the Ready host, and writes to a drive. */
function writeWhileReady(world: World, drive: Drive, choice: number): void {
  const { machine, host } = world;
  if (host === null || !machine.tellsResets || world.nowMs <= host.run.stateSinceMs + firstShownMs) return;
  restart(world);
  drive.bytes[choice % places] = 2;
  machine.writtenInReady = true;
  world.seen.add("written while Ready");
}

/** A tenant at work: everything that can hold a byte holds the tenant's. */
export function tenantWrites(world: World): void {
  const { machine } = world;
  if (
    machine.agent !== null ||
    machine.waiting ||
    openInstance(world) === null ||
    ![...machine.ports.values()].some((port) => port.network === "tenant")
  )
    return;
  for (const drive of present(machine))
    Object.assign(drive, { bytes: drive.bytes.map(() => 1), erasedIn: null });
  tenantRuns(machine);
  machine.infiniband = { tenant: true, resetIn: null };
  world.seen.add("tenant wrote");
}

function tenantRuns(machine: Machine): void {
  machine.foreign = true;
  machine.memory = { tenant: true, askedIn: null, overwrittenIn: null, drainedIn: null };
}

/** Boots from the disks: a drive with a tenant's bytes starts the tenant's system, which writes to every drive. */
function bootFromDisk(world: World): void {
  const { machine } = world;
  const drives = present(machine);
  if (drives.some((drive) => isTenants(drive) && drive.erasing === null)) {
    tenantRuns(machine);
    for (const [index, drive] of drives.entries()) {
      // If only content shows such a boot, nothing shows it on a drive that no agent reads. A drive that sanitizes refuses to be read and written.
      if (drive.hidden || drive.erasing !== null) continue;
      if (isClean(drive)) world.seen.add("an old system wrote onto an erased drive");
      drive.bytes[(machine.resets + index) % places] = 1;
      machine.touched = true;
    }
  }
  tenantWrites(world);
}

/**
 * Something other than our agent writes to a drive: a system that nobody ordered, or a person with a cable. Not after the content was read in this
 * boot, unless somebody works on the host, because nothing could show it. Only somebody at work writes to what no agent reads.
 */
export function foreignWrite(world: World, choice: number): void {
  const { machine, host } = world;
  const drive = machine.drives[choice % machine.drives.length];
  if (
    drive === undefined ||
    machine.agent !== null ||
    drive.erasing !== null ||
    openInstance(world) !== null ||
    host === null
  )
    return;
  const { run } = host;
  if (run.state === "Ready" && !run.maintenance && !run.touched) return writeWhileReady(world, drive, choice);
  const open = host.reclamations.find((row) => !row.ended);
  const read =
    open?.view.content?.read?.epoch === run.bootEpoch ||
    host.signals.some(({ signal }) => signal.kind === "validation");
  const skipped = run.context.proven.cleaningSkipped;
  if (skipped || ((read || drive.hidden || run.state === "Ready") && !run.maintenance && !run.touched))
    return;
  drive.bytes[choice % places] = 2;
  machine.touched = true;
  world.seen.add("foreign write");
}

/** A power action that the BMC performs. `resetOnly`: it can be nothing but a reset. */
export function bmcReset(world: World, resetOnly: boolean): void {
  const { machine, nowMs } = world;
  const erases = eraseEndMs(machine) > nowMs;
  must(!erases || resetOnly, "no power action during an erase, except a reset");
  must(!erases || survivesReset(world), "no reset is a power action during an erase that it breaks off");
  world.seen.add(erases ? "reset during a sanitize" : "reset");
  restart(world);
}

/** Whether each erase that runs goes on over a reset: only an NVMe sanitize does (NVMe Base Specification, sanitize operations). */
export const survivesReset = ({ machine, nowMs }: World): boolean =>
  machine.drives.every(
    ({ erasing }) =>
      erasing === null ||
      erasing.untilMs <= nowMs ||
      erasing.technique?.startsWith("nvme-sanitize-") === true,
  );

/** Restarts the machine: from the network if a one-time boot is set, or if its firmware asks there first and no disk is set; otherwise from disk. */
export function restart(world: World): void {
  const { machine } = world;
  const { askedIn } = machine.memory;
  if (askedIn !== null)
    machine.memory = { ...machine.memory, tenant: false, askedIn: null, overwrittenIn: askedIn };
  if (machine.bios.pendingIn !== null) machine.bios = { pendingIn: null, appliedIn: machine.bios.pendingIn };
  Object.assign(machine, {
    agent: null,
    waiting: false,
    foreign: false,
    resets: machine.resets + 1,
    // Firmware takes a minute, in which the model starts nothing.
    resetAtMs: Math.max(world.nowMs, machine.resetAtMs + 60_000),
  });
  const network = machine.override || (machine.networkFirst && !machine.bootsDisk);
  machine.override = false;
  if (network) askScript(world);
  else bootFromDisk(world);
}

/** The boot server's answer (`agents/boot/boot-server.ts`), and what follows. */
function askScript(world: World): void {
  const { machine, host } = world;
  const window = host?.windows.find(
    (row) => row.bootEpoch === host.run.bootEpoch && row.expiresMs > world.nowMs,
  );
  machine.waiting = false;
  if (host !== null && host.run.bootHeld && (window === undefined || window.consumed)) noteUnordered(world);
  if (window !== undefined && !window.consumed) {
    if (window.resetDone && !window.contested)
      machine.agent = { epoch: null, tokenEpoch: window.bootEpoch, finished: new Set(), working: null };
    else machine.waiting = true;
  } else if (host?.run.bootHeld === true) machine.waiting = true;
  else bootFromDisk(world);
}

/** Something asks how the host should boot, as firmware does: from outside the provisioning networks that counts for nothing. */
export function askFrom(world: World, place: "inside" | "outside"): void {
  const { host } = world;
  const window = host?.windows.find((row) => row.bootEpoch === host.run.bootEpoch);
  world.seen.add(`asked how to boot from ${place}`);
  if (place === "outside") return;
  if (host?.run.bootHeld === true && (window === undefined || window.consumed)) noteUnordered(world);
}

/** As `noteUnorderedBoot` in `db/hot/agent/boot.ts`. */
function noteUnordered(world: World): void {
  const { host } = world;
  if (
    host === null ||
    host.run.context.cleaning.voided !== undefined ||
    !host.steps.some(
      ({ view, reclamationId }) => reclamationId === host.run.reclamationId && eraseBegan([view]),
    ) ||
    host.signals.some(({ signal }) => signal.kind === "bootUnordered")
  )
    return;
  host.run.evidenceSeq += 1;
  storeSignal(host, world, {
    kind: "bootUnordered",
    payload: { bootEpoch: host.run.bootEpoch, message: "it booted" },
  });
  world.seen.add("a boot that nobody ordered");
}
