// The adapters of a host without a machine: they succeed, report only what was asked of them, and claim nothing about any drive.
import { describe, expect, it } from "vitest";
import { cleanSteps } from "@/server/domain/cleaning/steps/catalogue";
import { stepInterfaces, stepName } from "@/server/domain/cleaning/steps/step";
import { noPlatformFacts } from "@/server/domain/hosts/inventory/platform";
import type { BmcTarget } from "@/server/hardware/interfaces";
import { powerSteps } from "@/server/hardware/power-steps";
import { fakeHardware } from "@/server/hardware/fake/hardware-type";

const hostId = "00000000-0000-4000-8000-000000000001";
const target: BmcTarget = {
  hostId,
  address: `fake://${hostId}`,
  username: "none",
  password: "",
  links: null,
  powerState: null,
};
const never = {
  timeoutMs: 1_000,
  permit: () => Promise.reject(new Error("nothing is changed, so nothing is asked for")),
};
const call = {
  target,
  args: {},
  known: { hardwareType: "fake", storage: [], infiniband: [], platform: noPlatformFacts, baseline: null },
};

describe("fake hardware", () => {
  it("is known by the host's own id", async () => {
    expect(await fakeHardware.inventory.discover(target, never)).toMatchObject({
      ok: true,
      value: { system: { serial: `fake-${hostId}`, uuid: hostId } },
    });
  });

  it("has no drive, no port and no firmware, and says so", async () => {
    expect(await fakeHardware.inventory.collect(target, never)).toMatchObject({
      ok: true,
      value: {
        inventory: { storage: [], macs: [], firmware: [] },
        leftOut: [expect.stringContaining("no machine")],
      },
    });
  });

  it("is in the power state that was asked for last", async () => {
    const read = async (powerState: BmcTarget["powerState"]) => {
      const result = await fakeHardware.power.read({ ...target, powerState }, never);
      return result.ok && result.value.power;
    };
    expect([await read(null), await read("on"), await read("off")]).toEqual(["off", "on", "off"]);
    expect(await fakeHardware.power.reset(target, "forceOff", never)).toMatchObject({
      ok: true,
      value: { power: "off" },
    });
    for (const kind of ["on", "forceRestart", "powerCycle"] as const)
      expect(await fakeHardware.power.reset(target, kind, never)).toMatchObject({
        ok: true,
        value: { power: "on" },
      });
    expect(await fakeHardware.management.setBootOnce(target, "pxe", never)).toMatchObject({
      ok: true,
      value: { bootOverride: { enabled: false } },
    });
  });

  it.each(
    cleanSteps.flatMap((step) =>
      step.reserved
        ? stepInterfaces.map((name) => stepName({ interface: name, step: step.step }))
        : [stepName(step)],
    ),
  )("does %s at once, and reports no device", async (name) => {
    const code = fakeHardware.steps.get(name);
    expect(await code?.begin(call, never)).toEqual({
      ok: true,
      value: { kind: "done", message: "fake hardware: nothing was done", devices: [] },
    });
  });

  it("is switched like any other by the steps of the interface power", async () => {
    expect(await powerSteps(fakeHardware).get("power_on")?.begin(call, never)).toMatchObject({
      ok: true,
      value: { kind: "done", devices: [] },
    });
  });
});
