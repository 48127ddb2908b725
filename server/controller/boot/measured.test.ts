// Where a site requires it, no command goes to an agent that was not measured.
import { describe, expect, it } from "vitest";
import { guestManager } from "@/server/domain/agents/ironic/steps";
import type { MeasurementFacts } from "@/server/domain/attestation/measurement";
import { noLimits } from "@/server/domain/cleaning/queue/admission";
import { emptyCleaning } from "@/server/domain/lifecycle/context";
import type { State } from "@/server/domain/lifecycle/states";
import { decideOn, hostView, minute, now, path } from "@/server/controller/testing/host-view";
import type { ViewChanges } from "@/server/controller/testing/host-view";
import {
  acksOf,
  agent,
  inventory,
  networkContext,
  plan,
  planned,
  reclamation,
  succeededPlan,
} from "@/server/controller/testing/view-parts";
import { stepRun } from "@/server/controller/testing/step-views";
import { plainPolicy } from "@/server/testing/test-policy";

const network = networkContext("admin");
const policy = { ...plainPolicy(), attestation: "required" as const };
const measured: MeasurementFacts = {
  ...{ tpmEpoch: 3, ownKey: true, tpmProblem: null, bootEpoch: 3, state: "Measured", problem: null },
  bundle: { id: "b", name: "r750, image 12", state: "Active" },
};

const decided = (state: State, of: MeasurementFacts | null, changes: ViewChanges = {}) =>
  decideOn(
    hostView(state, {
      reclamation: planned({ policy }),
      steps: plan(),
      agent: agent({ registeredMs: now - minute }),
      inventory: inventory(),
      acks: acksOf(network),
      measurement: of,
      ...changes,
      context: { network, minEpoch: 3, ...changes.context },
    }),
  );

