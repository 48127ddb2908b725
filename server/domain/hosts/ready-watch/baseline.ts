// What is known of a host that waits in Ready from before a reading, as the database returns it, and the verdict on the reading.
import { z } from "zod";
import { differences, differencesText } from "@/server/domain/hosts/ready-watch/differences";
import type { Difference } from "@/server/domain/hosts/ready-watch/differences";
import { driveElsewhere, elsewhereText } from "@/server/domain/hosts/ready-watch/elsewhere";
import { readyReading } from "@/server/domain/hosts/ready-watch/reading";
import type { ReadyReading } from "@/server/domain/hosts/ready-watch/reading";

export const watchedHost = z.object({
  last: readyReading.nullable(),
  readySinceMs: z.number(),
  agentRestarts: z.boolean(),
  orderedMark: z.string().nullable(),
  orderedReadAt: z.string().nullable(),
  inventory: readyReading.pick({ drives: true, unnamed: true }).nullable(),
  /** Its drives that belong to another host. */
  elsewhere: z.array(driveElsewhere).readonly(),
});
export type WatchedHost = Readonly<z.infer<typeof watchedHost>>;

/**
 * - `doubt`: the host is not what was proven.
 * - `look`: it may only be starting or off, so it is read once more.
 * - `unknown`: there is no record to compare it with, so it must be proven again; nothing shows that it changed.
 * - `unread`: a part that was compared before is not reported. As with a BMC that does not answer, nothing shows that the host changed.
 */
export type ReadyVerdict =
  | { readonly kind: "same" }
  | { readonly kind: "look" | "doubt" | "unread" | "unknown"; readonly why: string };

/** Judges one reading. Pure. */
export function judgeReady(host: WatchedHost, reading: ReadyReading, readAtMs: number): ReadyVerdict {
  // safety: ready: a drive that belongs elsewhere
  if (host.elsewhere.length > 0) return { kind: "doubt", why: elsewhereText(host.elsewhere) };
  const found = differences(host, reading, readAtMs);
  // safety: ready: a difference (never)
  if (found.length === 0) return { kind: "same" };
  const shows = (wanted: Difference["sign"]): boolean => found.some(({ sign }) => sign === wanted);
  const kind = shows("changed")
    ? "doubt"
    : shows("unknown")
      ? "unknown"
      : shows("unclear")
        ? "look"
        : "unread";
  return { kind, why: differencesText(found) };
}
