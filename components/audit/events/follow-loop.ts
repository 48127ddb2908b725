// Follows the audit log: asks for the events after a number again and again, and goes on from the same number after a failure, so that none is missed.
import type { AuditLine, AuditNews } from "@/server/surfaces/trpc/types";

/** More make the page slow; older ones are found by a search. */
export const maxFollowed = 1_000;
export const lookEveryMs = 1_000;
export const againMs = 3_000;

export interface Followed {
  /** The newest first. */
  readonly rows: readonly AuditLine[];
  /** The number that is asked for next. */
  readonly next: number;
  /** Why the last look failed; null: it did not. */
  readonly problem: string | null;
}

/** What is known after an answer. Events that come twice are there once. */
export function withNews(before: Followed, { rows, next }: AuditNews): Followed {
  const known = new Set(before.rows.map(({ id }) => id));
  const fresh = rows.filter(({ id }) => !known.has(id)).reverse();
  if (fresh.length === 0 && next === before.next && before.problem === null) return before;
  return { rows: [...fresh, ...before.rows].slice(0, maxFollowed), next, problem: null };
}

interface Following {
  /** Where it begins: what was known before. */
  readonly start: Followed;
  readonly ask: (from: number) => Promise<AuditNews>;
  /** Told after each answer and each failure. */
  readonly tell: (followed: Followed) => void;
  readonly wordsOf: (error: unknown) => string;
  readonly pause: (ms: number) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Ends when the signal says so. */
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
