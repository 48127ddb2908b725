// Walks a log by pages from where the last reading stopped, a bounded number at a time (docs/bmc-health.md#event-logs). Redfish says neither in which order
// a log lists its entries nor how it pages: both are seen from the answers.
import { logDays } from "@/server/domain/repair/health/bmc/log";
import type { Bookmark, LogEntry } from "@/server/domain/repair/health/bmc/log";

/** One answer. */
export interface Page {
  readonly path: string;
  readonly entries: readonly LogEntry[];
  /** Of the whole log; null: not reported. */
  readonly count: number | null;
  /** The path of the next page; null: this is the last. */
  readonly next: string | null;
  /** When its first and last entry were written, and their numbers. */
  readonly ends: readonly [End, End] | null;
}

interface End {
  readonly createdMs: number | null;
  readonly number: number | null;
}

/** Throws what stops the reading of the log. Null: there is no such page. */
export type FetchPage = (path: string) => Promise<Page | null>;

/** For one reading of one log. */
export const maxPages = 12;
/** From a log that can be entered anywhere and lists the oldest first, this many of the newest are read at the beginning. */
export const tailEntries = 500;

const dayMs = 86_400_000;

export interface Walked {
  readonly entries: readonly LogEntry[];
  readonly bookmark: Bookmark | null;
  /** The entry at the bookmark is no longer there: the log was cleared, or wrapped past it. Or it has no order to go by. */
  readonly isAnew: boolean;
}

/** By the times of its entries, else by their numbers; null: they do not tell. */
function orderOf({ ends }: Page): Bookmark["order"] | null {
  if (ends === null) return null;
  const [first, last] = ends;
  for (const of of ["createdMs", "number"] as const) {
    const [one, other] = [first[of], last[of]];
    if (one !== null && other !== null && one !== other) return one > other ? "newestFirst" : "oldestFirst";
  }
  return null;
}

/** Pages of one walk, each once, and no more than `most`. */
class Pages {
  readonly #fetch: FetchPage;
  readonly #most: number;
  readonly #seen = new Set<string>();

  constructor(fetch: FetchPage, most: number) {
    this.#fetch = fetch;
    this.#most = most;
  }

  get isSpent(): boolean {
    return this.#seen.size >= this.#most;
  }

  get(path: string): Promise<Page | null> {
    this.#seen.add(path);
    return this.#fetch(path);
  }

  /** Null: there is none, it was read before, or enough was read. */
  async after({ next }: Page): Promise<Page | null> {
    return next === null || this.isSpent || this.#seen.has(next) ? null : this.get(next);
  }
}

async function newestFirst(pages: Pages, first: Page, mark: Bookmark | null): Promise<Walked> {
  const entries: LogEntry[] = [];
  let isFound = false;
  let last = first;
  for (let page: Page | null = first; page !== null; page = await pages.after(page)) {
    last = page;
    const at = mark === null ? -1 : page.entries.findIndex(({ key }) => key === mark.key);
    entries.push(...(at === -1 ? page.entries : page.entries.slice(0, at)));
    isFound = at !== -1;
    // What follows is older still.
    if (isFound || (page.entries.at(-1)?.ageMs ?? 0) > logDays * dayMs) break;
  }
  const key = first.entries[0]?.key ?? null;
  return {
    entries,
    bookmark: key === null ? null : { order: "newestFirst", key, page: null },
    isAnew: mark !== null && !isFound && last.next === null,
  };
}

async function oldestFirst(
  pages: Pages,
  first: Page,
  key: string | null,
): Promise<Omit<Walked, "isAnew"> | null> {
  const at = key === null ? -1 : first.entries.findIndex((entry) => entry.key === key);
  if (key !== null && at === -1) return null;
  const entries = first.entries.slice(at + 1);
  let bookmark = { order: "oldestFirst" as const, key: first.entries.at(-1)?.key ?? key, page: first.path };
  for (let page = await pages.after(first); page !== null; page = await pages.after(page)) {
    entries.push(...page.entries);
    if (page.entries.length > 0)
      bookmark = { ...bookmark, key: page.entries.at(-1)?.key ?? null, page: page.path };
  }
  return { entries, bookmark: bookmark.key === null ? null : { ...bookmark, key: bookmark.key } };
}

/** Near the end of a log whose pages begin at a number of entries that can be chosen; null: nothing says that they can. */
function tailOf({ next, count, entries }: Page): string | null {
  if (next === null || count === null || count - tailEntries <= entries.length) return null;
  const skip = /([?&]\$skip=)\d+/;
  return skip.test(next) ? next.replace(skip, `$1${count - tailEntries}`) : null;
}

/** @returns null if there is no such log */
export async function walkLog(fetch: FetchPage, path: string, mark: Bookmark | null): Promise<Walked | null> {
  if (mark?.order === "oldestFirst" && mark.page !== null) {
    const from = new Pages(fetch, maxPages);
    const page = await from.get(mark.page);
    const further = page === null ? null : await oldestFirst(from, page, mark.key);
    if (further !== null) return { ...further, isAnew: false };
  }
  // One page was spent on the bookmark that is no longer there.
  const pages = new Pages(fetch, maxPages - 1);
  const first = await pages.get(path);
  if (first === null) return null;
  const order = orderOf(first);
  if (order === null) return { ...(await newestFirst(pages, first, null)), bookmark: null, isAnew: true };
  if (order === "newestFirst") return newestFirst(pages, first, mark);
  const tail = tailOf(first);
  const start = tail === null ? first : ((await pages.get(tail)) ?? first);
  const walked = await oldestFirst(pages, start, null);
  return walked === null ? null : { ...walked, isAnew: mark !== null };
}
