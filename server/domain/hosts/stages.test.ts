// Stages derived from states: what is done, in progress, or left out.
import { describe, expect, it } from "vitest";
import { stages } from "@/server/domain/hosts/stages";
import type { State } from "@/server/domain/lifecycle/states";

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);
const trip = (...states: readonly State[]) => states.map((state, index) => ({ state, at: at(index * 10) }));
const short = (...args: Parameters<typeof stages>) =>
  stages(...args).map(({ name, status }) => `${name} ${status}`);

describe("stages", () => {
  it("of a release in cleaning", () =>
    expect(
      short(
        trip(
          "Assigned/BootingWithDiscoveryImage",
          "Assigned/SwitchToAdminNetwork",
          "Assigned/WaitingForNetworkReconfig",
          "WaitingForCleanup/Queued",
          "WaitingForCleanup/HostCleanup",
        ),
        null,
        true,
      ),
    ).toEqual(["Off network done", "Cleaning now", "Inventory todo", "Validation todo", "Return todo"]));
  it("sum the time of their states, and say since when the present one is", () => {
    const rows = stages(
      trip(
        "Assigned/BootingWithDiscoveryImage",
        "Assigned/SwitchToAdminNetwork",
        "WaitingForCleanup/Queued",
        "WaitingForCleanup/Init",
      ),
      null,
      true,
    );
    expect(rows[0]).toMatchObject({ tookMs: 20_000 });
    expect(rows[1]).toMatchObject({ status: "now", since: at(20), tookMs: null });
  });
  it("keep a failure in the stage that it stopped, with its tone", () => {
    const rows = stages(
      trip("WaitingForCleanup/Init", "WaitingForCleanup/HostCleanup", "Failed/NVMECleanFailed"),
      null,
      false,
    );
    expect(rows.find(({ name }) => name === "Cleaning")).toMatchObject({ status: "now", tone: "failed" });
  });
  it("of an onboarding have no network to come back from", () =>
    expect(short(trip("WaitingForCleanup/Queued"), null, false)[0]).toBe("Cleaning now"));
  it("are done when the trip has ended", () =>
    expect(
      short(
        trip(
          "WaitingForCleanup/Queued",
          "BomValidating/VerifyingSku",
          "HostInit/Discovered",
          "ReturnToAllocation/EvaluatingGates",
        ),
        at(99),
        false,
      ),
    ).toEqual(["Cleaning done", "Inventory done", "Validation skipped", "Return done"]));
  it("of a restarted plan are to do again", () =>
    expect(
      short(
        trip(
          "WaitingForCleanup/HostCleanup",
          "BomValidating/VerifyingSku",
          "Validation/MachineValidating",
          "Failed/MachineValidation",
          "WaitingForCleanup/Init",
        ),
        null,
        false,
      ),
    ).toEqual(["Cleaning now", "Inventory todo", "Validation todo", "Return todo"]));
});
