// One test per row of the table in docs/design/lifecycle.md#projections, and that every result is a state of Ironic's.
import { describe, expect, it } from "vitest";
import { ironicProvision, type Inspection } from "@/server/domain/lifecycle/ironic-projection";
import { allStates } from "@/server/domain/lifecycle/states";
import { storedState } from "@/server/domain/lifecycle/states";
import type { State } from "@/server/domain/lifecycle/states";

const facts = {
  pending: [] as readonly string[],
  releaseRequested: false,
  instanceOpen: false,
  reclamationOpen: true,
  agentWorking: false,
  inspection: null as Inspection | null,
};
const under = (...tops: readonly string[]): State[] =>
  allStates().filter((state) => tops.some((top) => state === top || state.startsWith(`${top}/`)));
const of = (state: State, change: Partial<typeof facts> = {}) => {
  const { state: provision, target } = ironicProvision(state, { ...facts, ...change });
  return `${provision} (${target ?? "none"})`;
};

describe("provision state", () => {
  it("Enroll, Verifying, Manageable, Ready", () => {
    expect(
      (["Enroll", "Verifying", "Manageable", "Ready"] satisfies State[]).map((state) => of(state)),
    ).toEqual(["enroll (none)", "verifying (manageable)", "manageable (none)", "available (none)"]);
  });
  it("of a decommission: cleaned towards manageable, for no trip leads to Ready", () => {
    for (const state of under("WaitingForCleanup", "BomValidating", "Validation", "ReturnToAllocation"))
      expect(of(state, { reclamationOpen: false })).toMatch(/^clean(ing| hold) \(manageable\)$/);
    expect(of("Decommissioning/RemovingLeftovers", { reclamationOpen: false })).toBe("cleaning (manageable)");
    expect(of("Decommissioned")).toBe("deleting (none)");
    expect(of("Ready", { pending: ["decommission"] })).toBe("cleaning (manageable)");
  });
  it.each<[State, readonly string[], string]>([
    ["Enroll", ["manage"], "verifying (manageable)"],
    ["Manageable", ["provide"], "cleaning (available)"],
    ["Manageable", ["clean"], "cleaning (manageable)"],
    ["Ready", ["manage"], "manageable (none)"],
    ["Ready", ["assign"], "deploying (active)"],
    ["Failed/CleanFailed", ["manage"], "manageable (none)"],
    ["Failed/CleanFailed", ["manage", "clean"], "cleaning (manageable)"],
    ["Failed/CleanFailed", ["manage", "provide"], "cleaning (available)"],
    ["Failed/CleanFailed", ["clean"], "cleaning (manageable)"],
    ["Failed/NVMECleanFailed", ["retry"], "cleaning (available)"],
    ["Failed/NVMECleanFailed", ["restart"], "cleaning (available)"],
    ["WaitingForCleanup/OnHold", ["resume"], "clean wait (available)"],
    ["Manageable", ["forceDelete"], "deleting (none)"],
    ["Manageable", ["networkAck", "manage", "abort"], "manageable (none)"],
    ["WaitingForCleanup/HostCleanup", ["stepReport", "abort"], "cleaning (available)"],
  ])("%s shows accepted %j at once", (state, pending, shown) => expect(of(state, { pending })).toBe(shown));
  it("Assigned before it was ready", () => {
    expect(of("Assigned/WaitingForNetworkConfig", { instanceOpen: true })).toBe("deploying (active)");
    expect(of("Assigned/WaitingForRebootToReady", { instanceOpen: true })).toBe("wait call-back (active)");
  });
  it("Assigned/Ready", () => expect(of("Assigned/Ready", { instanceOpen: true })).toBe("active (none)"));
  it.each(under("Assigned"))("%s after release", (state) =>
    expect(of(state, { instanceOpen: true, releaseRequested: true })).toBe("deleting (available)"),
  );
  it("ManualCleaning", () => {
    expect(of("ManualCleaning/RunningStep", { reclamationOpen: false })).toBe("cleaning (manageable)");
    expect(of("ManualCleaning/RunningStep", { reclamationOpen: false, agentWorking: true })).toBe(
      "clean wait (manageable)",
    );
    expect(of("ManualCleaning/OnHold", { reclamationOpen: false })).toBe("clean hold (manageable)");
  });
  it("WaitingForCleanup/OnHold", () => expect(of("WaitingForCleanup/OnHold")).toBe("clean hold (available)"));
  it.each(
    under("WaitingForCleanup", "BomValidating", "Validation", "HostInit", "ReturnToAllocation").filter(
      (state) => state !== "WaitingForCleanup/OnHold",
    ),
  )("%s", (state) => {
    expect(of(state)).toBe("cleaning (available)");
    expect(of(state, { agentWorking: true })).toBe("clean wait (available)");
  });
  it.each(under("Failed"))("%s", (state) => {
    expect(of(state)).toBe("clean failed (available)");
    expect(of(state, { reclamationOpen: false })).toBe("clean failed (manageable)");
    expect(of(state, { instanceOpen: true, releaseRequested: true })).toBe("error (none)");
  });
  it("an inspection: under way, waiting for the agent, failed, and begun again", () => {
    const manual = { reclamationOpen: false };
    expect(of("Manageable", { inspection: "running" })).toBe("inspecting (manageable)");
    expect(of("Manageable", { inspection: "failed" })).toBe("inspect failed (manageable)");
    for (const kind of ["inspect", "inspectByAgent"])
      expect(of("Manageable", { pending: [kind] })).toBe("inspecting (manageable)");
    expect(of("Manageable", { inspection: "failed", pending: ["inspect"] })).toBe("inspecting (manageable)");
    expect(of("Manageable", { inspection: "failed", pending: ["manage"] })).toBe("manageable (none)");
    expect(of("ManualCleaning/RunningStep", { ...manual, inspection: "running" })).toBe(
      "inspecting (manageable)",
    );
    expect(of("ManualCleaning/BootingAgent", { ...manual, inspection: "running", agentWorking: true })).toBe(
      "inspect wait (manageable)",
    );
    expect(of("Failed/ManualInterventionRequired", { ...manual, inspection: "failed" })).toBe(
      "inspect failed (manageable)",
    );
  });
  it("ForceDeletion", () => expect(of("ForceDeletion")).toBe("deleting (none)"));

  it("of a state of another release ends no wait", () => {
    const later = storedState("Ready/Dreaming");
    const seen = (change: Partial<typeof facts>) => ironicProvision(later, { ...facts, ...change });
    expect(seen({ reclamationOpen: false })).toMatchObject({ state: "cleaning", target: "manageable" });
    expect(seen({ reclamationOpen: true })).toMatchObject({ state: "cleaning", target: "available" });
    expect(seen({ instanceOpen: true })).toMatchObject({ state: "deploying", target: "active" });
  });
});
