// Online repair: what begins and ends one, what its report contains, and when there is room for its labels.
import { describe, expect, it } from "vitest";
import { bodyOf } from "@/server/domain/repair/health/report";
import type { Report } from "@/server/domain/repair/health/report";
import { foldHealth } from "@/server/domain/repair/health/fold";
import { fromTemplate } from "@/server/domain/repair/health/templates";
import {
  acknowledgements,
  beginRefusal,
  canEnd,
  failureLabels,
  inNicoText,
  isOnlineRepair,
  noneToEnd,
  onlineRepairIssue,
  onlineRepairLabels,
  onlineRepairOf,
  onlineRepairRemoved,
  onlineRepairReport,
  onlineRepairSince,
  withRepairLabels,
} from "@/server/domain/repair/online-repair";
import { nicoInstanceStatuses } from "@/server/domain/lifecycle/projections";
import { quietFacts, refusal } from "@/server/domain/lifecycle/intents";

const issue = { category: "Hardware", summary: "GPU 3 fails", details: "Xid 79 since Monday" } as const;
const body = (input = onlineRepairReport(issue)) => bodyOf(input, null, 0);
const report = (change: Partial<Report> = {}): Report => ({
  source: "request-online-repair",
  mode: "merge",
  observedAtMs: 0,
  silentSinceMs: null,
  ...body(),
  ...change,
});

it("begins with an issue in full, of NICo's lengths in characters, and every risk acknowledged", () => {
  const wrong = (change: object) =>
    onlineRepairIssue.safeParse({ ...issue, ...change }).error?.issues[0]?.path;
  expect(wrong({})).toBeUndefined();
  expect(wrong({ summary: "🛠".repeat(1024), details: "🛠".repeat(8192) })).toBeUndefined();
  expect(wrong({ summary: "🛠".repeat(1025) })).toEqual(["summary"]);
  expect(wrong({ details: "d".repeat(8193) })).toEqual(["details"]);
  expect(wrong({ summary: " " })).toEqual(["summary"]);
  for (const details of [undefined, null, "", " \n"]) expect(wrong({ details })).toEqual(["details"]);
  expect(wrong({ category: "hardware" })).toEqual(["category"]);
  const all = {
    acceptDataCorruptionRisk: true,
    acceptRepairTeamAccess: true,
    acceptInstanceDeletionRisk: true,
  };
  expect(acknowledgements.safeParse(all).success).toBe(true);
  for (const one of Object.keys(all))
    for (const answer of [false, undefined, "true"])
      expect(acknowledgements.safeParse({ ...all, [one]: answer }).success).toBe(false);
});

it("begins on an instance that is Ready, and ends wherever a trace of it is left", () => {
  for (const status of nicoInstanceStatuses) {
    expect(beginRefusal(status, false) === null).toBe(status === "Ready");
    for (const labelled of [true, false])
      for (const reported of [true, false])
        expect(canEnd({ status, labelled, reported })).toBe(status === "Repairing" || labelled || reported);
  }
  expect(inNicoText(noneToEnd("Ready"))).toMatch(/^Instance must be in Repairing state, .*Ready\)$/);
  expect(inNicoText("Something else.")).toBe("Something else.");
  expect(beginRefusal("Ready", true)).toMatch(/End that online repair/);
  const unready = "An online repair can only begin on a Ready instance. This one is Repairing.";
  expect(beginRefusal("Repairing", true)).toBe(unready);
  expect(inNicoText(unready)).toBe(
    "Instance must be in Ready state to enter online repair (current state: Repairing)",
  );
});

it("keeps the host from others, the instance from its release, and people from being called", () => {
  const { acting, level } = foldHealth([report()]);
  expect(acting?.classifications).toEqual([
    "PreventAllocations",
    "PreventInstanceDeletion",
    "SuppressExternalAlerting",
  ]);
  expect(acting).toMatchObject({ onlineRepair: true });
  expect(level).toBe("blocked");
  const [alert] = body().alerts;
  expect(alert).toMatchObject({
    id: "OnLineRepair",
    target: "tenant-reported",
    tenantMessage: "TenantReportedIssue: GPU 3 fails",
  });
  expect(JSON.parse(alert?.message ?? "")).toEqual({
    issue_category: "HARDWARE",
    summary: "GPU 3 fails",
    details: "Xid 79 since Monday",
  });
});

it("stands since its first alert", () => {
  expect(onlineRepairSince([report()])).toEqual(new Date(report().alerts[0]?.inAlertSince ?? ""));
  expect(onlineRepairSince([])).toBeNull();
  expect(onlineRepairSince([{ ...report(), source: "notes" }])).toBeNull();
});

describe("an online repair is on", () => {
  const template = body(fromTemplate("request-online-repair", "by hand"));
  const quiet = {
    alerts: body().alerts.map((each) => ({ ...each, classifications: ["PreventAllocations"] })),
  };
  it.each<[boolean, string, Report[]]>([
    [true, "by its report", [report()]],
    [true, "by the template that an operator applied", [report(template)]],
    [false, "no report", []],
    [false, "no alert is left", [report({ alerts: [] })]],
    [false, "it does not keep the instance", [report(quiet)]],
    [false, "another source", [report({ source: "bmc-health" })]],
    [false, "a report that replaces the others", [report({ mode: "replace" })]],
  ])("%s: %s", (on, _, reports) => {
    expect(isOnlineRepair(reports)).toBe(on);
    expect(foldHealth(reports).acting?.onlineRepair === true).toBe(on);
    // While it is on, there is a report to remove.
    if (on) expect(onlineRepairRemoved(reports)).toHaveLength(1);
  });
  expect(onlineRepairRemoved([report({ mode: "replace" })])).toEqual([]);
});

it("says what was asked for, and nothing where an operator wrote other words", () => {
  expect(onlineRepairOf(body())).toEqual({ since: new Date(0), issue });
  for (const words of ["by hand", "{}", "null", '{"issue_category":"PAINT","summary":"x"}'])
    expect(onlineRepairOf(body(fromTemplate("request-online-repair", words)))?.issue).toBeNull();
  expect(onlineRepairOf({ alerts: [], successes: [] })).toBeNull();
  expect(onlineRepairOf("nonsense")).toBeNull();
});

it("prevents a release, and says what to do first", () => {
  const facts = { ...quietFacts("Assigned/Ready"), instanceOpen: true, deletionPrevented: true };
  expect(refusal("release", { ...facts, onlineRepair: true })).toMatch(/clear online repair first/);
  expect(refusal("release", facts)).toMatch(/PreventInstanceDeletion/);
});

it("labels an instance where there is room", () => {
  const full = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, "v"]));
  expect(withRepairLabels(full, { [onlineRepairLabels.deletion]: "true" })).toBeNull();
  expect(withRepairLabels({ ...full }, { k1: "w" })).toMatchObject({ k1: "w", k2: "v" });
  expect(withRepairLabels({}, failureLabels("🛠".repeat(300)))).toEqual({
    "onlineRepair.status": "Failed",
    "onlineRepair.escalation": "FullRepair",
    "onlineRepair.failureReason": "🛠".repeat(255),
  });
});
