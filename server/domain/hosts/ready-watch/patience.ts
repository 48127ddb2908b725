// Readings of a host in a row that were not good: when they end its proof, and whether they show that it changed (docs/adr/0121-ready-lasts.md).
import type { ReadyVerdict } from "@/server/domain/hosts/ready-watch/baseline";

/** Readings of one host in a row that did not find it as it was proven. Times are monotonic, in milliseconds. */
export interface Unread {
  readonly sinceMs: number;
  /** How often it was read and looked changed. */
  readonly looks: number;
}

/** A BMC that could not be read for so many intervals puts its host in doubt. */
const silentIntervals = 2;

type Bad = Exclude<ReadyVerdict["kind"], "same">;

/**
 * Counts one more. `seen`: the host was read and is different, at once or when it was looked at again. `silent`: for two intervals nothing was read that is
 * as it was proven, which ends the proof and shows no change. `unknown`: no reading can be compared, which ends it at once and shows no change either. A BMC that answers now and then does not begin anew. Pure.
 */
export function countUnread(
  before: Unread | undefined,
  kind: Bad,
  nowMs: number,
  everyMs: number,
): { readonly unread: Unread; readonly ends: "seen" | "silent" | "unknown" | null } {
  const unread = {
    sinceMs: before?.sinceMs ?? nowMs,
    looks: (before?.looks ?? 0) + (kind === "look" ? 1 : 0),
  };
  if (kind === "doubt" || unread.looks > 1) return { unread, ends: "seen" };
  if (kind === "unknown") return { unread, ends: "unknown" };
  const isSilent = nowMs - unread.sinceMs >= silentIntervals * everyMs;
  return { unread, ends: isSilent ? "silent" : null };
}
