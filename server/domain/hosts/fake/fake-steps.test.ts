// The catalogue of a host without a machine: the same steps, but no gate can depend on one.
import { describe, expect, it } from "vitest";
import { makePlan } from "@/server/domain/cleaning/plan/plan";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { cleanSteps } from "@/server/domain/cleaning/steps/catalogue";
import { catalogueOf, stepOf } from "@/server/domain/hosts/fake/fake-steps";
import { nothingKnown, stepName } from "@/server/domain/cleaning/steps/step";
import type { KnownHardware } from "@/server/domain/cleaning/steps/step";
import { noPlatformFacts } from "@/server/domain/hosts/inventory/platform";

const fake = { hardwareType: "fake" };
const offered = [{ interface: "deploy", step: "site_step", priority: 7, abortable: false }];
const drive = {
  serial: "A",
  model: "M",
  media: "nvme" as const,
  transport: "nvme" as const,
  capacityBytes: "1",
  removable: false,
};
const known: KnownHardware = {
  hardwareType: "fake",
  storage: [drive],
  infiniband: [],
  platform: noPlatformFacts,
  baseline: null,
};

describe("the catalogue of a fake host", () => {
  it("has every step of ours under its name and with its arguments, and no agent's", () => {
    const steps = catalogueOf(fake, offered);
    expect(steps.map((step) => [stepName(step), step.args])).toEqual(
      cleanSteps.map((step) => [stepName(step), step.args]),
    );
    expect(stepOf(fake, "deploy", "site_step", offered)).toBeNull();
  });

  it.each(cleanSteps.map((step) => [stepName(step), step] as const))(
    "%s proves nothing, treats no device and is the controller's",
    (_name, step) => {
      expect(stepOf(fake, step.interface, step.step, [])).toMatchObject({
        where: "controller",
        proves: [],
        erases: false,
        priority: expect.any(Number),
      });
      expect(stepOf(fake, step.interface, step.step, [])?.devices(known, {})).toEqual([]);
    },
  );

  it("runs two steps by itself, with two different priorities", () => {
    const plan = makePlan(catalogueOf(fake, []), [], known);
    expect(plan.ok && plan.steps.map(({ step, priority }) => [stepName(step), priority])).toEqual([
      ["deploy.erase_devices_metadata", 99],
      ["deploy.erase_devices", 10],
    ]);
  });

  it("holds and waits as every host does", () => {
    expect(stepOf(fake, "power", "hold", [])).toMatchObject({ reserved: true });
    expect(stepOf(fake, "management", "wait", [])).toMatchObject({ reserved: true, interface: "management" });
    expect(stepOf(fake, "deploy", "reboot", [])).toMatchObject({ reserved: false, restarts: false });
    expect(stepOf(fake, "deploy", "erase_devices", [])?.timeLimitMs(defaultPolicy(), {}, nothingKnown)).toBe(
      defaultPolicy().times.otherStepMs,
    );
  });
});

it.each(["redfish", "idrac", "Fake", "fake-hardware", "fake ", ""])(
  "a host of type %j has the catalogue of a machine",
  (hardwareType) => {
    expect(catalogueOf({ hardwareType }, offered)).toHaveLength(cleanSteps.length + 1);
    expect(stepOf({ hardwareType }, "deploy", "erase_nvme", [])).toMatchObject({
      where: "agent",
      erases: true,
      proves: ["storageSanitized"],
    });
    expect(stepOf({ hardwareType }, "deploy", "site_step", offered)).not.toBeNull();
  },
);
