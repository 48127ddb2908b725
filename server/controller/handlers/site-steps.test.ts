// A plan with clean steps that a site added as files in its agent image (docs/agent.md).
import { describe, expect, it } from "vitest";
import { plainPolicy } from "@/server/testing/test-policy";
import { decideOn, hostView, path } from "@/server/controller/testing/host-view";
import { agent, queued, reclamation } from "@/server/controller/testing/view-parts";
import type { ViewChanges } from "@/server/controller/testing/host-view";

describe("a plan with steps of the site", () => {
  const faults = [{ file: "/etc/reclaim/steps.d/x.json", message: "command is required" }];
  it.each<[string, ViewChanges, string]>([
    [
      "a file of a step that its agent cannot read",
      { agent: agent({ hardwareManagers: [{ name: "site", version: "1", steps: [], faults }] }) },
      "x.json: command is required",
    ],
    [
      "a step that the site requires and nobody offers",
      { reclamation: reclamation({ policy: { ...plainPolicy(), requiredSteps: ["vendor.check"] } }) },
      "the site requires vendor.check",
    ],
  ])("is not made: %s", (_what, changes, message) => {
    const decision = decideOn(hostView("WaitingForCleanup/Init", { ...queued, ...changes }));
    expect(path(decision)).toEqual(["Failed/CleanFailed"]);
    expect(decision.run.lastError).toContain(message);
    expect(decision.steps).toEqual([]);
  });
});
