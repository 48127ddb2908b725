// Who may claim a host for repair and what it should be repaired for, as text: every reason, their precedence, and the issue in a message.
import { describe, expect, it } from "vitest";
import { storedBody } from "@/server/domain/repair/health/report";
import type { Alert } from "@/server/domain/repair/health/report";
import { requestedIssue } from "@/server/domain/repair/requested";
import { claimRefusal, isComingBack } from "@/server/domain/repair/claim-refusal";
import type { ClaimFacts } from "@/server/domain/repair/claim-refusal";
import { claimNotes, formatClaim } from "@/server/domain/repair/claim-text";
import { issueMessage, readIssue } from "@/server/domain/repair/health-issue";

/** Nothing else prevents it, but the claim's own condition is not met. */
const facts: ClaimFacts = {
  state: "ReturnToAllocation/AwaitingRepair",
  claimable: false,
  held: false,
  releasing: false,
  leased: false,
  leasedTo: null,
  maintenance: false,
  retired: false,
  owes: false,
  asks: true,
  stopped: null,
};

describe("a claim is refused", () => {
  it.each<[string, Partial<ClaimFacts>, string]>([
    ["not idle", {}, "It is not idle now."],
    [
      "nothing is allocated",
      { stopped: "No host is allocated now.", claimable: true },
      "No host is allocated",
    ],
    [
      "not clean yet",
      { state: "Failed/NVMECleanFailed", held: true, releasing: true },
      "its cleaning failed",
    ],
    ["being cleaned", { state: "Assigned/Ready", held: true, releasing: true }, "It is being cleaned."],
    ["being cleaned", { state: "WaitingForCleanup/HostCleanup" }, "It is being cleaned."],
    ["in use", { state: "Assigned/Ready", held: true }, "It is in use."],
    ["being repaired", { leased: true, maintenance: true }, "Somebody else is repairing it."],
    ["being repaired", { leased: true, leasedTo: "fixit" }, "The repair system fixit has it."],
    ["in maintenance", { maintenance: true, retired: true }, "the provider is working on it"],
    ["retired", { retired: true }, "It is retired."],
    ["not clean yet", { owes: true }, "it has a sanitization debt"],
    ["waits for the provider", { asks: false }, "no repair request keeps it out"],
  ])("%s: %j", (short, given, reason) =>
    expect(claimRefusal({ ...facts, ...given })).toEqual({ short, reason: expect.stringContaining(reason) }),
  );

  it("not where the claim's own condition holds", () =>
    expect(claimRefusal({ ...facts, claimable: true, owes: true })).toBeNull());
});

it.each<[boolean, Partial<ClaimFacts>]>([
  [false, {}],
  [false, { state: "Assigned/Ready", held: true }],
  [true, { state: "Assigned/Ready", held: true, releasing: true }],
  [false, { state: "Failed/NVMECleanFailed", held: true, releasing: true }],
  [true, { state: "BomValidating/BootingAgent" }],
  [true, { state: "ReturnToAllocation/EvaluatingGates" }],
  [false, { state: "Ready" }],
])("comes back: %s, %j", (back, given) => expect(isComingBack({ ...facts, ...given })).toBe(back));

it("says who may claim a host, and why nobody can", () => {
  const now = { ...facts, claimable: true };
  const wanted = { asked: true, online: false };
  expect(formatClaim(now, wanted)).toBe("A repair tenant that may claim one exact host can claim it now.");
  expect(formatClaim({ ...facts, owes: true }, wanted)).toBe(
    "Nobody can claim it now. Not clean: it has a sanitization debt.",
  );
  expect(formatClaim(now, { asked: false, online: false })).toMatch(/^No repair requested/);
  for (const asked of [true, false])
    expect(formatClaim(facts, { asked, online: true })).toMatch(/repaired online while its tenant keeps it/);
  expect(claimNotes({ allowed: true, reason: null })).toBe("can be claimed");
  expect(claimNotes({ allowed: false, reason: "It is in use." })).toBe("It is in use.");
  expect(claimNotes({ allowed: false, reason: null })).toBe("");
});

const issue = { category: "Network", summary: "port 2 is down", details: "since Monday" } as const;

it.each([
  [issueMessage(issue), issue],
  ['{"issue_category":"network","summary":"s"}', { category: "Network", summary: "s", details: "" }],
  ['{"issue_category":"PAINT","summary":"s","details":"d"}', { category: null, summary: "s", details: "d" }],
  ["fan 3 stands still", { category: null, summary: "fan 3 stands still", details: "" }],
  ['{"summary":1}', { category: null, summary: '{"summary":1}', details: "" }],
  ["null", { category: null, summary: "null", details: "" }],
  ["", { category: null, summary: "", details: "" }],
])("reads the issue in the message %j", (message, read) => expect(readIssue(message)).toEqual(read));

it("takes the tenant's own words before those of the request, and since when the first asks", () => {
  const alert = (message: string, day: number): Alert => {
    const [read] = storedBody.parse({
      successes: [],
      alerts: [
        {
          id: "A",
          target: null,
          inAlertSince: `2026-11-0${day}T00:00:00.000Z`,
          message,
          tenantMessage: null,
          classifications: [],
        },
      ],
    }).alerts;
    if (read === undefined) throw new Error("no alert");
    return read;
  };
  const request = { source: "repair-request", alert: alert("please", 1) };
  const told = { source: "tenant-reported-issue", alert: alert(issueMessage(issue), 2) };
  expect(requestedIssue([])).toBeNull();
  expect(requestedIssue([request])).toMatchObject({ category: null, summary: "please" });
  for (const asked of [
    [request, told],
    [told, request],
  ])
    expect(requestedIssue(asked)).toEqual({ ...issue, sinceMs: Date.parse("2026-11-01T00:00:00.000Z") });
});
