// Logs by page: in either order, with pages that can be chosen and pages that cannot; huge, cleared, wrapped, and without any order.
import { describe, expect, it } from "vitest";
import type { Bookmark, LogEntry } from "@/server/domain/repair/health/bmc/log";
import { maxPages, tailEntries, walkLog } from "@/server/hardware/redfish/health/log-pages";
import type { FetchPage, Page } from "@/server/hardware/redfish/health/log-pages";

const size = 50;

/** A log with the entries from `first` to `last`, and what was fetched of it. */
function logOf(first: number, last: number, order: Bookmark["order"] | "none", skips: boolean) {
  const fetched: string[] = [];
  const numbers = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  if (order === "newestFirst") numbers.reverse();
  const entry = (number: number): LogEntry => ({
    ...{
      key: `k${number}`,
      id: String(number),
      severity: "Warning",
      message: "",
      ageMs: 0,
      isResolved: false,
    },
  });
  const fetch: FetchPage = async (path): Promise<Page | null> => {
    fetched.push(path);
    const from = Number(/[=p](\d+)$/.exec(path)?.[1] ?? 0);
    const page = numbers.slice(from, from + size);
    const end = (number: number | undefined) => ({
      createdMs: order === "none" || number === undefined ? null : number,
      number: null,
    });
    return {
      ...{ path, entries: page.map(entry), count: numbers.length, ends: [end(page[0]), end(page.at(-1))] },
      next: from + size < numbers.length ? `/log?${skips ? "$skip=" : "$skiptoken=p"}${from + size}` : null,
    };
  };
  const walk = async (mark: Bookmark | null) => {
    fetched.length = 0;
    const walked = await walkLog(fetch, "/log", mark);
    if (walked === null) throw new Error("no log");
    return { ...walked, ids: walked.entries.map(({ id }) => Number(id)), pages: fetched.length };
  };
  return walk;
}

describe.each([
  ["newestFirst", true],
  ["newestFirst", false],
  ["oldestFirst", true],
  ["oldestFirst", false],
] as const)("a log with the %s, whose pages can be chosen: %s", (order, skips) => {
  it("is read once, and then only what is new", async () => {
    const began = await logOf(1, 120, order, skips)(null);
    expect(new Set(began.ids).size).toBe(120);
    const same = await logOf(1, 120, order, skips)(began.bookmark);
    expect(same).toMatchObject({ ids: [], isAnew: false, pages: 1 });
    const more = await logOf(1, 190, order, skips)(began.bookmark);
    expect(more.ids.sort((one, other) => one - other)).toEqual(
      Array.from({ length: 70 }, (_, at) => 121 + at),
    );
    expect(more.isAnew).toBe(false);
  });

  it("begins anew when it was cleared, or wrapped past the bookmark", async () => {
    const { bookmark } = await logOf(1, 120, order, skips)(null);
    const cleared = await logOf(500, 502, order, skips)(bookmark);
    expect(cleared).toMatchObject({ isAnew: true });
    expect(cleared.ids.sort()).toEqual([500, 501, 502]);
    const wrapped = await logOf(200, 330, order, skips)(bookmark);
    expect(wrapped.ids.includes(330)).toBe(true);
    expect(wrapped.isAnew).toBe(true);
  });

  it("is never read by more pages than one reading may take", async () => {
    const walk = logOf(1, 50_000, order, skips);
    const began = await walk(null);
    expect(began.pages).toBeLessThanOrEqual(maxPages);
    const isAtEnd = order === "newestFirst" || skips;
    expect(began.ids.includes(50_000)).toBe(isAtEnd);
    if (order === "oldestFirst" && skips) expect(began.ids).toHaveLength(tailEntries);
    const further = await walk(began.bookmark);
    expect(further.pages).toBeLessThanOrEqual(maxPages);
    expect(further.ids.some((id) => began.ids.includes(id))).toBe(false);
    expect(further.ids.length).toBe(isAtEnd ? 0 : (maxPages - 1) * size);
  });
});

it("a long log whose pages cannot be chosen is read to its end by and by, each entry once", async () => {
  const walk = logOf(1, 3_000, "oldestFirst", false);
  const seen: number[] = [];
  let mark: Bookmark | null = null;
  for (let reading = 0; reading < 10; reading += 1) {
    const walked: Awaited<ReturnType<typeof walk>> = await walk(mark);
    seen.push(...walked.ids);
    mark = walked.bookmark;
  }
  expect(seen).toEqual(Array.from({ length: 3_000 }, (_, at) => at + 1));
});

it("a log without any order has no bookmark, and is counted anew each time", async () => {
  expect(await logOf(1, 30, "none", true)(null)).toMatchObject({ bookmark: null, isAnew: true });
});

it("a log that leads back to a page it had is left there, and one that is gone is none", async () => {
  const page: Page = { path: "/log", entries: [], count: null, next: "/log", ends: null };
  expect(await walkLog(async () => page, "/log", null)).toMatchObject({ entries: [] });
  expect(await walkLog(async () => null, "/log", null)).toBeNull();
});
