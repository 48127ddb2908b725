// Tenants against reclamations, histories against digests, and what stays open after acknowledgements.
import { describe, expect, it } from "vitest";
import {
  findingKinds,
  Findings,
  logFinding,
  namedOfKind,
} from "@/server/domain/audit-log/self-audit/findings";
import { compareHistory } from "@/server/domain/audit-log/self-audit/histories";
import { openFaults, wholeKind } from "@/server/domain/audit-log/self-audit/open-faults";
import type { Acknowledgement } from "@/server/domain/audit-log/self-audit/open-faults";
import {
  boundFindings,
  nextInstanceFindings,
  uncleanedFindings,
} from "@/server/domain/audit-log/self-audit/tenancies";
import type { NextInstance } from "@/server/domain/audit-log/self-audit/tenancies";
import { maxEntryBytes } from "@/server/domain/audit-log/tiles";
import { historyDigest } from "@/server/domain/reclamations/history-digest";
import type { ReclamationHistory } from "@/server/domain/reclamations/history-digest";

const minute = 60_000;

describe("a Ready host", () => {
  const host = {
    hostId: "h",
    sinceMs: 10 * minute,
    instanceId: null,
    tenantId: null,
    open: null,
    nowMs: 12 * minute,
    leased: false,
    last: null,
  };
  const claim = { id: "i", createdAtMs: 11 * minute };
  const old = { id: "i", createdAtMs: minute };
  it.each([
    ["nothing on it", host, 0],
    ["a claim that nobody has read", { ...host, open: claim }, 0],
    [
      "a claim that is noted, while it is held up",
      { ...host, open: claim, instanceId: "i", tenantId: "t" },
      0,
    ],
    ["a claim that nobody reads", { ...host, open: claim, nowMs: 22 * minute }, 1],
    ["one that waits for who holds the host", { ...host, open: claim, nowMs: 22 * minute, leased: true }, 0],
    ["one that waits for longer", { ...host, open: claim, nowMs: 99 * minute, leased: true }, 1],
    ["an instance from before", { ...host, open: old }, 1],
    ["one from before that its record names", { ...host, open: old, instanceId: "i", tenantId: "t" }, 1],
    ["an instance that has ended", { ...host, instanceId: "gone", tenantId: "t" }, 1],
    ["a tenant without an instance", { ...host, tenantId: "t" }, 1],
    ["another instance than its record says", { ...host, open: claim, instanceId: "other" }, 1],
  ])("with %s", (_what, given, count) => expect(boundFindings(given)).toHaveLength(count));
  it("was cleaned after its last instance", () => {
    expect(uncleanedFindings(host)).toEqual([]);
    expect(uncleanedFindings({ ...host, last: { id: "i", cleaned: true } })).toEqual([]);
    expect(uncleanedFindings({ ...host, last: { id: "i", cleaned: false } })).toMatchObject([
      { kind: "unprovenReady", says: expect.stringMatching(/no complete reclamation follows/) },
    ]);
  });
});

