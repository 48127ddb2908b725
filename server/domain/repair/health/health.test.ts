// How the reports of a host are merged, which of them act, and which reports are rejected.
import { describe, expect, it } from "vitest";
import { actingText, acts, atWork, foldActing, storedHealth } from "@/server/domain/repair/health/acting";
import { health as contract } from "@/server/contract/repair/health";
import { aggregate, shownAggregate } from "@/server/domain/repair/health/aggregate";
import { changeReport } from "@/server/domain/repair/health/change-report";
import type { KeptReport, ReportChange } from "@/server/domain/repair/health/change-report";
import { actingClassifications } from "@/server/domain/repair/health/classifications";
import { foldHealth, formatHealth } from "@/server/domain/repair/health/fold";
import { bodyOf, reportInput, reportLimits, timeRefusal } from "@/server/domain/repair/health/report";
import type { Alert, Report } from "@/server/domain/repair/health/report";
import {
  fromTemplate,
  healthTemplates,
  reservedSources,
  templateNames,
} from "@/server/domain/repair/health/templates";

const now = Date.UTC(2026, 10, 1, 12);
const hour = 3_600_000;
const at = (ms: number) => new Date(ms).toISOString();

const alert = (id: string, more: Partial<Alert> = {}): Alert => ({
  id,
  target: null,
  inAlertSince: at(now),
  message: "",
  tenantMessage: null,
  classifications: [],
  ...more,
});
const report = (source: string, alerts: readonly Alert[], more: Partial<Report> = {}): Report => ({
  source,
  mode: "merge",
  observedAtMs: now,
  silentSinceMs: null,
  successes: [],
  alerts,
  ...more,
});
const blocking = alert("Fan", { classifications: ["PreventAllocations"] });
const markHealthy = report("admin-cli", [], { mode: "replace" });

describe("the aggregate", () => {
  it("is a union by id and target: an alert beats a success, classifications unite, the earliest beginning stays", () => {
    const one = report(
      "b",
      [alert("Fan", { target: "1", message: "slow", classifications: ["Hardware", "PreventAllocations"] })],
      { successes: [{ id: "Power", target: null }], observedAtMs: now - hour },
    );
    const other = report(
      "a",
      [
        alert("Fan", {
          target: "1",
          inAlertSince: at(now - hour),
          message: "stopped",
          tenantMessage: "A fan fails",
          classifications: ["Hardware", "SensorFailure"],
        }),
        alert("Power"),
      ],
      { successes: [{ id: "Fan", target: "2" }] },
    );
    expect(aggregate([one, other])).toEqual({
      successes: [{ id: "Fan", target: "2" }],
      alerts: [
        {
          id: "Fan",
          target: "1",
          inAlertSince: at(now - hour),
          message: "stopped\nslow",
          tenantMessage: "A fan fails",
          classifications: ["Hardware", "SensorFailure", "PreventAllocations"],
          sources: ["a", "b"],
        },
        { ...alert("Power"), sources: ["a"] },
      ],
      observedAtMs: now - hour,
    });
    expect(aggregate([other, one])).toEqual(aggregate([one, other]));
  });

  it("of nothing is nothing", () =>
    expect(aggregate([])).toEqual({ successes: [], alerts: [], observedAtMs: null }));

  it("shows a replacing report alone, and what acts is of all of them", () => {
    const reports = [report("sensors", [blocking]), markHealthy];
    expect(shownAggregate(reports).alerts).toEqual([]);
    const folded = foldHealth(reports);
    expect(acts(folded.acting, "PreventAllocations")).toBe(true);
    expect(folded).toMatchObject({ level: "blocked", alerts: 0, firstAlert: "Fan", replacedBy: "admin-cli" });
  });

  it("counts the alerts of a replacing report, too", () =>
    expect(
      acts(foldHealth([report("x", [blocking], { mode: "replace" })]).acting, "PreventAllocations"),
    ).toBe(true));

  it("keeps what a silent source said, and says that it is silent", () => {
    const silent = report("sensors", [alert("Hot", { classifications: ["PreventHostStateChanges"] })], {
      silentSinceMs: now,
    });
    const { acting, alertIds } = foldHealth([silent]);
    expect(alertIds).toEqual(["Hot", "HeartbeatTimeout"]);
    expect(acting?.classifications).toEqual(["PreventAllocations", "PreventHostStateChanges"]);
    expect(foldHealth([{ ...silent, silentSinceMs: null, alerts: [] }]).acting?.classifications).toEqual([]);
    expect(foldHealth([]).acting).toBeNull();
  });
});

