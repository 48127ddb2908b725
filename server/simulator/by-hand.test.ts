// Steps that people run by hand: the real agent on simulated hardware, commanded by a small controller over HTTP.
import { describe, expect, it } from "vitest";
import { hardwareManagers } from "@/agent/steps/catalogue";
import type { HardwareInventory } from "@/server/domain/hosts/inventory/inventory";
import { cleanSteps } from "@/server/domain/cleaning/steps/catalogue";
import { stepName } from "@/server/domain/cleaning/steps/step";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";
import { fleetForEach, type TestFleet } from "@/server/simulator/testing/fleet";
import { until } from "@/server/simulator/testing/protocol-server";

let fleet: TestFleet;
fleetForEach((started) => {
  fleet = started;
});

const result = (count = 1) => until(`result ${count}`, () => fleet.server.results[count - 1]?.body);
const all = ({ storage }: HardwareInventory) => [...storage];
const sentTo = (host: SimulatedHost): readonly number[] => host.drives.map((drive) => drive.accepted.length);
const holdData = (host: SimulatedHost): readonly boolean[] =>
  host.drives.map((drive) => drive.holdsTenantData);

describe("what the agent offers", () => {
  it("is declared, and all that is declared for an agent is offered", () => {
    const offered = hardwareManagers.flatMap(({ steps }) => steps.map(stepName));
    const declared = cleanSteps.filter(({ where }) => where === "agent").map(stepName);
    expect(declared.filter((name) => !offered.includes(name))).toEqual([]);
    expect(offered.filter((name) => !declared.includes(name))).toEqual([]);
    for (const step of hardwareManagers.flatMap(({ steps }) => steps)) {
      expect(cleanSteps.find((row) => stepName(row) === stepName(step))).toMatchObject({
        priority: step.priority,
        abortable: step.abortable,
      });
    }
  });
});

describe("an erase by hand", () => {
  it("of some drives leaves the others alone", async () => {
    const host = fleet.host("dell");
    const serial = host.drives[1]?.identity.serial ?? "";
    fleet.server.plan({
      step: "erase_nvme",
      args: { devices: [serial] },
      devices: ({ storage }) => storage.filter((device) => device.serial === serial),
    });
    fleet.bootAgent(host);
    const body = await result();
    expect([body.result, body.devices.map((device) => device.serial)]).toEqual(["OK", [serial]]);
    expect(sentTo(host)).toEqual([0, 1, 0]);
    expect(holdData(host)).toEqual([true, false, true]);
  });

  it("of a drive that is not there fails", async () => {
    const host = fleet.host("dell");
    const gone = {
      serial: "NOT-THERE",
      model: "X",
      media: "nvme" as const,
      transport: "nvme" as const,
      capacityBytes: "1",
      removable: false,
    };
    fleet.server.plan({ step: "erase_nvme", args: { devices: [gone.serial] }, devices: () => [gone] });
    fleet.bootAgent(host);
    const body = await result();
    expect([body.result, body.message]).toEqual(["ERROR", "NOT-THERE: expected, but not found by the agent"]);
    expect(sentTo(host)).toEqual([0, 0, 0]);
  });

  it("of all drives, whatever their bus, is one step", async () => {
    const host = fleet.host("generic");
    fleet.server.plan({ step: "erase_devices", devices: all });
    fleet.bootAgent(host);
    const body = await result();
    expect([body.result, body.devices.length]).toEqual(["OK", host.drives.length]);
    expect(holdData(host)).toEqual(host.drives.map(() => false));
  });

  it("of metadata wipes signatures and leaves the data, and says so", async () => {
    const host = fleet.host("generic");
    fleet.server.plan({ step: "erase_devices_metadata" });
    fleet.bootAgent(host);
    const body = await result();
    expect(body).toMatchObject({
      result: "OK",
      devices: [],
      message: `metadata of ${host.drives.length} drives wiped; their data is still there`,
    });
    expect(sentTo(host)).toEqual(host.drives.map(() => 0));
    expect(holdData(host)).toEqual(host.drives.map(() => true));
  });

  it("in express formats where it can, and calls nothing sanitized", async () => {
    const host = fleet.host("dell");
    fleet.server.plan({ step: "erase_devices_express" });
    fleet.bootAgent(host);
    const body = await result();
    expect(body).toMatchObject({ result: "OK", devices: [] });
    expect(body.message).toContain("3 drives formatted");
    expect(body.message).toContain("none of them is sanitized");
    expect(fleet.server.progress[0]?.body.unstoppable).toBe(true);
  });
});

describe("the TPM", () => {
  it("is cleared, and read back", async () => {
    const host = fleet.host("dell");
    host.tpmOwned = true;
    fleet.server.plan({ step: "clear_tpm" });
    fleet.bootAgent(host);
    expect(await result()).toMatchObject({
      result: "OK",
      message: expect.stringMatching(
        /^the TPM was cleared twice: it derives the owner key [0-9a-f]{16}… instead of [0-9a-f]{16}…, and no authorization is set$/,
      ),
    });
    expect(host.tpmOwned).toBe(false);
  });
});

describe("a load", () => {
  it.each(["cpu", "memory"])("on %s runs for its time", async (part) => {
    const host = fleet.host("dell");
    fleet.server.plan({ step: `burnin_${part}`, args: { time: 25, fraction: 0.5 } });
    fleet.bootAgent(host);
    expect(await result()).toMatchObject({
      result: "OK",
      message: `${part} under load for 25 s without an error`,
    });
  });

  it("that finds an error fails", async () => {
    const host = fleet.host("dell");
    host.script({ validation: { fails: true } });
    fleet.server.plan({ step: "burnin_cpu", args: { time: 60 } });
    fleet.bootAgent(host);
    const body = await result();
    expect(body.result).toBe("ERROR");
    expect(body.message).toContain("verification error");
  });

  it.each(["disk", "network"])("on %s can be stopped", async (part) => {
    const host = fleet.host("dell");
    fleet.server.plan({
      step: `burnin_${part}`,
      args: { time: 86_400 },
      stepRunId: "11111111-1111-4111-8111-111111111111",
    });
    fleet.bootAgent(host);
    await until("the registration", () => fleet.server.registered[0]);
    fleet.server.push({
      kind: "abort",
      id: "abort-1",
      stepRunId: "11111111-1111-4111-8111-111111111111",
      attempt: 1,
    });
    const body = await result();
    expect(body.result).toBe("ERROR");
    expect(body.message).toMatch(/^aborted: stopped after/);
  });
});
