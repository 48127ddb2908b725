// Whether a database is the one that we knew or an older one, which is how a restored backup appears (docs/adr/0026-a-restored-database.md).
import { z } from "zod";

/** How far a database had progressed when a process last saw it. */
export const mark = z.strictObject({ epoch: z.int().min(1), sequence: z.int().min(0) });
export type Mark = z.infer<typeof mark>;

/** The marks that a process keeps outside of any database, by the database's lineage. */
export const marks = z.record(z.guid(), mark);
export type Marks = z.infer<typeof marks>;

export const stopCauses = ["older", "otherDatabase", "noMark"] as const;
export type StopCause = (typeof stopCauses)[number];

export interface DatabasePosition extends Mark {
  readonly lineage: string;
  readonly hasHosts: boolean;
  /** A process that has a mark compared it within the last seconds. */
  readonly confirmed: boolean;
}

export type DatabaseStatus =
  | { readonly kind: "current" }
  | { readonly kind: "stopped"; readonly cause: StopCause; readonly message: string };

/** Negative if `a` is earlier. */
export const compareMarks = (a: Mark, b: Mark): number => a.epoch - b.epoch || a.sequence - b.sequence;

const after =
  "Allocation and all work on hosts are stopped. A provider admin must compare hosts and instances with other records, then end the stop on any page of the console, or with: reclaim admin after-restore";

/** Compares a database with the marks of one process. An unknown database is not current. */
export function databaseStatus(position: DatabasePosition, known: Marks): DatabaseStatus {
  const own = known[position.lineage];
  if (own !== undefined) {
    // safety: restore: a database behind its mark (always)
    if (compareMarks(position, own) >= 0) return { kind: "current" };
    return {
      kind: "stopped",
      cause: "older",
      message: `This database is older than the one served before (epoch ${position.epoch}, sequence ${position.sequence}; known: ${own.epoch}, ${own.sequence}): a backup was restored. ${after}`,
    };
  }
  // A database without hosts has nothing to lose.
  if (!position.hasHosts || position.confirmed) return { kind: "current" };
  // safety: restore: one in the place of another
  if (Object.keys(known).length > 0) {
    return {
      kind: "stopped",
      cause: "otherDatabase",
      message: `This database is not the one this server used before: RECLAIM_STATE_DIR holds the mark of another database. It may be a restored backup. ${after}`,
    };
  }
  // Created by a version without marks or by tests, so there has never been a mark.
  // safety: restore: not known is not current (always)
  if (position.epoch === 1 && position.sequence === 0) return { kind: "current" };
  return {
    kind: "stopped",
    cause: "noMark",
    message: `This server has no high-water mark for this database (RECLAIM_STATE_DIR is new or empty), so it cannot tell whether a backup was restored. ${after}; if no backup was restored: reclaim admin after-restore --database-is-current`,
  };
}

/** The later mark of each database. */
export function mergeMarks(one: Marks, other: Marks): Marks {
  const merged: Record<string, Mark> = { ...one };
  for (const [lineage, found] of Object.entries(other)) {
    const before = merged[lineage];
    if (before === undefined || compareMarks(before, found) < 0) merged[lineage] = found;
  }
  return merged;
}
