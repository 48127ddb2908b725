// NICo's substates of the platform belong to steps that exist, and no other step claims one.
import { expect, it } from "vitest";
import { cleanSteps } from "@/server/domain/cleaning/steps/catalogue";
import { stepName } from "@/server/domain/cleaning/steps/step";
import { nicoPlatformState, stepsWithSubstate } from "@/server/domain/lifecycle/nico-substates";

/** NICo's own, from its page on the states of a managed host. */
const known = [
  "FactoryResetBmc",
  "PowerCycle",
  "CheckHostConfig",
  "ConfigureBios",
  "SetBootOrder",
  "LockHost",
];

it("every step with a substate is in the catalogue, and the substate is NICo's", () => {
  const names = cleanSteps.map(stepName);
  for (const step of stepsWithSubstate) {
    expect(names).toContain(step);
    expect(known.map((each) => `HostPlatformConfiguration/${each}`)).toContain(nicoPlatformState(step));
  }
});

it.each([null, "deploy.erase_nvme", "management.clear_tpm", "constructor", ""])("%s has none", (step) =>
  expect(nicoPlatformState(step)).toBeNull(),
);
