// One test per row of the table in docs/design/lifecycle.md#projections, and that no state is missing.
import { describe, expect, it } from "vitest";
import { nicoInstanceStatus, nicoMachineStatus } from "@/server/domain/lifecycle/projections";
import { allStates } from "@/server/domain/lifecycle/states";
import type { State } from "@/server/domain/lifecycle/states";

const fine = { maintenance: false, allocatable: true };
const held = { releaseRequested: false, onlineRepair: false };
const released = { releaseRequested: true, onlineRepair: false };
const under = (...tops: readonly string[]): State[] =>
  allStates().filter((state) => tops.some((top) => state === top || state.startsWith(`${top}/`)));

describe("machine status", () => {
  it.each(under("Enroll", "Verifying", "Manageable"))("%s: Initializing", (state) =>
    expect(nicoMachineStatus(state, fine).status).toBe("Initializing"),
  );

  it("Ready: Ready, and Error while something prevents allocation", () => {
    expect(nicoMachineStatus("Ready", fine)).toEqual({
      status: "Ready",
      message: "Machine is online and ready",
    });
    expect(nicoMachineStatus("Ready", { ...fine, allocatable: false }).status).toBe("Error");
  });

  it.each(under("Assigned"))("%s: InUse", (state) =>
    expect(nicoMachineStatus(state, fine).status).toBe("InUse"),
  );
  it.each(under("ManualCleaning"))("%s: Maintenance", (state) =>
    expect(nicoMachineStatus(state, fine).status).toBe("Maintenance"),
  );
  it.each(under("WaitingForCleanup"))("%s: Reset", (state) =>
    expect(nicoMachineStatus(state, fine)).toEqual({
      status: "Reset",
      message: "Machine is waiting for cleanup",
    }),
  );

  it.each(under("Decommissioning", "Decommissioned"))("%s: Decommissioned", (state) =>
    expect(nicoMachineStatus(state, fine).status).toBe("Decommissioned"),
  );

  const waitsForRepair = "ReturnToAllocation/AwaitingRepair";
  it("waits for repair: Error", () => expect(nicoMachineStatus(waitsForRepair, fine).status).toBe("Error"));
  it.each(
    under("BomValidating", "Validation", "HostInit", "ReturnToAllocation").filter(
      (state) => state !== waitsForRepair,
    ),
  )("%s: Initializing", (state) => expect(nicoMachineStatus(state, fine).status).toBe("Initializing"));

  it.each(under("Failed"))("%s: Error, naming the cause", (state) =>
    expect(nicoMachineStatus(state, fine)).toEqual({
      status: "Error",
      message: `Machine has encountered a failure: ${state.slice("Failed/".length)}`,
    }),
  );
  it("ForceDeletion: Decommissioned", () =>
    expect(nicoMachineStatus("ForceDeletion", fine).status).toBe("Decommissioned"));
  it.each(allStates())("%s with maintenance: Maintenance", (state) =>
    expect(nicoMachineStatus(state, { ...fine, maintenance: true }).status).toBe("Maintenance"),
  );
});

describe("instance status", () => {
  it.each([
    "Assigned/WaitingForNetworkConfig",
    "Assigned/WaitingForRebootToReady",
    "Ready",
  ] satisfies State[])("%s: Provisioning", (state) =>
    expect(nicoInstanceStatus(state, held)).toBe("Provisioning"),
  );
  it("Assigned/Ready: Ready, or Repairing", () => {
    expect(nicoInstanceStatus("Assigned/Ready", held)).toBe("Ready");
    expect(nicoInstanceStatus("Assigned/Ready", { ...held, onlineRepair: true })).toBe("Repairing");
  });
  it.each(under("Assigned"))("%s after release: Terminating", (state) =>
    expect(nicoInstanceStatus(state, released)).toBe("Terminating"),
  );
  it.each(under("Failed"))("%s after release: Terminating, because cleaning is the provider's", (state) =>
    expect(nicoInstanceStatus(state, released)).toBe("Terminating"),
  );
  it.each(under("Failed"))("%s before release: Error", (state) =>
    expect(nicoInstanceStatus(state, held)).toBe("Error"),
  );
});
