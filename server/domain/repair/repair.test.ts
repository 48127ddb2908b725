// The completion matrix, row by row, and which issues are rejected.
import { describe, expect, it } from "vitest";
import {
  completionChanges,
  releaseChanges,
  repairReports,
  repairStatus,
} from "@/server/domain/repair/completion";
import { foldHealth } from "@/server/domain/repair/health/fold";
import type { Alert, Report, ReportMode } from "@/server/domain/repair/health/report";
import { waitsForRepair } from "@/server/domain/repair/claimable";
import { healthIssue } from "@/server/domain/repair/health-issue";

const issue = { category: "Network", summary: "port 2 is down", details: "since Monday" } as const;

/** What happened to a report: removed, or its new summary; undefined: unchanged. */
function outcome(changes: ReturnType<typeof completionChanges>, source: string) {
  const change = changes.find((each) => each.source === source);
  if (change === undefined) return undefined;
  if (change.kind !== "set") return change.kind;
  return JSON.parse(change.report.alerts[0]?.message ?? "").summary;
}
const both = (changes: ReturnType<typeof completionChanges>) => [
  outcome(changes, "repair-request"),
  outcome(changes, "tenant-reported-issue"),
];
const incomplete = "RepairSystem processing incomplete";
const labelled = (text: string | null) => (text === null ? {} : { repair_status: text });

describe("a repair tenant's release of a host with a repair request", () => {
  it.each(["Completed", "completed", "COMPLETED"])("%s: to the pool, or blocked by the new issue", (text) => {
    expect(both(completionChanges({ requested: true, reported: true }, labelled(text), null))).toEqual([
      "removed",
      "removed",
    ]);
    expect(both(completionChanges({ requested: true, reported: false }, labelled(text), null))).toEqual([
      "removed",
      undefined,
    ]);
    for (const reported of [true, false])
      expect(both(completionChanges({ requested: true, reported }, labelled(text), issue))).toEqual([
        "removed",
        "port 2 is down",
      ]);
  });

  it.each([
    "Failed",
    "InProgress",
    "in_progress",
    "in-progress",
    "In-Progress",
    null,
    "",
    "Complete",
    "Completed ",
    "constructor",
  ])("%s: blocked by the issue, or because nothing was said", (text) => {
    for (const reported of [true, false]) {
      const reports = { requested: true, reported };
      expect(both(completionChanges(reports, labelled(text), issue))).toEqual(["removed", "port 2 is down"]);
      expect(both(completionChanges(reports, labelled(text), null))).toEqual(["removed", incomplete]);
    }
  });

  it("says with which label the repair ended", () => {
    const details = (text: string | null) => {
      const [, change] = completionChanges({ requested: true, reported: true }, labelled(text), null);
      return change?.kind === "set" ? JSON.parse(change.report.alerts[0]?.message ?? "") : null;
    };
    expect(details("Failed")).toMatchObject({
      issue_category: "OTHER",
      details: expect.stringMatching(/Failed$/),
    });
    expect(details(null)).toMatchObject({ details: expect.stringMatching(/Unknown$/) });
  });
});

describe("a host is offered for repair", () => {
  const alert = (id: string, classifications: readonly string[] = ["PreventAllocations"]): Alert => ({
    id,
    target: null,
    inAlertSince: new Date(0).toISOString(),
    message: "",
    tenantMessage: null,
    classifications,
  });
  const report = (source: string, alerts: readonly Alert[], mode: ReportMode = "merge"): Report => ({
    source,
    mode,
    alerts,
    successes: [],
    observedAtMs: 0,
    silentSinceMs: null,
  });
  const request = report("repair-request", [alert("RequestRepair")]);
  const issueReport = report("tenant-reported-issue", [alert("TenantReportedIssue")]);
  const many = Array.from({ length: 20 }, (_, n) => alert(`A${n}`));
  const quiet = ["SuppressExternalAlerting"];
  it.each<[boolean, string, Report[]]>([
    [true, "a request", [request]],
    [true, "an issue", [issueReport]],
    [true, "whatever else keeps it out", [report("fans", many), request]],
    [
      true,
      "nobody is called because of it",
      [request, report("suppress-paging", [alert("Maintenance", quiet)])],
    ],
    [false, "no report", []],
    [false, "another alert", [report("fans", [alert("FanFailed")])]],
    [false, "its alert keeps it out no more", [report("repair-request", [alert("RequestRepair", quiet)])]],
    [false, "the provider is working on it", [request, report("maintenance", [alert("Maintenance")])]],
    [false, "it is updated", [request, report("host-update", [alert("HostUpdateInProgress")])]],
    [false, "and that is hidden among many", [request, report("x", [...many, alert("Maintenance")])]],
    [
      false,
      "a report that a release does not take away",
      [report("repair-request", request.alerts, "replace")],
    ],
    [false, "another source's", [report("bmc-health", request.alerts)]],
    [false, "an alert of the other source", [report("repair-request", issueReport.alerts)]],
    [false, "a source of no template", [report("constructor", request.alerts)]],
  ])("%s: %s", (offered, _, reports) => {
    const { acting } = foldHealth(reports);
    expect(waitsForRepair(acting, false)).toBe(offered);
    expect(waitsForRepair(acting, true)).toBe(false);
    // A release changes only these reports.
    if (offered) expect(Object.values(repairReports(reports))).toContain(true);
  });
});

