// Following the audit log: no duplicates and no gaps, even across failures.
import { expect, it } from "vitest";
import {
  againMs,
  follow,
  lookEveryMs,
  maxFollowed,
  withNews,
} from "@/components/audit-log/events/follow-loop";
import type { Followed } from "@/components/audit-log/events/follow-loop";
import type { AuditLine, AuditNews } from "@/server/surfaces/trpc/types";

const line = (seq: number): AuditLine => ({
  id: `e${seq}`,
  seq,
  at: new Date(seq),
  actorKind: "person",
  actorId: null,
  actorName: "Ada",
  action: "host.retry",
  targetKind: "host",
  targetId: null,
  targetName: null,
  outcome: "done",
  requestId: null,
  address: null,
  before: null,
  after: null,
});
const news = (from: number, next: number, more = false): AuditNews => ({
  rows: Array.from({ length: next - from }, (_, at) => line(from + at)),
  next,
  more,
});
const start: Followed = { rows: [], next: 5, problem: null };

it("goes on from the same number after a failure, and asks at once where there is more", async () => {
  const answers = [news(5, 7, true), null, news(7, 7), news(7, 9)];
  const ended = new AbortController();
  const [asked, waited, told]: [number[], number[], Followed[]] = [[], [], []];
  await follow({
    start,
    ask: (from) => {
      asked.push(from);
      const answer = answers.shift();
      if (answers.length === 0) setTimeout(() => ended.abort());
      return answer == null ? Promise.reject(new Error("away")) : Promise.resolve(answer);
    },
    tell: (followed) => told.push(followed),
    wordsOf: String,
    pause: (ms) => {
      waited.push(ms);
      return new Promise((resolve) => setTimeout(resolve));
    },
    signal: ended.signal,
  });
  expect(asked.slice(0, 4)).toEqual([5, 7, 7, 7]);
  expect(waited.slice(0, 4)).toEqual([0, againMs, lookEveryMs, lookEveryMs]);
  expect(told.slice(0, 4).map(({ problem }) => problem)).toEqual([null, "Error: away", null, null]);
  expect(told[3]?.rows.map(({ seq }) => seq)).toEqual([8, 7, 6, 5]);
});

it("tells nothing after its end", async () => {
  const ended = new AbortController();
  const told: Followed[] = [];
  await follow({
    start,
    ask: (from) => {
      ended.abort();
      return Promise.resolve(news(from, from + 1));
    },
    tell: (followed) => told.push(followed),
    wordsOf: String,
    pause: () => Promise.resolve(),
    signal: ended.signal,
  });
  expect(told).toEqual([]);
});

it("keeps the newest, and each once", () => {
  const twice = withNews(withNews(start, news(5, 8)), news(6, 9));
  expect(twice.rows.map(({ seq }) => seq)).toEqual([8, 7, 6, 5]);
  expect(withNews(twice, { rows: [], next: 9, more: false })).toBe(twice);
  const many = withNews(twice, news(9, 9 + maxFollowed));
  expect(many.rows).toHaveLength(maxFollowed);
  expect(many.rows[0]?.seq).toBe(8 + maxFollowed);
});