describe("a host of a site that requires measured boots", () => {
  it.each<readonly [State, ViewChanges]>([
    ["WaitingForCleanup/HostCleanup", {}],
    ["WaitingForCleanup/BootingAgent", { context: { returnTo: "WaitingForCleanup/HostCleanup" } }],
    ["WaitingForCleanup/Init", { reclamation: reclamation({ policy }), steps: [] }],
    ["BomValidating/BootingAgent", { steps: succeededPlan() }],
    ["BomValidating/UpdatingInventory", { steps: succeededPlan() }],
    ["Validation/RebootHost", { steps: succeededPlan() }],
    ["Validation/MachineValidating", { steps: succeededPlan() }],
  ])("gets no command in %s before its boot was measured", (state, changes) => {
    const waits = decided(state, null, changes);
    expect([path(waits), waits.run.command ?? null]).toEqual([[], null]);
    expect(waits.run.waitReason).toContain("no TPM yet");
    const goesOn = decided(state, measured, changes);
    expect(goesOn.run.waitReason ?? "").not.toContain("TPM");
    expect(
      (goesOn.run.command ?? null) !== null || path(goesOn).length > 0 || goesOn.effects.length > 0,
    ).toBe(true);
  });

  describe("where no bundle expects its boot", () => {
    const pending = { ...measured, state: "PendingBundle" as const, bundle: null };
    const long = { agent: agent({ registeredMs: now - 60 * minute }) };

    it.each<readonly [State, State, ViewChanges]>([
      ["WaitingForCleanup/HostCleanup", "WaitingForCleanup/Queued", {}],
      ["BomValidating/BootingAgent", "WaitingForCleanup/Queued", { steps: succeededPlan() }],
      ["Validation/MachineValidating", "WaitingForCleanup/Queued", { steps: succeededPlan() }],
      [
        "ManualCleaning/BootingAgent",
        "ManualCleaning/Queued",
        { reclamation: planned({ policy, kind: "manualCleaning" }) },
      ],
    ])(
      "gives its place back in %s and waits for a person, however long that takes",
      (state, queue, changes) => {
        const decision = decided(state, pending, { ...long, ...changes });
        expect([path(decision), decision.run.dueAtMs]).toEqual([[queue], now + 10 * minute]);
        expect(decision.run.waitReason).toContain("match no approved bundle");
        expect(decision.run.context.cleaning).toMatchObject({
          ...{ afterQueue: state, waitsForPlace: false, admitted: false },
        });
        expect(decision.reclamation?.row.pausedAtMs).toBe(now);
      },
    );

    const queued = (of: MeasurementFacts, changes: ViewChanges = {}) =>
      decided("WaitingForCleanup/Queued", of, {
        ...long,
        site: { policy: { ...policy, admission: { ...noLimits, atWork: 1 } } },
        ...changes,
        context: {
          cleaning: {
            ...emptyCleaning(),
            afterQueue: "WaitingForCleanup/HostCleanup",
          },
          ...changes.context,
        },
      });

    it("asks for no place, and takes none", () => {
      const told = [{ kind: "admitted" as const, payload: {} }];
      for (const decision of [queued(pending), queued(pending, { signals: told })]) {
        expect([path(decision), decision.run.waitReason]).toEqual([
          [],
          expect.stringContaining("no approved bundle"),
        ]);
        expect(decision.run.context.cleaning).toMatchObject({ waitsForPlace: false, admitted: false });
      }
      expect(queued(pending, { signals: told }).consumed).toEqual(["1"]);
    });

    it("asks for a place once a bundle expects it, and continues where it was", () => {
      const asks = queued(measured);
      expect([path(asks), asks.run.context.cleaning.waitsForPlace]).toEqual([[], true]);
      const admitted = queued(measured, { signals: [{ kind: "admitted", payload: {} }] });
      expect(path(admitted)[0]).toBe("WaitingForCleanup/HostCleanup");
    });

    it("stops if its boot is judged wrong meanwhile, whatever the queue waits for", () => {
      const wrong = {
        ...measured,
        state: "MeasuringFailed" as const,
        problem: "another nonce",
        bundle: null,
      };
      expect(path(queued(wrong))).toEqual(["Failed/MeasuringFailed"]);
      const revoked = {
        ...wrong,
        problem: null,
        bundle: { id: "b", name: "image 12", state: "Revoked" as const },
      };
      const decision = queued(revoked);
      expect([path(decision), decision.run.context.minEpoch]).toEqual([["Failed/MeasuringFailed"], 4]);
    });

    describe("with a step of the BMC that asked for the restart", () => {
      const restarting = (changes: ViewChanges = {}) =>
        queued(pending, {
          steps: [
            stepRun(
              1,
              { interface: "bios", step: "recommit", where: "controller" },
              { status: "running", attempt: 1, startedAtMs: now - 60 * minute, deadlineAtMs: now - minute },
            ),
          ],
          ...changes,
        });

      it("has no time limit of that step", () => {
        expect(restarting().run.limitAtMs).toBeNull();
      });

      it("is aborted at once", () => {
        const by = { personId: "p", name: "Ada", requestId: "r" };
        const decision = restarting({ signals: [{ kind: "abort", payload: { by } }] });
        expect(path(decision)).toEqual(["Failed/CleanFailed"]);
      });
    });

    it("asks for a place if its agent is gone: it may boot into what a bundle expects", () => {
      const silent = { agent: agent({ registeredMs: now - 60 * minute, lastSeenMs: now - 50 * minute }) };
      expect(queued(pending, silent).run.context.cleaning.waitsForPlace).toBe(true);
      const older = { context: { minEpoch: 4 } };
      expect(queued(pending, older).run.context.cleaning.waitsForPlace).toBe(true);
    });
  });

  it.each<readonly [string, MeasurementFacts | null, ViewChanges]>([
    ["shows no TPM in ten minutes", null, { agent: agent({ registeredMs: now - 11 * minute }) }],
    [
      "sends a wrong quote",
      { ...measured, state: "MeasuringFailed", problem: "another nonce", bundle: null },
      {},
    ],
    [
      "is Ironic's",
      null,
      {
        agent: agent({
          registeredMs: now,
          hardwareManagers: [{ name: guestManager, version: "1", steps: [] }],
        }),
      },
    ],
  ])("stops, and boots again before anything else, if its agent %s", (_what, of, changes) => {
    const decision = decided("WaitingForCleanup/HostCleanup", of, changes);
    expect(path(decision)).toEqual(["Failed/MeasuringFailed"]);
    expect(decision.run.context.minEpoch).toBe(4);
    expect(decision.run.command ?? null).toBeNull();
  });

  it("trusts nothing that the agent of a revoked bundle said: its erases are void", () => {
    const bundle = { id: "b", name: "image 12", state: "Revoked" as const };
    const revoked: MeasurementFacts = { ...measured, state: "MeasuringFailed", bundle };
    const begun = { steps: succeededPlan() };
    const voided = (of: MeasurementFacts) =>
      decided("WaitingForCleanup/HostCleanup", of, {
        steps: [...succeededPlan().slice(0, 1), ...plan().slice(1)],
      }).run.context.cleaning.voided?.reason;
    expect(voided(revoked)).toBe("bundleRevoked");
    expect(voided({ ...revoked, bundle: { ...bundle, state: "Retired" } })).toBeUndefined();
    const clean = decided("ReturnToAllocation/EvaluatingGates", revoked, {
      ...begun,
      run: { touched: true, touchedReason: "the bundle is revoked" },
    });
    expect(path(clean)[0]).toBe("WaitingForCleanup/Queued");
    expect(clean.run.context.returnTo ?? clean.run.waitReason).toBeDefined();
  });

  it("leaves a tenant's network without being measured", () => {
    const decision = decided("Assigned/BootingWithDiscoveryImage", null, { steps: [] });
    expect(path(decision)[0]).toBe("Assigned/SwitchToAdminNetwork");
  });
});

it("a site that observes gives commands whatever was measured", () => {
  const observing = { reclamation: planned({ policy: { ...policy, attestation: "observe" } }) };
  expect(decided("WaitingForCleanup/HostCleanup", null, observing).run.command).toMatchObject({
    kind: "execute",
  });
});