describe("the next instance on a host", () => {
  const before = { id: "a", createdAtMs: 0, endedAtMs: 10 * minute };
  const release = { kind: "release", outcome: "ready", endedAtMs: 30 * minute };
  const next: NextInstance = {
    hostId: "h",
    id: "b",
    createdAtMs: 60 * minute,
    endedAtMs: null,
    handed: true,
    state: "Assigned/Ready",
    before,
    reclamations: [release],
  };
  it.each<[string, Partial<NextInstance>, RegExp | null]>([
    ["after a complete reclamation", {}, null],
    ["as the first", { before: null, reclamations: [] }, null],
    [
      "for repair",
      { reclamations: [{ ...release, outcome: "handedToRepair", endedAtMs: 61 * minute }] },
      null,
    ],
    [
      "for repair, not read yet",
      {
        state: "ReturnToAllocation/AwaitingRepair",
        reclamations: [{ ...release, outcome: null, endedAtMs: null }],
      },
      null,
    ],
    ["of a claim that no controller has read", { handed: false, reclamations: [] }, null],
    ["without one", { reclamations: [] }, /without a complete reclamation/],
    ["after an abandoned one", { reclamations: [{ ...release, outcome: "abandoned" }] }, /without/],
    ["after a recheck alone", { reclamations: [{ ...release, kind: "recheck" }] }, /without/],
    [
      "after one that ended before the tenant",
      { reclamations: [{ ...release, endedAtMs: minute }] },
      /without/,
    ],
    ["after one that ended later", { reclamations: [{ ...release, endedAtMs: 90 * minute }] }, /without/],
    ["while one goes on", { reclamations: [{ ...release, outcome: null, endedAtMs: null }] }, /without/],
    ["while the other is there", { before: { ...before, endedAtMs: null } }, /had not ended/],
    ["before the other ended", { before: { ...before, endedAtMs: 90 * minute } }, /before instance a ended/],
  ])("%s", (_what, change, why) => {
    const says = nextInstanceFindings({ ...next, ...change }).map((found) => found.says);
    expect(says).toEqual(why === null ? [] : [expect.stringMatching(why)]);
  });
});

const at = "2026-11-26T10:00:00.000Z";
const history: ReclamationHistory = {
  reclamation: {
    id: "00000000-0000-4000-8000-00000000000a",
    number: "1",
    hostId: "00000000-0000-4000-8000-00000000000b",
    hostSerial: "S",
    kind: "release",
    instanceId: null,
    startedAt: at,
    endedAt: at,
    outcome: "ready",
  },
  transitions: [{ version: "1", state: "Ready", reason: null, causes: null, generation: "1", at }],
  stepRuns: [],
};

describe("the history of a reclamation", () => {
  const digest = { ...historyDigest(history) };
  const ended = { id: "r", hostId: "h", history, logged: [digest], due: true, trouble: null };
  const reason = { ...history, transitions: history.transitions.map((row) => ({ ...row, reason: "x" })) };
  it.each([
    ["is as it was", ended, "matches"],
    ["ended just now", { ...ended, logged: [], due: false }, "notDue"],
    ["has a transition that was changed", { ...ended, history: reason }, /reads otherwise/],
    [
      "lacks a transition",
      { ...ended, history: { ...history, transitions: [] } },
      /transitions: 1 then, 0 now/,
    ],
    ["has no digest", { ...ended, logged: [] }, /no digest of it$/],
    ["has none, for a reason", { ...ended, logged: [], trouble: "at: bad" }, /no digest of it: at: bad/],
    ["has one that cannot be read", { ...ended, logged: [{}] }, /digest that cannot be read/],
    ["cannot be read", { ...ended, history: {} }, /history that cannot be read/],
    // Whoever changed it also wrote a matching digest, but the first one counts.
    [
      "was changed, with a second digest",
      { ...ended, history: reason, logged: [digest, { ...historyDigest(reason) }] },
      /reads otherwise/,
    ],
    [
      "has a second digest that differs",
      { ...ended, logged: [digest, { ...digest, sha256: "0" }] },
      /second, different/,
    ],
    ["has its digest twice", { ...ended, logged: [digest, digest] }, "matches"],
  ])("%s", (_what, given, expected) => {
    const compared = compareHistory(given, false);
    if (typeof expected === "string") expect(compared).toBe(expected);
    else expect(compared).toMatchObject({ says: expect.stringMatching(expected) });
  });
  it("is not judged where it ended before digests were logged", () =>
    expect(compareHistory({ ...ended, logged: [] }, true)).toBe("undigested"));
});