describe("what acts", () => {
  it.each(actingClassifications)("%s acts", (name) => {
    const { acting } = foldHealth([report("a", [alert("X", { classifications: [name, "Hardware"] })])]);
    expect(acts(acting, name)).toBe(true);
    expect(storedHealth.parse(JSON.parse(JSON.stringify(acting)))).toEqual(acting);
    for (const other of actingClassifications) if (other !== name) expect(acts(acting, other)).toBe(false);
  });

  it("is nothing where no classification acts: unknown ones are kept and do nothing", () => {
    const folded = foldHealth([report("a", [alert("X", { classifications: ["OfAnotherSystem"] })])]);
    expect(folded).toMatchObject({
      acting: { sources: ["a"], classifications: [], alerts: [], more: 0 },
      level: "alerts",
      classifications: ["OfAnotherSystem"],
      paged: false,
    });
  });

  it("keeps few alerts, and one with each classification among them", () => {
    const many = [
      ...Array.from({ length: 20 }, (_, n) =>
        alert(`A${n}`, { message: "m".repeat(500), classifications: ["PreventAllocations"] }),
      ),
      alert("Last", { classifications: ["PreventInstanceDeletion"] }),
    ];
    const all = aggregate([report("a", many)]);
    const acting = foldActing(["a"], all, all);
    expect(acting?.more).toBe(13);
    expect(acting?.alerts.map(({ id }) => id)).toContain("Last");
    expect(JSON.stringify(acting).length).toBeLessThan(4_000);
    expect(actingText(acting, "PreventInstanceDeletion")).toBe("Last by a; and others");
  });

  it("says that somebody is at the host, also where the alert that says so is not among those kept", () => {
    const fans = Array.from({ length: 9 }, (_, n) =>
      alert(`A${n}`, { classifications: ["PreventAllocations"] }),
    );
    const request = fromTemplate("request-repair", "x").alerts.map((each) =>
      alert(each.id, { classifications: each.classifications }),
    );
    const of = (...reports: readonly Report[]) => atWork(foldHealth(reports).acting);
    expect(of(report("a", [blocking]))).toBeNull();
    expect(of(report("a", fans))).toContain("somebody is working on the host");
    expect(of(report("a", fans), report("repair-request", request))).toBeNull();
    expect(of(report("a", [alert("Maintenance")]))).toBeNull();
  });

  it("cuts a message between characters: half of one cannot be stored", () => {
    const message = `${"m".repeat(159)}🔥${"m".repeat(9)}`;
    const all = aggregate([report("a", [{ ...blocking, message }])]);
    expect(foldActing(["a"], all, all)?.alerts[0]?.message).toBe(`${"m".repeat(159)}🔥`);
  });

  it("pages nobody where an alert that is shown says so, or where what blocks is hidden", () => {
    const quiet = alert("Quiet", { classifications: ["SuppressExternalAlerting"] });
    expect(foldHealth([report("a", [blocking])]).paged).toBe(true);
    expect(foldHealth([report("a", [blocking]), report("b", [quiet])]).paged).toBe(false);
    expect(foldHealth([report("a", [blocking]), markHealthy]).paged).toBe(false);
    expect(acts(foldHealth([report("a", [quiet]), markHealthy]).acting, "SuppressExternalAlerting")).toBe(
      false,
    );
  });
});

describe("what a list says", () => {
  const words = (reports: readonly Report[], maintenance = false) => {
    const { level, alerts, firstAlert, replacedBy } = foldHealth(reports);
    return formatHealth({
      maintenance,
      health: reports.length === 0 ? null : { level, alerts, firstAlert, replaced: replacedBy !== null },
    }).words;
  };
  it.each([
    [[], false, "–"],
    [[], true, "maintenance"],
    [[report("a", [])], false, "healthy"],
    [[report("a", [alert("X"), blocking])], true, "Fan +1"],
    [[report("a", [alert("X")])], false, "X"],
    [[report("a", [blocking]), markHealthy], false, "Fan, hidden"],
    [[report("a", []), markHealthy], false, "healthy, replaced"],
  ] as const)("%#", (reports, maintenance, expected) => expect(words(reports, maintenance)).toBe(expected));
});

