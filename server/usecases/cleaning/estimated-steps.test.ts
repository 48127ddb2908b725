// Estimates of manual cleanings: which steps count, and what they add up to.
import { describe, expect, it } from "vitest";
import type { EstimatedStep } from "@/server/contract/cleaning/cleaning-answers";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { allDrives, nvme1, nvme2 } from "@/server/controller/testing/hardware";
import { nothingKnown } from "@/server/domain/cleaning/steps/step";
import { estimatedSteps, estimateOf } from "@/server/usecases/cleaning/estimated-steps";

const device = ({ serial, model, media, capacityBytes }: typeof nvme1) => ({
  serial,
  model,
  media,
  capacityBytes,
  slot: null,
});

const step = (index: number, changes: Partial<EstimatedStep> = {}): EstimatedStep => ({
  index,
  name: `deploy.step_${index}`,
  expectedMs: 1_000,
  basis: "catalogue",
  runs: 0,
  limitMs: 10_000,
  restarts: false,
  erases: false,
  abortable: true,
  where: "agent",
  devices: [],
  ...changes,
});

describe("the estimate of a list of steps", () => {
  it("adds up what is expected, and every step's limit", () => {
    expect(estimateOf([step(0), step(1, { expectedMs: 500, restarts: true })])).toMatchObject({
      expectedMs: 1_500,
      limitMs: 20_000,
      restarts: 1,
      personAt: null,
    });
  });

  it("counts until the first step that waits for a person", () => {
    const person = step(1, { expectedMs: null, basis: "person" });
    expect(estimateOf([step(0), person, step(2)])).toMatchObject({ expectedMs: 1_000, personAt: 1 });
  });

  it("names each device once, and the steps that cannot be stopped", () => {
    const erase = (index: number) =>
      step(index, { erases: true, abortable: false, devices: [device(nvme1), device(nvme2)] });
    const estimate = estimateOf([erase(0), step(1), erase(2)]);
    expect(estimate.erases.map(({ serial }) => serial)).toEqual(["NVME1", "NVME2"]);
    expect(estimate.cannotStop).toEqual([0, 2]);
  });
});

describe("the steps of an estimate", () => {
  const host = {
    hardwareType: "redfish",
    agent: null,
    known: { ...nothingKnown, storage: [...allDrives] },
    policy: defaultPolicy(),
  };
  const work = [
    { interface: "deploy", step: "erase_nvme", args: {} },
    { interface: "deploy", step: "no_such_step", args: {} },
    { interface: "deploy", step: "erase_disks", args: {} },
  ] as const;

  it("are those that the host has and that have no fault, each with its devices", () => {
    const fault = { index: 2, step: "deploy.erase_disks", argument: null, message: "is given twice" };
    const steps = estimatedSteps(host, work, { faults: [fault], past: new Map() });
    expect(steps.map(({ index, name }) => [index, name])).toEqual([[0, "deploy.erase_nvme"]]);
    expect(steps[0]?.devices.map(({ serial }) => serial)).toEqual(["NVME1", "NVME2"]);
    expect(steps[0]?.basis).toBe("catalogue");
  });

  it("take what they took before", () => {
    const past = new Map([[0, { basis: "host", medianMs: 77, runs: 3 } as const]]);
    expect(estimatedSteps(host, work, { faults: [], past })[0]).toMatchObject({
      expectedMs: 77,
      basis: "host",
      runs: 3,
    });
  });
});
