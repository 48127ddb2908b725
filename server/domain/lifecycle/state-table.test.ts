// Every state has its texts and its limit, and a stored string is either a state or an error.
import { describe, expect, it } from "vitest";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { nextOf, pointedTabs } from "@/server/domain/lifecycle/next-pointers";
import { tones } from "@/server/domain/lifecycle/state-rows/state-row";
import { describeState, stateLimitMs } from "@/server/domain/lifecycle/state-table";
import {
  allStates,
  causeOf,
  failureCauses,
  isCleaning,
  isFailed,
  isState,
  topLevel,
} from "@/server/domain/lifecycle/states";

const minute = 60_000;

describe("the table of states", () => {
  it.each(allStates())("%s says what it waits for and what to check", (state) => {
    const row = describeState(state);
    for (const words of [row.label, row.waitsFor, row.checkNext, row.tenantWords])
      expect(words.trim()).not.toBe("");
    expect(tones).toContain(row.tone);
    const limit = stateLimitMs(state, defaultPolicy());
    expect(limit === null || limit >= 0).toBe(true);
  });

  it.each(allStates())(
    "%s has a check that begins with a verb, and leads to each tab that it names",
    (state) => {
      const { checkNext } = describeState(state);
      if (checkNext === "Nothing") return;
      expect(checkNext).toMatch(
        /^(Ask|Assign|Carry|Check|Compare|Correct|Find|Give|Look|Provide|Read|Releasing|See) /,
      );
      const named = [...checkNext.matchAll(/\b([A-Z][a-z]+) tab\b/g)].map(([, tab]) => tab);
      const led = nextOf(state).flatMap((to) => (to.kind === "tab" ? [pointedTabs[to.tab]] : []));
      expect(led).toEqual(expect.arrayContaining(named));
    },
  );

  it("never tells a tenant why its host failed", () => {
    for (const cause of failureCauses) {
      expect(describeState(`Failed/${cause}`)).toMatchObject({
        tone: "failed",
        limit: "always",
        tenantWords: "not proven clean yet; the provider is working on it",
      });
    }
  });

  it.each([
    ["Enroll", null],
    ["Ready", null],
    ["Failed/AgentLost", 0],
    ["Verifying", 10 * minute],
    ["WaitingForCleanup/Init", 30 * minute],
    ["WaitingForCleanup/BootingAgent", 99 * minute],
    ["WaitingForCleanup/HostCleanup", 240 * minute],
    ["BomValidating/UpdatingInventory", 5 * minute],
    ["Validation/MachineValidating", 30 * minute],
    ["ReturnToAllocation/AwaitingProcedure", 24 * 60 * minute],
    ["ReturnToAllocation/AwaitingSignOff", 24 * 60 * minute],
  ] as const)("%s may last %s ms", (state, limit) => {
    expect(stateLimitMs(state, defaultPolicy())).toBe(limit);
  });
});

describe("names of states", () => {
  it("are all different, and all known", () => {
    expect(new Set(allStates()).size).toBe(allStates().length);
    expect(allStates().every(isState)).toBe(true);
  });

  it.each(["", "Readyy", "Failed", "Failed/Unheard", "Assigned", "ready", "__proto__", "toString"])(
    "%j is none",
    (value) => {
      expect(isState(value)).toBe(false);
    },
  );

  it("tell top level, failure and cleaning", () => {
    expect(topLevel("Assigned/BootingWithDiscoveryImage")).toBe("Assigned");
    expect(topLevel("Ready")).toBe("Ready");
    for (const state of allStates()) {
      expect(isFailed(state)).toBe(topLevel(state) === "Failed");
      expect(isCleaning(state)).toBe(["WaitingForCleanup", "ManualCleaning"].includes(topLevel(state)));
      expect(causeOf(state)).toBe(isFailed(state) ? state.slice("Failed/".length) : null);
    }
  });
});