describe("a report", () => {
  const refusal = (body: unknown) => reportInput.safeParse(body).error?.issues[0]?.message;
  it("takes free names, and fills in what is left out", () =>
    expect(reportInput.parse({ alerts: [{ id: "Ünknown/Probe 7" }] }).alerts).toEqual([
      {
        id: "Ünknown/Probe 7",
        target: null,
        inAlertSince: null,
        message: "",
        tenantMessage: null,
        classifications: [],
      },
    ]));

  it.each([
    [{ alerts: [{ id: "" }] }, "must not be empty"],
    [{ alerts: [{ id: "a\u0000b" }] }, "must not have control characters"],
    [{ alerts: [{ id: "a", message: "\u0007" }] }, "must not have control characters"],
    [{ alerts: [{ id: "a", message: "\ud800" }] }, "must not have control characters"],
    [{ alerts: [{ id: "x".repeat(129) }] }, "must have at most 128 characters"],
    [{ alerts: [{ id: "a" }, { id: "a" }] }, "must not name an alert with the same id and target twice"],
    [{ observedAt: "yesterday" }, "must be a time in ISO 8601 with its offset"],
    [{ heartbeatSeconds: 1 }, "must be at least 10 seconds"],
  ])("%j is refused in words", (body, words) => expect(refusal(body)).toBe(words));

  it.each([["\ud83d"], ["\0"]])("%j in the words of a template is refused", (bad) => {
    const told = { hostId: "00000000-0000-4000-8000-000000000001", template: "degraded", message: "why" };
    const { input } = contract.apply;
    expect(input.safeParse({ ...told, tenantMessage: "a\nb 🔥" }).success).toBe(true);
    expect(input.safeParse({ ...told, message: `why${bad}` }).success).toBe(false);
    expect(input.safeParse({ ...told, tenantMessage: `why${bad}` }).success).toBe(false);
  });

  it("has its limits", () => {
    const alerts = Array.from({ length: reportLimits.alerts + 1 }, (_, n) => ({ id: `a${n}` }));
    expect(refusal({ alerts })).toBeDefined();
    expect(refusal({ alerts: alerts.slice(1) })).toBeUndefined();
    expect(refusal({ more: 1 })).toBeDefined();
  });

  it.each([
    [now + 4 * 60_000, null, null],
    [now + 6 * 60_000, null, "ahead"],
    [now - 25 * hour, null, "24 hours ago"],
    [now - hour, now - 2 * hour, null],
    [now - hour, now - 60_000, "a newer report"],
  ])("observed at %s", (observed, stored, words) => {
    const why = timeRefusal(observed, now, stored);
    if (words === null) expect(why).toBeNull();
    else expect(why).toContain(words);
  });

  it("remembers since when an alert stands, and lets none begin later than now", () => {
    const told = reportInput.parse({ alerts: [{ id: "a" }, { id: "b", inAlertSince: at(now + hour) }] });
    const first = bodyOf(told, null, now - hour);
    expect(first.alerts.map(({ inAlertSince }) => inAlertSince)).toEqual([at(now - hour), at(now - hour)]);
    expect(bodyOf(told, first, now).alerts.map(({ inAlertSince }) => inAlertSince)).toEqual([
      at(now - hour),
      at(now),
    ]);
  });
});

describe("a change", () => {
  const kept = (source: string): KeptReport => ({
    ...report(source, []),
    receivedAtMs: now,
    reportedBy: source,
    heartbeatSeconds: null,
  });
  const set = (source: string, alerts: readonly object[] = []): ReportChange => ({
    kind: "set",
    source,
    mode: "merge",
    report: reportInput.parse({ alerts }),
    heartbeatSeconds: null,
  });

  it("by a release is taken however many sources a host has, and counts as none of them", () => {
    const sources = Array.from({ length: reportLimits.sources }, (_, n) => kept(`s${n}`));
    expect(changeReport(sources, set("one-more"), "x", now)).toMatchObject({ ok: false, code: "conflict" });
    expect(changeReport(sources, set("tenant-reported-issue"), "x", now)).toMatchObject({ ok: true });
    const own = [...sources.slice(1), kept("tenant-reported-issue"), kept("repair-request")];
    expect(changeReport(own, set("one-more"), "x", now)).toMatchObject({ ok: true });
  });

  it("is news where the alerts are others, not where a message says another figure", () => {
    const changed = (before: object, after: object) => {
      const first = changeReport([], set("thermal", [before]), "thermal", now);
      if (!first.ok || first.now === null) throw new Error("refused");
      const next = changeReport([first.now], set("thermal", [after]), "thermal", now + 1);
      return next.ok ? [next.news, next.same] : [];
    };
    const hot = { id: "Hot", message: "71.3 °C", classifications: ["PreventAllocations"] };
    expect(changed(hot, hot)).toEqual([false, true]);
    expect(changed(hot, { ...hot, message: "71.4 °C" })).toEqual([false, false]);
    for (const other of [{ target: "1" }, { id: "Cold" }, { classifications: [] }, { tenantMessage: "slow" }])
      expect(changed(hot, { ...hot, ...other })).toEqual([true, false]);
  });
});

describe("templates", () => {
  it("are reports that are taken, and their sources are nobody's token", () => {
    for (const name of templateNames) {
      const made = fromTemplate(name, "why");
      expect(reportInput.safeParse(made).success, name).toBe(true);
      expect(reservedSources.has(healthTemplates[name].source)).toBe(true);
    }
    expect(fromTemplate("mark-healthy", "x").alerts).toEqual([]);
    expect(fromTemplate("request-online-repair", "x").alerts[0]).toMatchObject({
      id: "RequestOnlineRepair",
      target: "request-online-repair",
      classifications: ["PreventAllocations", "SuppressExternalAlerting", "PreventInstanceDeletion"],
    });
  });
});
