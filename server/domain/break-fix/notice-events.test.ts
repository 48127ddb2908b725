// The standing of a notice, the times it may have, and how events are signed and retried.
import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isGivenUp, retryAfterMs, secretOf, signedHeaders } from "@/server/domain/break-fix/events";
import { noticeStatus, timesRefusal } from "@/server/domain/break-fix/notice";
import type { NoticeEnd, NoticeKind } from "@/server/domain/break-fix/notice";

const now = new Date("2026-11-23T12:00:00Z");
const at = (hours: number) => new Date(now.getTime() + hours * 3_600_000);

it.each<[number, number | null, NoticeEnd | null, string]>([
  [1, 2, null, "planned"],
  [0, 2, null, "current"],
  [-1, null, null, "current"],
  [-2, 0, null, "overdue"],
  [1, 2, "cancelled", "cancelled"],
  [-2, -1, "done", "done"],
])("a notice from %s to %s, ended %s, is %s", (from, until, ended, standing) =>
  expect(noticeStatus({ startsAt: at(from), endsAt: until === null ? null : at(until), ended }, now)).toBe(
    standing,
  ),
);

it.each<[NoticeKind, number, number | null, boolean]>([
  ["maintenance", 1, 2, true],
  ["maintenance", 1, null, false],
  ["maintenance", 0, null, true],
  ["retirement", 24, null, true],
  ["replacement", 2, 1, false],
  ["maintenance", -2, -1, false],
  ["maintenance", 1, 1, false],
  ["retirement", 24 * 800, null, false],
])("a notice of %s from %s to %s: %s", (kind, from, until, allowed) =>
  expect(
    timesRefusal(kind, { startsAt: at(from), endsAt: until === null ? null : at(until) }, now) === null,
  ).toBe(allowed),
);

describe("an event", () => {
  it("is signed as Standard Webhooks says", () => {
    const key = Buffer.alloc(32, 7);
    const headers = signedHeaders(secretOf(key), { id: "msg_1", body: '{"a":1}', at: now });
    const expected = createHmac("sha256", key)
      .update(`msg_1.${now.getTime() / 1000}.{"a":1}`)
      .digest("base64");
    expect(headers).toEqual({
      "webhook-id": "msg_1",
      "webhook-timestamp": "1795435200",
      "webhook-signature": `v1,${expected}`,
    });
  });
  it("is tried again later and later, by chance a little apart", () => {
    expect([1, 2, 3, 30].map((attempts) => retryAfterMs(attempts, 0.5))).toEqual([
      5000, 10_000, 20_000, 3_600_000,
    ]);
    expect(retryAfterMs(1, 0)).toBeLessThan(retryAfterMs(1, 1));
  });
  it("is given up after three days and twenty attempts, not for days in which Reclaim did not run", () => {
    expect(isGivenUp(at(-71), 80, now)).toBe(false);
    expect(isGivenUp(at(-72), 2, now)).toBe(false);
    expect(isGivenUp(at(-72), 20, now)).toBe(true);
  });
});
