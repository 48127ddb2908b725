// The head of a host's page: its sentence, its limits, and which statements are still valid.
import { describe, expect, it } from "vitest";
import { gateNames } from "@/server/domain/reclamations/gates/gate-names";
import { countGates, inspectionOf, situationOf, untouchedOf } from "@/server/usecases/hosts/one/situation";
import { standings } from "@/server/domain/assurance/standing";
import type { SituationFacts } from "@/server/usecases/hosts/one/situation";
import type { State } from "@/server/domain/lifecycle/states";

const now = new Date("2026-11-22T12:00:00Z");
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

const run: SituationFacts["run"] = {
  stateSince: ago(10),
  limitAt: null,
  lastError: "503 Service Unavailable",
  waitReason: "waits for the BMC",
  cleanMessage: "2 of 4 drives erased",
  cleanStep: "deploy.erase_nvme",
  cleanPercent: 50,
  allocatable: false,
  maintenance: false,
  maintenanceReason: null,
  maintenanceBy: null,
  health: null,
};

const situation = (
  state: State,
  changes: Partial<SituationFacts["run"]> = {},
  more: Partial<Pick<SituationFacts, "open" | "isAborting" | "standing">> = {},
) =>
  situationOf({
    name: "gpu-1",
    state,
    run: { ...run, ...changes },
    open: null,
    isAborting: false,
    standing: "proven",
    eraseUntilMs: null,
    now,
    ...more,
  });

describe("what a host is doing", () => {
  it("is told in the words of its step, else of its wait, else of its state", () => {
    expect(situation("WaitingForCleanup/HostCleanup").says).toBe("2 of 4 drives erased");
    expect(situation("WaitingForCleanup/HostCleanup", { cleanMessage: null }).says).toBe("waits for the BMC");
    const quiet = situation("WaitingForCleanup/HostCleanup", { cleanMessage: null, waitReason: null });
    expect(quiet.says).toBe(quiet.label);
  });

  it("is told as the error that it stands for, not as one that it works on", () => {
    expect(situation("Failed/CleanFailed").says).toBe("503 Service Unavailable");
    expect(situation("WaitingForCleanup/Init").says).not.toBe("503 Service Unavailable");
  });

  it("is what an abort waits for, once one is asked for", () => {
    expect(situation("WaitingForCleanup/HostCleanup", {}, { isAborting: true }).says).toBe(
      "waits for the BMC",
    );
  });

  it("names who set maintenance, and what a clean host waits for in it", () => {
    const kept = situation("Ready", { maintenance: true, maintenanceReason: "fan", maintenanceBy: "person" });
    expect(kept.maintenance).toEqual({ reason: "fan", by: "person" });
    expect(kept.waitsFor).not.toBe(situation("Ready").waitsFor);
    expect(situation("Ready").maintenance).toBeNull();
  });
});

describe("the limits of a host", () => {
  it("are the state's own, from its beginning", () => {
    expect(situation("WaitingForCleanup/Init")).toMatchObject({ limitMs: null, overLimit: false });
    expect(situation("WaitingForCleanup/Init", { limitAt: ago(-5) })).toMatchObject({
      limitMs: 15 * 60_000,
      overLimit: false,
    });
    expect(situation("WaitingForCleanup/Init", { limitAt: ago(5) })).toMatchObject({
      limitMs: 5 * 60_000,
      overLimit: true,
    });
    expect(situation("WaitingForCleanup/Init", { limitAt: ago(20) }).limitMs).toBe(0);
  });

  it("are its reclamation's, which does not count while it is paused", () => {
    const state = "WaitingForCleanup/HostCleanup";
    expect(situation(state).overdueMs).toBeNull();
    expect(situation(state, {}, { open: { limitAt: ago(3), pausedAt: null } }).overdueMs).toBe(3 * 60_000);
    expect(situation(state, {}, { open: { limitAt: ago(3), pausedAt: ago(4) } }).overdueMs).toBeNull();
  });
});

describe("a statement that nobody touched the host", () => {
  const statement = { personName: "Ada", reason: "seal intact", at: ago(10) };

  it("stands until the next reclamation begins", () => {
    const stands = { byName: "Ada", reason: "seal intact", at: ago(10) };
    expect(untouchedOf(statement, null)).toEqual(stands);
    expect(untouchedOf(statement, { startedAt: ago(20) })).toEqual(stands);
    expect(untouchedOf(statement, { startedAt: ago(5) })).toBeNull();
    expect(untouchedOf(null, null)).toBeNull();
  });
});

describe("a Ready host", () => {
  const quiet = { lastError: null, cleanMessage: null, cleanStep: null, cleanPercent: null };
  it("says that its gates are satisfied only where it is proven", () => {
    for (const standing of standings) {
      const { waitsFor } = situation("Ready", quiet, { standing });
      expect([standing, /satisfied/.test(waitsFor ?? "")]).toEqual([standing, standing === "proven"]);
    }
  });
  it("has nothing to check only where it is proven, and in no maintenance", () => {
    for (const standing of standings) {
      expect([standing, situation("Ready", quiet, { standing }).checkNext === null]).toEqual([
        standing,
        standing === "proven",
      ]);
      const kept = situation("Ready", { ...quiet, maintenance: true }, { standing });
      expect([kept.checkNext, /satisfied/.test(kept.waitsFor ?? "")]).toEqual([expect.any(String), false]);
    }
  });
});

describe("the gates that hold", () => {
  it("are those that are satisfied, of those that apply: not what was let through or left out", () => {
    const counted = (statuses: readonly string[], reason = "") =>
      countGates(statuses.map((status, at) => ({ gate: gateNames[at] ?? "", status, reason })));
    expect(counted(["satisfied", "satisfied"])).toEqual({
      ...{ gatesHold: 2, gates: 15 },
      gateWords: "2 of 15 gates; 13 open",
    });
    expect(counted(["satisfied", "not required"])).toMatchObject({ gatesHold: 1, gates: 14 });
    expect(counted(["excepted", "waived", "unsatisfied", "not implemented", "of a later release"])).toEqual({
      gatesHold: 0,
      gates: 15,
      gateWords: "0 of 15 gates; 1 unsatisfied, 1 waived, 1 excepted, 1 not checked, 11 open",
    });
    // An earlier release said so of what was left out.
    expect(counted(["not required"], "automated cleaning off")).toMatchObject({
      ...{ gatesHold: 0, gates: 15 },
      gateWords: expect.stringContaining("waived"),
    });
  });

  it("are all that the earlier release had, and every one of this release", () => {
    const without = (left: string) =>
      countGates(
        gateNames.flatMap((gate) => (gate === left ? [] : [{ gate, status: "satisfied", reason: "" }])),
      ).gateWords;
    expect(without("deviceMemoryCleared")).toMatch(/^14 of 14 gates/);
    expect(without("healthy")).toMatch(/^14 of 15 gates/);
  });
});

describe("a reading that a person asked for", () => {
  const context = { inspection: { askedAt: "2026-11-22T11:00:00Z", readAt: null, message: null } };

  it("is shown while the host stands where it was asked", () => {
    expect(inspectionOf("Manageable", context)?.askedAt).toEqual(new Date("2026-11-22T11:00:00Z"));
    expect(inspectionOf("WaitingForCleanup/Init", context)).toBeNull();
    expect(inspectionOf("Manageable", {})).toBeNull();
  });
});
