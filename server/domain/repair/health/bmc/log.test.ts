// A BMC's logs as health: what is kept and counted, for how long, after a clearing, and whatever a BMC says of its time.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "@/server/testing/any-text";
import {
  entryAge,
  foldLogs,
  logReport,
  marksOf,
  maxLogAlerts,
  noLogRead,
  storedLogs,
} from "@/server/domain/repair/health/bmc/log";
import type { LogEntry, LogReading, LogStates } from "@/server/domain/repair/health/bmc/log";
import { reportInput } from "@/server/domain/repair/health/report";

const nowMs = Date.parse("2026-12-01T12:00:00Z");
const dayMs = 86_400_000;
const path = "/redfish/v1/Systems/1/LogServices/Sel/Entries";

const entry = (id: number, change: Partial<LogEntry> = {}): LogEntry => ({
  ...{
    key: `k${id}`,
    id: String(id),
    severity: "Warning",
    message: `entry ${id}`,
    ageMs: 0,
    isResolved: false,
  },
  ...change,
});
const read = (entries: readonly LogEntry[], isAnew = false): LogReading => ({
  ...{ kind: "read", name: "Sel", entries, isAnew },
  bookmark: { order: "newestFirst", key: entries[0]?.key ?? "", page: null },
});
const fold = (before: LogStates, reading: LogReading, atMs = nowMs): LogStates =>
  foldLogs(before, { [path]: reading }, atMs);
const messages = (states: LogStates) => logReport(states).alerts.map(({ message }) => message);

it("makes an alert of a warning and of a critical entry, which keep no host out, and of nothing else", () => {
  const states = fold(
    {},
    read([
      entry(3, { severity: "Critical" }),
      entry(2),
      entry(1, { severity: "OK" }),
      entry(0, { isResolved: true }),
    ]),
  );
  expect(logReport(states).alerts).toMatchObject([
    { id: "BmcEventLog", target: "Sel 3", classifications: ["Hardware", "SensorCritical"] },
    { id: "BmcEventLog", target: "Sel 2", classifications: ["Hardware", "SensorWarning"] },
  ]);
  expect(logReport(states).successes).toEqual([{ id: "BmcEventLog", target: "Sel" }]);
  expect(marksOf(states)).toEqual({ [path]: { order: "newestFirst", key: "k3", page: null } });
});

it("an entry is an alert for seven days by our clock, as old as the BMC's own clock says", () => {
  const states = fold(
    {},
    read([entry(1, { ageMs: 6 * dayMs }), entry(2, { ageMs: 8 * dayMs }), entry(3, { ageMs: null })]),
  );
  expect(messages(states).sort()).toEqual(["entry 1", "entry 3"]);
  expect(messages(fold(states, read([]), nowMs + 2 * dayMs))).toEqual(["entry 3"]);
  expect(messages(fold(states, read([]), nowMs + 8 * dayMs))).toEqual([]);
});

it.each([
  ["2026-12-01T11:00:00Z", "2026-12-01T12:00:00Z", 3_600_000],
  ["2000-01-01T00:00:10Z", "2000-01-01T00:00:20Z", 10_000],
  ["2026-12-01T13:00:00Z", "2026-12-01T12:00:00Z", null],
  ["1970-01-01T00:00:00Z", "2026-12-01T12:00:00Z", null],
  ["yesterday", "2026-12-01T12:00:00Z", null],
  [null, "2026-12-01T12:00:00Z", null],
  ["2026-12-01T11:00:00Z", null, null],
])("the age of an entry of %s at %s is %s", (created, now, age) => {
  expect(entryAge(created, now)).toBe(age);
});

describe("many entries", () => {
  const many = Array.from({ length: 3_000 }, (_, id) =>
    entry(id, { severity: id % 10 === 0 ? "Critical" : "Warning" }),
  );
  const states = fold({}, read(many));

  it("are few alerts, the critical ones first, and a count", () => {
    const { alerts } = logReport(states);
    expect(alerts).toHaveLength(maxLogAlerts + 1);
    expect(alerts.filter(({ classifications }) => classifications.includes("SensorCritical"))).toHaveLength(
      maxLogAlerts + 1,
    );
    expect(messages(states)).toContain(
      "284 more critical entries and 2700 more warnings of the last 7 days are in the BMC's logs.",
    );
    expect(JSON.stringify(states).length).toBeLessThan(20_000);
  });

  it("are counted anew when the log begins anew, and those that are known are not new", () => {
    const again = fold(states, read(many, true));
    expect(messages(again)).toEqual(messages(states));
    const cleared = fold(states, read([entry(9_999)], true));
    expect(messages(cleared)).toContain(
      "16 more critical entries and 1 more warning of the last 7 days are in the BMC's logs.",
    );
  });

  it("are forgotten after their days", () => {
    expect(logReport(fold(states, read([]), nowMs + 9 * dayMs)).alerts).toEqual([]);
  });
});

it("a log that cannot be read is an alert with since when, and ends no other", () => {
  const states = fold({}, read([entry(1)]));
  const silent = foldLogs(states, noLogRead(marksOf(states), "answered 500"), nowMs + 1_000);
  expect(logReport(silent).alerts).toMatchObject([
    { id: "BmcExplorationFailure", target: "log Sel", inAlertSince: new Date(nowMs + 1_000).toISOString() },
    { id: "BmcEventLog", target: "Sel 1" },
  ]);
  expect(marksOf(silent)).toEqual(marksOf(states));
  expect(messages(fold(silent, read([]), nowMs + 2_000))).toEqual(["entry 1"]);
  expect(logReport(foldLogs({}, noLogRead({}, "no answer"), nowMs)).alerts).toMatchObject([
    { target: "log all" },
  ]);
});

it("a log that is no longer listed keeps its entries for their days", () => {
  const states = foldLogs(fold({}, read([entry(1)])), {}, nowMs + dayMs);
  expect(messages(states)).toEqual(["entry 1"]);
  expect(foldLogs(states, {}, nowMs + 8 * dayMs)).toEqual({});
});

it("whatever a BMC logs, the state can be stored and the report is valid and small", () => {
  const anyEntry: fc.Arbitrary<LogEntry> = fc.record({
    key: fc.string(),
    id: anyText(),
    severity: fc.constantFrom("OK", "Warning", "Critical", null),
    message: anyText({ maxLength: 900 }),
    ageMs: fc.option(fc.integer({ min: 0, max: 20 * 365 * dayMs })),
    isResolved: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.array(fc.array(anyEntry, { maxLength: 30 }), { maxLength: 4 }),
      fc.boolean(),
      (readings, isAnew) => {
        let states: LogStates = {};
        for (const [at, entries] of readings.entries())
          states = fold(states, read(entries, isAnew), nowMs + at * dayMs);
        expect(storedLogs.safeParse(JSON.parse(JSON.stringify(states))).success).toBe(true);
        const report = logReport(states);
        expect(reportInput.safeParse(report).error).toBeUndefined();
        expect(report.alerts.length).toBeLessThanOrEqual(maxLogAlerts + 2);
      },
    ),
    { numRuns: 60 },
  );
});
