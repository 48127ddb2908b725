// Processor time of processes, from Linux's /proc: one process, or PostgreSQL with all its children, also those that ended.
import { readdirSync, readFileSync } from "node:fs";

/** What `/proc/<pid>/stat` says, in clock ticks. */
export interface ProcessStat {
  readonly pid: number;
  readonly command: string;
  readonly parent: number;
  /** utime + stime of all its threads. */
  readonly ownTicks: number;
  /** cutime + cstime: of children that ended and were waited for. */
  readonly endedChildrenTicks: number;
}

/** Linux gives /proc in hundredths of a second (USER_HZ), whatever the kernel's own rate. */
export const ticksPerSecond = 100;

/** Throws when the text is not a line of `/proc/<pid>/stat`. */
export function parseStat(text: string): ProcessStat {
  // The command may hold spaces and brackets, so the fields are counted from the last bracket.
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

/** Reads one process; null when there is none of that number. */
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

/** A process and its children, living or ended. Children count from their own birth on, so only differences say something. */
export function treeMs(root: ProcessStat, others: readonly ProcessStat[]): number {
  const children = others.filter((other) => other.parent === root.pid);
  return (
    inMs(root.ownTicks + root.endedChildrenTicks) +
    children.reduce((sum, child) => sum + inMs(child.ownTicks + child.endedChildrenTicks), 0)
  );
}

/** Processor time in ms that a process has used so far. Throws when it has gone: what it used can then not be told. */
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
 * The postmaster above a backend, if that runs on this machine under that number.
 * A database elsewhere, or in a container with process numbers of its own, gives null: its processor time cannot be seen from here.
 */
export function postmasterOf(backendPid: number): number | null {
  const backend = readStat(backendPid);
  if (backend === null || !/^postgres/.test(backend.command)) return null;
  const parent = readStat(backend.parent);
  return parent !== null && /^postgres/.test(parent.command) ? parent.pid : null;
}

/** Time of all cores since the start, in ms: of any process, and in all. */
export function coresMs(): { readonly busy: number; readonly all: number } {
  const [first = ""] = readFileSync("/proc/stat", "utf8").split("\n");
  // user, nice, system, idle, iowait, irq, softirq, steal; what follows is in user already.
  const ticks = first.trim().split(/\s+/).slice(1, 9).map(Number);
  const all = ticks.reduce((sum, part) => sum + part, 0);
  return { busy: inMs(all - (ticks[3] ?? 0) - (ticks[4] ?? 0)), all: inMs(all) };
}
