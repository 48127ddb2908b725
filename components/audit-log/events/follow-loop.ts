// Follows the audit log: polls for events after a sequence number. A failed poll is repeated from the same number, so no event is missed.
import type { AuditLine, AuditNews } from "@/server/surfaces/trpc/types";

/** More would slow down the page; older events are found by search. */
export const maxFollowed = 1_000;
export const lookEveryMs = 1_000;
export const againMs = 3_000;

export interface Followed {
  /** Newest first. */
  readonly rows: readonly AuditLine[];
  /** The next sequence number to ask for. */
  readonly next: number;
  /** Why the last poll failed; null if it succeeded. */
  readonly problem: string | null;
}

/** Merges an answer into what is known, without duplicates. */
export function withNews(before: Followed, { rows, next }: AuditNews): Followed {
  const known = new Set(before.rows.map(({ id }) => id));
  const fresh = rows.filter(({ id }) => !known.has(id)).reverse();
  if (fresh.length === 0 && next === before.next && before.problem === null) return before;
  return { rows: [...fresh, ...before.rows].slice(0, maxFollowed), next, problem: null };
}

interface Following {
  /** The state to resume from. */
  readonly start: Followed;
  readonly ask: (from: number) => Promise<AuditNews>;
  /** Called after each answer and each failure. */
  readonly tell: (followed: Followed) => void;
  readonly wordsOf: (error: unknown) => string;
  readonly pause: (ms: number) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Runs until the signal aborts. */
export async function follow({ start, ask, tell, wordsOf, pause, signal }: Following): Promise<void> {
  for (let followed = start; !signal.aborted;) {
    let waitMs = lookEveryMs;
    try {
      const news = await ask(followed.next);
      followed = withNews(followed, news);
      if (news.more) waitMs = 0;
    } catch (error) {
      followed = { ...followed, problem: wordsOf(error) };
      waitMs = againMs;
    }
    if (signal.aborted) return;
    tell(followed);
    await pause(waitMs);
  }
}
