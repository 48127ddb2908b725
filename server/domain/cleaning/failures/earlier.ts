// Keeps the first cause: a timeout says less than what went wrong before it.
import type { CauseKey, Causes } from "@/server/domain/cleaning/failures/cause";

/** Causes that only say that something did not arrive in time. */
const timeouts: ReadonlySet<CauseKey> = new Set(["stepTimeout", "releaseOverdue", "agentSilent"]);

/** The causes to store: if something was already wrong when a timeout hit, it comes first and the timeout after it. Pure. */
export function firstCause(earlier: Causes | null, now: Causes): Causes {
  const [first] = now;
  if (earlier === null || !timeouts.has(first.key) || timeouts.has(earlier[0].key)) return now;
  return [...earlier, ...now.filter(({ key }) => !earlier.some((each) => each.key === key))];
}