describe("without a repair request", () => {
  it.each(["Completed", "Failed", null])("%s: an issue is set, and nothing else changes", (text) => {
    const reports = { requested: false, reported: true };
    expect(completionChanges(reports, labelled(text), null)).toEqual([]);
    expect(both(completionChanges(reports, labelled(text), issue))).toEqual([undefined, "port 2 is down"]);
  });
});

it("never asks for another repair", () => {
  for (const requested of [true, false])
    for (const reported of [true, false])
      for (const text of ["Completed", "Failed", null])
        for (const told of [null, issue])
          for (const change of completionChanges({ requested, reported }, labelled(text), told))
            expect([change.source, change.kind]).not.toEqual(["repair-request", "set"]);
});

it("of a tenant reports its issue, and asks for the repair where the site does so by itself", () => {
  expect(releaseChanges(null, true)).toEqual([]);
  expect(both(releaseChanges(issue, false))).toEqual([undefined, "port 2 is down"]);
  expect(both(releaseChanges(issue, true))).toEqual(["port 2 is down", "port 2 is down"]);
  const [reported, requested] = releaseChanges(issue, true);
  expect(
    [reported, requested].map((change) =>
      change?.kind === "set" ? change.report.alerts[0]?.tenantMessage : null,
    ),
  ).toEqual(["TenantReportedIssue: port 2 is down", "RepairSystem: Node ready for repair - port 2 is down"]);
});

it("reads a label whatever its case, and the reports by their sources", () => {
  expect(
    ["Failed", "fAiLeD", "InProgress", "IN_PROGRESS", "x"].map((text) => repairStatus(labelled(text))),
  ).toEqual(["Failed", "Failed", "InProgress", "InProgress", "Unknown"]);
  expect(repairReports([{ source: "repair-request", mode: "merge" }])).toEqual({
    requested: true,
    reported: false,
  });
  expect(repairReports([{ source: "repair-request", mode: "replace" }])).toEqual({
    requested: false,
    reported: false,
  });
});

describe("an issue", () => {
  const said = (given: object) => {
    const parsed = healthIssue.safeParse({ category: "Hardware", summary: "s", ...given });
    return parsed.success
      ? null
      : parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  };
  it("has a category, a summary and details within NICo's limits", () => {
    for (const category of ["Hardware", "Network", "Performance", "Storage", "Software", "Other"])
      expect(said({ category })).toBeNull();
    expect(said({ summary: "🔧".repeat(1024), details: "🔧".repeat(8192) })).toBeNull();
    expect(said({ details: null })).toBeNull();
    expect(said({ details: "two\nlines" })).toBeNull();
  });
  it.each([
    [
      { category: "Paint" },
      "category: must be one of Hardware, Network, Performance, Storage, Software, Other",
    ],
    [
      { category: "hardware" },
      "category: must be one of Hardware, Network, Performance, Storage, Software, Other",
    ],
    [{ summary: "" }, "summary: a value is required"],
    [{ summary: " \n" }, "summary: a value is required"],
    [{ summary: "s".repeat(1025) }, "summary: must be at most 1024 characters"],
    [{ details: "d".repeat(8193) }, "details: must be at most 8192 characters"],
    [{ summary: "a\u0000b" }, "summary: must not have control characters"],
  ])("is refused: %#", (given, words) => expect(said(given)).toContain(words));
});
