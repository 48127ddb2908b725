// When a check is due and overdue, and how an event that somebody else wrote is read.
import { expect, it } from "vitest";
import {
  isNightlyDue,
  isOverdue,
  lastDue,
  selfAuditFacts,
  statesOf,
} from "@/server/domain/audit-log/self-audit/self-audit";

it("is due at its hour in UTC, once a day", () => {
  expect(lastDue(new Date("2026-11-23T03:00:00Z"), 3)).toEqual(new Date("2026-11-23T03:00:00Z"));
  expect(lastDue(new Date("2026-11-23T02:59:59Z"), 3)).toEqual(new Date("2026-11-22T03:00:00Z"));
  expect(lastDue(new Date("2026-03-01T00:30:00Z"), 23)).toEqual(new Date("2026-02-28T23:00:00Z"));
});

it("is due until one has looked at the states of hosts, too", () => {
  const due = new Date("2026-11-23T03:00:00Z");
  const [before, after] = [new Date("2026-11-23T02:00:00Z"), new Date("2026-11-23T04:00:00Z")];
  const covered = { hosts: 1, transitions: 1, instances: 0, reclamations: 0, digests: 0, undigested: 0 };
  expect(isNightlyDue({ at: after, covered }, before, due)).toBe(false);
  expect(isNightlyDue({ at: before, covered }, before, due)).toBe(true);
  expect(isNightlyDue({ at: after, covered: null }, before, due)).toBe(true);
  expect([isNightlyDue(null, before, due), isNightlyDue(null, after, due)]).toEqual([true, false]);
  expect(isNightlyDue(null, null, due)).toBe(false);
});

it("is overdue when the last one is older than 26 hours, or none was made of a log that is", () => {
  const now = new Date("2026-11-26T12:00:00Z");
  expect(isOverdue(new Date("2026-11-25T10:00:00Z"), now)).toBe(false);
  expect(isOverdue(new Date("2026-11-25T09:59:59Z"), now)).toBe(true);
  expect(isOverdue(null, now)).toBe(false);
});

it("takes an event that it cannot read for a fault", () => {
  const facts = { ok: true, events: 3, faults: 0, first: [] };
  expect(selfAuditFacts({ ...facts, seconds: 1 })).toMatchObject({
    ...facts,
    seconds: 1,
    kinds: [],
    covered: null,
  });
  expect(selfAuditFacts({ ok: "yes" })).toMatchObject({
    ok: false,
    faults: 1,
    kinds: [{ kind: "log", count: 1 }],
    named: [{ says: "the event of the check cannot be read" }],
  });
});

it("keeps what was found of hosts when a release before checks the log alone", () => {
  const ofLog = selfAuditFacts({ ok: true, events: 9, faults: 0, first: [] });
  const bound = { kind: "boundReady", count: 1, digest: "d" };
  const covered = { hosts: 1, transitions: 1, instances: 0, reclamations: 0, digests: 0, undigested: 0 };
  const ofStates = selfAuditFacts({
    ok: false,
    events: 3,
    faults: 2,
    first: [],
    covered,
    kinds: [{ kind: "log", count: 1, digest: "l" }, bound],
  });
  expect(statesOf(ofLog, ofStates)).toMatchObject({ ok: false, faults: 1, kinds: [bound], covered });
});

it("names the faults of a release before by their words", () =>
  expect(
    selfAuditFacts({ ok: false, events: 3, faults: 7, first: ["event 1 is not what was logged"] }),
  ).toMatchObject({
    kinds: [{ kind: "log", count: 7 }],
    named: [{ kind: "log", hostId: null, says: "event 1 is not what was logged" }],
  }));
