// Health by a BMC: each kind of component, what is unknown or absent, and what a hostile BMC may send.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "@/server/testing/any-text";
import { bmcText, componentKinds, partNames } from "@/server/domain/repair/health/bmc/component";
import type {
  Component,
  HealthReading,
  PartReading,
  Reading,
} from "@/server/domain/repair/health/bmc/component";
import { judgeComponent } from "@/server/domain/repair/health/bmc/judge";
import { bmcReport, missingId, nothingRead, unreadId } from "@/server/domain/repair/health/bmc/report";
import { bodyOf, keyOf, reportInput, reportLimits } from "@/server/domain/repair/health/report";
import type { ReportBody } from "@/server/domain/repair/health/report";

const nowMs = Date.parse("2026-12-01T12:00:00Z");

const part = (change: Partial<Component>): Component => ({
  kind: "fan",
  name: "3A",
  place: "1/0",
  health: "OK",
  state: "Enabled",
  reading: null,
  signs: [],
  ...change,
});

const range = (low: number | null, high: number | null) => ({ low, high });
const reads = (value: number, change: Partial<Reading> = {}): Reading => ({
  value,
  unit: "RPM",
  caution: range(840, null),
  critical: range(480, null),
  fatal: range(null, null),
  ...change,
});
const celsius = { unit: "°C", caution: range(null, 80), critical: range(3, 99), fatal: range(null, 110) };

const read = (components: readonly Component[], unread: string | null = null): PartReading => ({
  components,
  isOffered: components.length > 0 || unread !== null,
  unread,
});
const nothing: HealthReading = {
  fans: read([]),
  powerSupplies: read([]),
  sensors: read([]),
  leakDetectors: read([]),
  intrusion: read([]),
  networkAdapters: read([]),
  memory: read([]),
  processors: read([]),
  drives: read([]),
};

/** A reading with these components, and nothing offered of other parts. */
function reading(components: readonly Component[], change: Partial<HealthReading> = {}): HealthReading {
  const found: Partial<Record<keyof HealthReading, PartReading>> = {};
  for (const name of partNames) {
    const own = components.filter(({ kind }) => componentKinds[kind].part === name);
    if (own.length > 0) found[name] = read(own);
  }
  return { ...nothing, ...found, ...change };
}

/** As it would be stored. */
const stored = (found: HealthReading, before: ReportBody | null = null, atMs = nowMs): ReportBody => {
  const { successes, alerts } = bmcReport(found, before, atMs);
  return bodyOf(reportInput.parse({ successes, alerts }), before, atMs);
};

describe("one component", () => {
  const cases: readonly [string, Partial<Component>, object][] = [
    ["good", {}, { kind: "good" }],
    ["a warning", { health: "Warning" }, { kind: "wrong", severity: "warning" }],
    ["critical", { health: "Critical" }, { kind: "wrong", severity: "critical" }],
    ["good by its BMC beyond a threshold", { reading: reads(0) }, { kind: "good" }],
    ["without health, within thresholds", { health: null, reading: reads(900) }, { kind: "good" }],
    [
      "without health, at caution",
      { health: null, reading: reads(840) },
      { kind: "wrong", severity: "warning" },
    ],
    [
      "without health, at critical",
      { health: null, reading: reads(480) },
      { kind: "wrong", severity: "critical" },
    ],
    [
      "without health, too hot",
      { health: null, reading: reads(99, celsius) },
      { kind: "wrong", severity: "critical" },
    ],
    [
      "without health, fatal",
      { health: null, reading: reads(110, celsius) },
      { kind: "wrong", severity: "fatal" },
    ],
    [
      "a warning with a fatal reading",
      { health: "Warning", reading: reads(120, celsius) },
      { severity: "fatal" },
    ],
    [
      "without health and thresholds",
      { health: null, reading: reads(5, { caution: range(null, null), critical: range(null, null) }) },
      { kind: "unknown" },
    ],
    ["without health and reading", { health: null }, { kind: "unknown" }],
    ["an empty place", { state: "Absent", health: null }, { kind: "absent" }],
    ["an empty place that is good", { state: "Absent" }, { kind: "absent" }],
    ["absent and critical", { state: "Absent", health: "Critical" }, { kind: "wrong", severity: "critical" }],
    [
      "a sign on a good one",
      { kind: "drive", signs: [{ severity: "critical", words: "its BMC predicts a failure" }] },
      { kind: "wrong", severity: "critical" },
    ],
    [
      "a sign alone",
      { health: null, signs: [{ severity: "warning", words: "worn" }] },
      { kind: "wrong", severity: "warning" },
    ],
  ];
  it.each(cases)("%s", (_, change, verdict) => {
    expect(judgeComponent(part(change))).toMatchObject(verdict);
  });
});

