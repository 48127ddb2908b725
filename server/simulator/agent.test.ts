// The real agent on simulated hardware: what it stores, retries, gives up and reports.
import { describe, expect, it } from "vitest";
import { NvmeDrive } from "@/server/simulator/drives/nvme-drive";
import { deviceIn, driveOf, eraseNvme, resultOf } from "@/server/simulator/testing/erasing";
import { fleetForEach, startFleet, type TestFleet } from "@/server/simulator/testing/fleet";
import { until } from "@/server/simulator/testing/protocol-server";

let fleet: TestFleet;
fleetForEach((started) => {
  fleet = started;
});

describe("an agent", () => {
  it("hears abort in its poll, and begins nothing more", async () => {
    await fleet.close();
    fleet = await startFleet({ speed: 80 });
    const host = fleet.host("dell");
    driveOf(host).faults.failErase = true;
    const stepRunId = "7e57ab1e-0000-4000-8000-000000000001";
    fleet.server.plan({ ...eraseNvme, stepRunId });
    fleet.bootAgent(host);
    await until("the erase", () => host.erasing);
    await until("the poll beside it", () => fleet.server.requests.some((line) => line.endsWith("/poll")));
    fleet.server.push({ kind: "abort", id: "stop-it", stepRunId, attempt: 1 });
    const { result: verdict, message, devices } = await resultOf(fleet);
    expect([verdict, message.startsWith("aborted: ")]).toEqual(["ERROR", true]);
    expect(deviceIn(devices, driveOf(host).identity.serial).tries).toHaveLength(1);
  });

  it("that crashes in the middle is followed by one that joins: nothing is sent twice", async () => {
    await fleet.close();
    fleet = await startFleet({ speed: 400 });
    const host = fleet.host("dell");
    host.script({ agent: { crashDuring: "erase_nvme" } });
    fleet.server.plan(eraseNvme);
    fleet.bootAgent(host);
    await until("the crash", () => host.counters.agentCrashes === 1);
    const sent = host.drives.map((drive) => drive.accepted.length);
    expect(sent.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
    fleet.server.plan({ ...eraseNvme, attempt: 2 });
    host.setOverride({ target: "Pxe", enabled: "Once", mode: "UEFI" });
    host.restartItself();
    const { result: verdict, devices } = await resultOf(fleet);
    expect(verdict).toBe("OK");
    expect(host.drives.map((drive) => drive.accepted.length)).toEqual([1, 1, 1]);
    const joined = devices.filter(({ tries }) => tries[0]?.command.includes("joined"));
    expect(joined).toHaveLength(sent.filter((count) => count > 0).length);
    expect(devices.map(({ verification }) => verification?.result)).toEqual(["passed", "passed", "passed"]);
    expect(host.drives.some((drive) => drive.holdsTenantData)).toBe(false);
  });

  it("that takes over after a lie erases anew instead of believing the status", async () => {
    const host = fleet.host("lenovo");
    for (const drive of host.drives) drive.faults.lieErase = true;
    host.script({ agent: { crashDuring: "erase_nvme" } });
    fleet.server.plan(eraseNvme);
    fleet.bootAgent(host);
    await until("the crash", () => host.counters.agentCrashes === 1);
    for (const drive of host.drives) drive.faults.lieErase = false;
    fleet.server.plan({ ...eraseNvme, attempt: 2 });
    fleet.bootAgent(host);
    const { result: verdict } = await resultOf(fleet);
    expect([verdict, host.drives.some((drive) => drive.holdsTenantData)]).toEqual(["OK", false]);
  });

  it.each([
    ["whose markers are still there", 8, false],
    ["that nothing on the drive can tell from one of last year", 0, true],
    ["where the markers cannot be read", 8, true],
  ])(
    "does not believe a sanitize %s, though the journal announced one: it erases once more",
    async (what, markersPerDevice, replaced) => {
      const host = fleet.host("dell");
      const drive = driveOf(host);
      if (!(drive instanceof NvmeDrive)) throw new Error("not NVMe");
      drive.sanitize(4);
      await until("the sanitize of last year", () => drive.lastErase().state === "completed");
      drive.fillWithTenantData();
      // Announced but never sent: the agent died in between.
      fleet.server.onProgress = () => ({ status: 200, abort: true });
      fleet.server.plan({ ...eraseNvme, erase: { markersPerDevice } });
      fleet.bootAgent(host);
      await resultOf(fleet);
      expect(fleet.server.journal.filter(({ event }) => event === "about-to-send").length).toBeGreaterThan(0);
      fleet.server.onProgress = () => ({ status: 200, abort: false });
      if (replaced) for (const content of drive.contents()) content.replace({ kind: "tenant", key: 7 });
      drive.faults.readErrors = what.includes("cannot be read");
      fleet.bootAgent(host);
      await until("the successor", () => fleet.server.registered.length === 2);
      fleet.server.plan({ ...eraseNvme, attempt: 2, erase: { markersPerDevice } });
      const body = await resultOf(fleet, 2);
      if (what.includes("cannot be read"))
        expect(deviceIn(body.devices, drive.identity.serial).result).toBe("ERROR");
      else
        expect([
          deviceIn(body.devices, drive.identity.serial).result,
          drive.holdsTenantData,
          drive.accepted.length,
        ]).toEqual(["OK", false, 2]);
    },
  );

  it("hears abort while an erase runs, waits for it, and begins no other", async () => {
    await fleet.close();
    fleet = await startFleet({ speed: 200 });
    fleet.server.heartbeatMs = 50;
    const host = fleet.host("dell");
    driveOf(host).faults.failErase = true;
    fleet.server.plan(eraseNvme);
    fleet.bootAgent(host);
    await until("the erase", () => host.erasing);
    fleet.server.onProgress = () => ({ status: 200, abort: true });
    const { result: verdict, message, devices } = await resultOf(fleet);
    expect([verdict, message.startsWith("aborted: ")]).toEqual(["ERROR", true]);
    expect(deviceIn(devices, driveOf(host).identity.serial).tries).toHaveLength(1);
    expect(host.erasing).toBe(false);
    expect(devices.filter((device) => device.result === "OK")).toHaveLength(2);
  });

  it("dies with the power of its host, and the erase goes on", async () => {
    await fleet.close();
    fleet = await startFleet({ speed: 200 });
    const host = fleet.host("dell");
    fleet.server.plan(eraseNvme);
    fleet.bootAgent(host);
    await until("the erase", () => host.erasing);
    host.reset("ForceOff");
    expect(host.counters).toMatchObject({ resetsDuringErase: 1 });
    const requests = fleet.server.requests.length;
    await until("the end of the erase", () => !host.erasing);
    expect(host.drives.some((drive) => drive.holdsTenantData)).toBe(false);
    expect(fleet.server.requests.length).toBe(requests);
    expect(fleet.server.results).toEqual([]);
  });

  it("restarts its host when told to, which then boots from disk", async () => {
    const host = fleet.host("lenovo");
    host.network = "admin";
    fleet.server.plan({ kind: "restart" });
    fleet.bootAgent(host);
    await until(
      "idle",
      () => host.running === "idle" && host.counters.powerActions.at(-1)?.action === "OsRestart",
    );
    expect(host.counters.agentStarts).toBe(1);
  });

  it.each([
    ["memoryOverwrite", { memoryOverwrite: { fails: true } }, "verify_mem_overwrite", "after 1 was written"],
    ["InfiniBand", { infiniband: { stuck: true } }, "reset_infiniband", "semaphore"],
  ] as const)("reports %s that does not work", async (_name, faults, step, text) => {
    const host = fleet.host("dell");
    host.script(faults);
    fleet.server.plan({ step });
    fleet.bootAgent(host);
    const body = await resultOf(fleet);
    expect([body.result, body.message]).toEqual(["ERROR", expect.stringContaining(text)]);
    await until("the log", () => fleet.server.logs.some((log) => log.includes(text)));
  });

  it("refuses a step that it does not have, and fails a test that it does not know", async () => {
    fleet.server.plan({ step: "wash" }, { kind: "validate", tests: ["wings"] });
    fleet.bootAgent(fleet.host("dell"));
    expect((await resultOf(fleet)).message).toContain("no step deploy.wash");
    const validated = await until("the validation", () => fleet.server.validated[0]);
    expect(validated.tests).toMatchObject([{ name: "wings", result: "failed" }]);
  });

  it.each([
    ["fewerDevices", 2],
    ["okWithoutDevices", 0],
  ] as const)("with the fault %s reports OK for %i of three devices", async (fault, count) => {
    const host = fleet.host("dell");
    host.script({ agent: { [fault]: true } });
    driveOf(host, 2).faults.failErase = true;
    fleet.server.plan(eraseNvme);
    fleet.bootAgent(host);
    const body = await resultOf(fleet);
    expect([body.result, body.devices.length]).toEqual(["OK", count]);
  });

  it.each([
    ["oldVersion", "0.0.1", "0"],
    ["newVersion", "99.0.0", "99"],
  ] as const)("of an %s says so", async (fault, agentVersion, managerVersion) => {
    const host = fleet.host("dell");
    host.script({ agent: { [fault]: true } });
    fleet.bootAgent(host);
    const registered = await until("the registration", () => fleet.server.registered[0]);
    expect([registered.agentVersion, registered.hardwareManagers[0]?.version]).toEqual([
      agentVersion,
      managerVersion,
    ]);
  });

  it("never registers where the fault says so, and boots from disk where no window is open", async () => {
    const mute = fleet.host("dell");
    mute.script({ agent: { neverRegister: true } });
    fleet.bootAgent(mute);
    await until("the image", () => mute.running === "agent");
    fleet.server.windowOpen = false;
    const closed = fleet.host("lenovo");
    fleet.bootAgent(closed);
    await until("the tenant's system", () => closed.counters.tenantBoots === 1);
    expect(fleet.server.registered).toEqual([]);
    expect(mute.counters.agentStarts).toBe(0);
  });
});
