// Processor time from Linux's /proc: of one process, or of PostgreSQL with all its children, including those that have ended.
import { readdirSync, readFileSync } from "node:fs";

/** The content of `/proc/<pid>/stat`, in clock ticks. */
export interface ProcessStat {
  readonly pid: number;
  readonly command: string;
  readonly parent: number;
  /** utime + stime of all its threads. */
  readonly ownTicks: number;
  /** cutime + cstime: of children that have ended and were waited for. */
  readonly endedChildrenTicks: number;
}

/** Linux reports /proc times in hundredths of a second (USER_HZ), whatever the kernel's own tick rate. */
export const ticksPerSecond = 100;

/** Throws when the text is not a line of `/proc/<pid>/stat`. */
export function parseStat(text: string): ProcessStat {
  // The command may contain spaces and parentheses, so fields are counted from the last parenthesis.
  const open = text.indexOf("(");
  const close = text.lastIndexOf(")");
  const fields = text
    .slice(close + 2)
    .trim()
    .split(" ")
    .map(Number);
  const [, parent, utime, stime, cutime, cstime] = [0, 1, 11, 12, 13, 14].map((place) => fields[place]);
  if (
    open === -1 ||
    close === -1 ||
    parent === undefined ||
    utime === undefined ||
    stime === undefined ||
    cutime === undefined ||
    cstime === undefined
  ) {
    throw new Error(`not a process: ${text.slice(0, 80)}`);
  }
  return {
    pid: Number(text.slice(0, open).trim()),
    command: text.slice(open + 1, close),
    parent,
    ownTicks: utime + stime,
    endedChildrenTicks: cutime + cstime,
  };
}

/** Reads one process; null if there is none with that number. */
export function readStat(pid: number): ProcessStat | null {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ESRCH"))
      return null;
    throw error;
  }
}

const allProcesses = (): ProcessStat[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(Number(name)) ?? []);

const inMs = (ticks: number): number => (ticks * 1000) / ticksPerSecond;

/** A process and its children, living or ended. A child's whole lifetime counts, so only differences are meaningful. */
export function treeMs(root: ProcessStat, others: readonly ProcessStat[]): number {
  const children = others.filter((other) => other.parent === root.pid);
  return (
    inMs(root.ownTicks + root.endedChildrenTicks) +
    children.reduce((sum, child) => sum + inMs(child.ownTicks + child.endedChildrenTicks), 0)
  );
}

/** Processor time in ms that a process has used so far. Throws if it has ended, because its time is then unknown. */
export function processMs(pid: number): number {
  const stat = readStat(pid);
  if (stat === null) throw new Error(`process ${pid} has ended`);
  return inMs(stat.ownTicks);
}

/** The same for a process with its children, such as PostgreSQL's postmaster. */
export function processTreeMs(pid: number): number {
  const root = readStat(pid);
  if (root === null) throw new Error(`process ${pid} has ended`);
  return treeMs(root, allProcesses());
}

/**
 * The postmaster of a backend, if it runs on this machine under that number.
 * Null for a database elsewhere, or in a container with its own process numbers: its processor time cannot be seen from here.
 */
export function postmasterOf(backendPid: number): number | null {
  const backend = readStat(backendPid);
  if (backend === null || !/^postgres/.test(backend.command)) return null;
  const parent = readStat(backend.parent);
  return parent !== null && /^postgres/.test(parent.command) ? parent.pid : null;
}

/** Time of all cores since boot, in ms: busy, and in total. */
export function coresMs(): { readonly busy: number; readonly all: number } {
  const [first = ""] = readFileSync("/proc/stat", "utf8").split("\n");
  // user, nice, system, idle, iowait, irq, softirq, steal; the remaining fields are included in user.
  const ticks = first.trim().split(/\s+/).slice(1, 9).map(Number);
  const all = ticks.reduce((sum, part) => sum + part, 0);
  return { busy: inMs(all - (ticks[3] ?? 0) - (ticks[4] ?? 0)), all: inMs(all) };
}
