// Every state is in exactly one group, and the groups of the saved views overlap only as documented.
import { describe, expect, it } from "vitest";
import { hostGroup, hostGroups, hostSets, statesOfGroup } from "@/server/domain/hosts/host-groups";
import { allStates, unknownState } from "@/server/domain/lifecycle/states";

describe("groups", () => {
  it("hold every state once", () => {
    const grouped = hostGroups.flatMap((group) => (group === "overLimit" ? [] : statesOfGroup(group)));
    expect([...grouped].sort()).toEqual([...allStates()].sort());
  });
  it.each([
    ["Failed/NVMECleanFailed", true, "failed"],
    ["WaitingForCleanup/HostCleanup", true, "overLimit"],
    ["WaitingForCleanup/HostCleanup", false, "working"],
    ["WaitingForCleanup/Queued", false, "waiting"],
    ["BomValidating/SkuVerificationFailed", false, "waiting"],
    ["Assigned/WaitingForNetworkConfig", false, "inUse"],
    ["Assigned/BootingWithDiscoveryImage", false, "working"],
    ["Manageable", false, "provider"],
    ["Ready", false, "ready"],
  ] as const)("%s, over its limit %s: %s", (state, over, group) =>
    expect(hostGroup(state, over)).toBe(group),
  );
  it("hold the states of another release as they are counted", () => {
    const others = ["Failed/DeepCleanFailed", "Assigned/Dreaming", "Decommissioning/Later"].map((state) =>
      unknownState.parse(state),
    );
    for (const group of hostGroups)
      if (group !== "overLimit")
        expect(others.filter((state) => statesOfGroup(group, others).includes(state))).toEqual(
          others.filter((state) => hostGroup(state, false) === group),
        );
    expect(statesOfGroup("failed", others)).toContain("Failed/DeepCleanFailed");
  });
  it("do not count a host twice among those that need attention and those that come back", () => {
    const sets: readonly string[] = [...hostSets.needPerson.groups, ...hostSets.comingBack.groups];
    expect(new Set(sets).size).toBe(sets.length);
  });
});
