// The first cause stays: that time ran out says less than what went wrong before it.
import type { CauseKey, Causes } from "@/server/domain/causes/cause";

/** Causes that only say that something did not come in time. */
const timeouts: ReadonlySet<CauseKey> = new Set(["stepTimeout", "releaseOverdue", "agentSilent"]);

/** What a host stops for: a cause that stood before its time ran out comes first, and the time-out is told after it. Pure. */
export function firstCause(earlier: Causes | null, now: Causes): Causes {
  const [first] = now;
  if (earlier === null || !timeouts.has(first.key) || timeouts.has(earlier[0].key)) return now;
  return [...earlier, ...now.filter(({ key }) => !earlier.some((each) => each.key === key))];
}
