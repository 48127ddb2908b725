// The property test: no sequence of intents, signals, faults and restarts reaches Ready with an unsatisfied gate (docs/design/lifecycle.md#gates).
import fc from "fast-check";
import { expect, it } from "vitest";
import { exploreAll, runs } from "@/server/controller/testing/model/property";

/** How often each of these must be reached at least, over all runs: a test that explores nothing finds nothing. */
const reached = {
  "Ready after a tenant": 0.24,
  "Ready, cleaned": 0.045,
  "a boot that nobody ordered": 0.02,
  "a tenant's system asked to be the agent": 0.015,
  "an old system wrote onto an erased drive": 0.03,
  "Ready, not cleaned": 0.002,
  "enrolled again": 0.05,
  "enrolled again during an erase": 0.004,
  "lost fence": 0.005,
  "Ready, a step disabled": 0.001,
  "Ready, by an exception": 0.0015,
  "erased by the BMC": 0.05,
  "Failed/NVMECleanFailed": 0.05,
  "Failed/HDDCleanFailed": 0.018,
  "Failed/DeviceMissing": 0.05,
  "Failed/AgentLost": 0.03,
  "Failed/StepTimeout": 0.03,
  "Failed/NetworkReconfigTimeout": 0.02,
  "Failed/GateUnsatisfied": 0.005,
  "Failed/CleanFailed": 0.003,
  "Failed/RaidCleanFailed": 0.002,
  "Failed/MachineValidation": 0.02,
  "Failed/BmcUnreachable": 0.001,
  "Failed/ManualInterventionRequired": 0.001,
  "Failed/AgentIdentityConflict": 0.01,
  "asked how to boot from inside": 0.1,
  "asked how to boot from outside": 0.1,
  "a status that nobody knows": 0.0003,
  "a drive hung": 0.02,
  "a drive changed while Ready": 0.004,
  "written while Ready": 0.0002,
  "compared before a hand-over": 0.2,
  "waived: storageSanitized": 0.001,
  "waived: memoryOverwritten": 0.001,
  "ended: notSanitized": 0.001,
  "ended: provenWithExceptions": 0.1,
  "drives listed: error": 0.01,
  "drives listed: short": 0.01,
  "drives listed: unnamed": 0.01,
  "drives listed: one serial": 0.01,
  "the agent cannot name a drive": 0.03,
  "ManualCleaning/RunningStep": 0.02,
  "ManualCleaning/OnHold": 0.002,
  "WaitingForCleanup/OnHold": 0.01,
  "a step was stopped": 0.001,
  "disk set as boot device": 0.02,
  "foreign write": 0.03,
  "Failed/ContentChanged": 0.001,
  "Ready, looked at again": 0.0005,
  "Ready, with a drive that no agent reads": 0.005,
  "stated untouched": 0.001,
  "BomValidating/SkuVerificationFailed": 0.03,
  "SKU matched": 0.001,
  "ReturnToAllocation/AwaitingHealth": 0.03,
  "ReturnToAllocation/AwaitingProcedure": 0.005,
  "ReturnToAllocation/AwaitingSignOff": 0.005,
  "a drain was recorded": 0.02,
  "Ready, drained": 0.003,
  "Ready, measured": 0.01,
  "a bundle was revoked in Ready": 0.0002,
  "a tenant's system waits to be measured": 0.001,
  "Failed/MeasuringFailed": 0.003,
  decommissioned: 0.001,
  ForceDeletion: 0.05,
  "the BMC's clock was set": 0.05,
  "a restart was not proven": 0.005,
  "reset during a sanitize": 0.005,
  "clock set back": 0.1,
  "clock set forward": 0.1,
  outage: 0.1,
  restored: 0.03,
  "an older database was stopped": 0.03,
  "after restore": 0.02,
  "leased in Ready": 0.001,
  "leased in Manageable": 0.001,
  "leased in ReturnToAllocation/AwaitingHealth": 0.0002,
  "returned by a repair system": 0.003,
  "Failed/DatabaseRestored": 0.01,
} as const;

/** The 500 runs of `npm test` say nothing about what one run in fifty reaches; the 10,000 of `npm run test:all` do. */
const least = runs < 2_500 ? 0.02 : 0;

it(`no promise is broken in ${runs} runs`, { timeout: 1_800_000 }, () => {
  const seen = new Map<string, number>();
  const result = exploreAll((run) => {
    for (const what of run) seen.set(what, (seen.get(what) ?? 0) + 1);
  });
  expect(
    result.failed ? `${String(result.errorInstance)}\n${fc.defaultReportMessage(result) ?? ""}` : "",
  ).toBe("");
  expect(
    Object.entries(reached)
      .filter(([what, share]) => share >= least && (seen.get(what) ?? 0) < share * runs)
      .map(([what]) => `${what}: ${seen.get(what) ?? 0}`),
  ).toEqual([]);
});