it("says what is wrong in plain words, with value, unit and limits", () => {
  const { alerts } = stored(
    reading([
      part({ health: "Critical", reading: reads(0) }),
      part({ kind: "temperature", name: "Inlet", health: null, reading: reads(81.456, celsius) }),
      part({ kind: "power supply", name: "PSU 2", health: "Critical", state: "UnavailableOffline" }),
    ]),
  );
  expect(alerts.map(({ message }) => message).sort()).toEqual([
    "Fan 3A: reads 0 RPM (critical at 480 RPM or less); its BMC reports health Critical",
    "Power supply PSU 2: its BMC reports health Critical; its state is UnavailableOffline",
    "Temperature Inlet: reads 81.46 °C (critical at 3 °C or less and at 99 °C or more)",
  ]);
});

it.each([
  ["fan", "Critical", "BmcSensor", ["Hardware", "SensorCritical"]],
  ["power supply", "Critical", "BmcSensor", ["Hardware", "SensorCritical"]],
  ["drive", "Warning", "BmcSensor", ["Hardware", "SensorWarning"]],
  ["drive", "Critical", "BmcSensor", ["Hardware", "SensorCritical", "PreventAllocations"]],
  ["memory", "Critical", "BmcSensor", ["Hardware", "SensorCritical", "PreventAllocations"]],
  ["GPU", "Critical", "BmcSensor", ["Hardware", "SensorCritical", "PreventAllocations"]],
  [
    "leak detector",
    "Warning",
    "BmcLeakDetection",
    ["Hardware", "LeakDetector", "Leak", "PreventAllocations"],
  ],
  ["chassis", "Critical", "IntrusionSensorTriggered", ["Hardware", "SensorCritical", "PreventAllocations"]],
] as const)("%s, %s: NICo's id and classifications", (kind, health, id, classifications) => {
  expect(stored(reading([part({ kind, health })])).alerts).toMatchObject([
    { id, target: `${kind} 3A`, classifications },
  ]);
});

it("a fatal reading keeps the host out of allocation", () => {
  const hot = part({ kind: "temperature", health: null, reading: reads(111, celsius) });
  expect(stored(reading([hot])).alerts[0]?.classifications).toEqual([
    "Hardware",
    "SensorFatal",
    "PreventAllocations",
  ]);
});

describe("what is not known", () => {
  const failed = stored(reading([part({ health: "Critical" }), part({ kind: "drive", name: "0" })]));

  it("ends no alert: a reading that fails adds one, with since when", () => {
    const hour = nowMs + 3_600_000;
    const silent = stored(nothingRead("no answer"), failed, hour);
    const ids = silent.alerts.map(({ id, target }) => `${id} ${target ?? ""}`);
    expect(ids).toContain("BmcSensor fan 3A");
    expect(ids).toContain(`${unreadId} drives`);
    expect(silent.successes).toEqual([]);
    const later = stored(nothingRead("still none"), silent, hour + 3_600_000);
    const fans = later.alerts.find(({ id, target }) => id === unreadId && target === "fans");
    expect(fans?.inAlertSince).toBe(new Date(hour).toISOString());
    expect(fans?.message).toContain(new Date(hour).toISOString());
    expect(later.alerts).toHaveLength(silent.alerts.length);
    const back = stored(reading([part({}), part({ kind: "drive", name: "0" })]), later, hour + 7_200_000);
    expect(back.alerts).toEqual([]);
  });

  it.each([
    ["a list that is not offered any more", nothing],
    ["a component that is not listed", reading([part({ name: "4A" })])],
    ["a component without health", reading([part({ health: null })])],
  ])("%s keeps the alert and its start", (_, found) => {
    const after = stored(found, failed, nowMs + 1_000);
    const alert = after.alerts.find(({ target }) => target === "fan 3A");
    expect(alert).toEqual(failed.alerts[0]);
  });

  it("a part that is read half has the new alerts, the old ones, and what is missing", () => {
    const half = read([part({ name: "1", health: "Warning" })], "answered 500");
    const { alerts } = stored({ ...nothing, fans: half }, failed, nowMs + 1_000);
    expect(alerts.map(({ id, target }) => `${id} ${target ?? ""}`)).toEqual([
      "BmcSensor fan 3A",
      `${unreadId} fans`,
      "BmcSensor fan 1",
    ]);
  });

  it("an empty bay ends a drive's alert; a fan or power supply that reads absent was lost", () => {
    const drive = part({ kind: "drive", name: "0", health: "Critical" });
    const supply = part({ kind: "power supply", name: "1" });
    const before = stored(reading([drive, supply]));
    const away = { state: "Absent", health: null };
    const { alerts } = stored(
      reading([
        { ...drive, ...away },
        { ...supply, ...away },
      ]),
      before,
    );
    expect(alerts).toMatchObject([
      { target: "power supply 1", classifications: ["Hardware", "SensorCritical"] },
    ]);
    expect(stored(reading([part({}), { ...supply, ...away }])).alerts).toEqual([]);
  });

  it("is said of lists that the BMC does not have, and a BMC that says nothing is not healthy", () => {
    expect(bmcReport(reading([part({})]), null, nowMs).notOffered).not.toContain("fans");
    expect(bmcReport(reading([part({})]), null, nowMs).notOffered).toContain("leakDetectors");
    expect(bmcReport(nothing, null, nowMs).alerts).toMatchObject([{ id: missingId, classifications: [] }]);
    expect(stored(reading([part({})]), stored(nothing)).alerts).toEqual([]);
  });
});

