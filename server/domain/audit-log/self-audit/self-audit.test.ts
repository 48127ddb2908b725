// When a check is due, and what is read of an event that somebody else wrote.
import { expect, it } from "vitest";
import { lastDue, selfAuditFacts } from "@/server/domain/audit-log/self-audit/self-audit";

it("is due at its hour in UTC, once a day", () => {
  expect(lastDue(new Date("2026-11-23T03:00:00Z"), 3)).toEqual(new Date("2026-11-23T03:00:00Z"));
  expect(lastDue(new Date("2026-11-23T02:59:59Z"), 3)).toEqual(new Date("2026-11-22T03:00:00Z"));
  expect(lastDue(new Date("2026-03-01T00:30:00Z"), 23)).toEqual(new Date("2026-02-28T23:00:00Z"));
});

it("takes an event that it cannot read for a fault", () => {
  const facts = { ok: true, events: 3, faults: 0, first: [] };
  expect(selfAuditFacts({ ...facts, seconds: 1 })).toEqual(facts);
  expect(selfAuditFacts({ ok: "yes" })).toMatchObject({ ok: false, faults: 1 });
});