describe("open faults", () => {
  const check = (whys: readonly string[]) => {
    const findings = new Findings();
    findings.addAll(whys.map((why) => logFinding("event", why)));
    return {
      kinds: [...findings.kinds],
      named: findings.named.map((found) => ({ ...found, hostName: null })),
    };
  };
  const numbers = (count: number) => Array.from({ length: count }, (_each, n) => String(n));
  const acknowledge = (of: ReturnType<typeof check>, count = of.named.length): Acknowledgement => ({
    check: "c",
    keys: of.named.slice(0, count).map(({ key }) => key),
    kinds: count < of.named.length ? [] : of.kinds.map(({ kind, digest }) => wholeKind(kind, digest)),
    reason: "looked at",
    at: new Date(),
    by: "Ada",
  });

  it("are all, until they are acknowledged", () => {
    const found = check(["1", "2"]);
    expect(openFaults(found, []).open).toBe(2);
    expect(openFaults(found, [acknowledge(found, 1)]).open).toBe(1);
    const done = openFaults(found, [acknowledge(found)]);
    expect(done).toMatchObject({ open: 0, named: [{ acknowledged: { by: "Ada" } }, {}] });
  });
  it("are those that came since", () => {
    const known = acknowledge(check(["1"]));
    expect(openFaults(check(["1"]), [known]).open).toBe(0);
    expect(openFaults(check(["1", "2"]), [known]).open).toBe(1);
    expect(openFaults(check(["2"]), [known]).open).toBe(1);
  });
  it("are never all acknowledged where more were found than counted", () => {
    const ofCheck = (id: string) => {
      const findings = new Findings();
      findings.addUncounted("log", id, "has more faults than are counted");
      findings.addAll(numbers(3).map((why) => logFinding("event", why)));
      return {
        kinds: [...findings.kinds],
        named: findings.named.map((found) => ({ ...found, hostName: null })),
      };
    };
    expect(ofCheck("c").kinds).toMatchObject([{ count: 4, complete: false }]);
    const known = acknowledge(ofCheck("c"));
    expect(openFaults(ofCheck("d"), [known]).open).toBe(1);
    expect(
      openFaults(ofCheck("d"), [{ ...known, keys: [], kinds: acknowledge(ofCheck("d")).kinds }]).open,
    ).toBe(4);
  });
  it("are named before those that somebody has acknowledged, and counted apart from all of those", () => {
    const old = numbers(namedOfKind + 5).map((why) => logFinding("event", why));
    const findings = new Findings(new Set(old.map(({ key }) => key)));
    findings.addAll([...old, logFinding("event", "new")]);
    const found = {
      kinds: [...findings.kinds],
      named: findings.named.map((one) => ({ ...one, hostName: null })),
    };
    expect(found.named[0]?.says).toBe("event new");
    expect(found.kinds).toMatchObject([{ count: namedOfKind + 6, unnamedKnown: 6 }]);
    const all = old.map(({ key }) => key);
    expect(openFaults(found, [{ ...acknowledge(check([])), keys: all, kinds: [] }]).open).toBe(1);
  });
  it("of all kinds fit into one entry of the log, the first of each kind among them", () => {
    const findings = new Findings();
    for (const kind of findingKinds)
      for (let n = 0; n < namedOfKind; n += 1)
        findings.add({
          kind,
          key: `${kind}:${n}`,
          hostId: "h",
          reclamationId: "r",
          says: "\u20ac".repeat(300),
        });
    expect(JSON.stringify(findings.named).length).toBeLessThan(maxEntryBytes - 15_000);
    expect(new Set(findings.named.map(({ kind }) => kind)).size).toBe(findingKinds.length);
  });
  it("are counted where they are not named, and acknowledged with those that are", () => {
    const many = check(numbers(namedOfKind + 5));
    expect(many.named).toHaveLength(namedOfKind);
    expect(openFaults(many, []).open).toBe(namedOfKind + 5);
    const known = acknowledge(many);
    expect(openFaults(many, [known]).open).toBe(0);
    expect(openFaults(check(numbers(namedOfKind + 6)), [known]).open).toBe(6);
  });
});