it("tells components of the same name apart, and counts the worst where it cannot", () => {
  const two = [part({ place: "A/0" }), part({ place: "B/0", health: "Critical" })];
  const { alerts, successes } = stored(reading(two));
  expect(alerts.map(({ target }) => target)).toEqual(["fan 3A (B/0)"]);
  expect(successes.map(({ target }) => target)).toEqual(["fan 3A (A/0)"]);
  const same = stored(reading([part({ health: "Warning" }), part({}), part({ health: null })]));
  expect(same.successes).toEqual([]);
  expect(same.alerts).toHaveLength(1);
});

it("stays within the limits of a report, what blocks first", () => {
  const many = Array.from({ length: 400 }, (_, at) => part({ name: `${at}`, health: "Critical" }));
  const full = stored(reading([...many, part({ kind: "drive", name: "0", health: "Critical" })]));
  expect(full.alerts).toHaveLength(reportLimits.alerts);
  expect(full.alerts[0]?.target).toBe("drive 0");
  expect(full.alerts.at(-1)?.message).toBe("274 more components of this host are in alert.");
});

it("cleans and cuts a BMC's texts", () => {
  expect(bmcText("a\u0000b\n\u202ec \ud800d", 64)).toBe("a b c d");
  expect(bmcText("😀".repeat(100), 3)).toBe("😀😀😀");
  expect(bmcText({}, 3)).toBe("");
});

it("whatever components and earlier reports say, the report is valid, and no alert vanishes without an answer", () => {
  const anyComponent: fc.Arbitrary<Component> = fc.record({
    kind: fc.constantFrom("fan", "drive", "leak detector", "chassis", "temperature", "memory"),
    name: anyText({ maxLength: 80 }).map((text) => bmcText(text, 64)),
    place: fc.constantFrom("A/0", "B/1"),
    health: fc.constantFrom("OK", "Warning", "Critical", null),
    state: fc.constantFrom("Enabled", "Absent", null, "Disabled"),
    reading: fc.option(
      fc.record({
        value: fc.double({ noNaN: true, noDefaultInfinity: true }),
        unit: fc.constant("V"),
        caution: fc.record({ low: fc.option(fc.integer()), high: fc.option(fc.integer()) }),
        critical: fc.record({ low: fc.option(fc.integer()), high: fc.option(fc.integer()) }),
        fatal: fc.record({ low: fc.option(fc.integer()), high: fc.option(fc.integer()) }),
      }),
    ),
    signs: fc.array(fc.record({ severity: fc.constantFrom("warning", "critical"), words: fc.constant("w") })),
  });
  const anyReading = fc.oneof(
    { weight: 4, arbitrary: fc.array(anyComponent, { maxLength: 15 }).map((list) => reading(list)) },
    { weight: 1, arbitrary: fc.constant(nothingRead("no answer")) },
  );
  fc.assert(
    fc.property(fc.array(anyReading, { minLength: 2, maxLength: 6 }), (readings) => {
      let before: ReportBody | null = null;
      for (const found of readings) {
        const after = stored(found, before);
        const said = new Set([...after.alerts, ...after.successes].map(keyOf));
        const absent = partNames.flatMap((name) =>
          found[name].components.filter(({ state }) => state === "Absent"),
        );
        for (const alert of before?.alerts ?? []) {
          if (alert.id === unreadId || alert.id === missingId || said.has(keyOf(alert))) continue;
          // Only a place that reads empty ends an alert without a good answer.
          expect(absent.some(({ kind, name }) => alert.target?.startsWith(`${kind} ${name}`.trim()))).toBe(
            true,
          );
        }
        before = after;
      }
    }),
    { numRuns: 40 },
  );
});
