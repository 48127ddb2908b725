// Steps of a Dell BMC against a simulated one: jobs and lockdown.
import { describe, expect, it } from "vitest";
import { noPlatformFacts, type PlatformBaseline } from "@/server/domain/hosts/inventory/platform";
import { sentTask } from "@/server/hardware/redfish/steps/tasks";
import { done, error, failed } from "@/server/simulator/testing/outcomes";
import { stepBench } from "@/server/simulator/testing/step-bench";

const bench = stepBench();
const { on } = bench;

describe("jobs of a Dell BMC", () => {
  const baseline: PlatformBaseline = { bios: { LogicalProc: "Disabled" } };

  it("that fail end the step with the BMC's words, and the next try goes well", async () => {
    const worker = await on("dell");
    worker.host.script({ jobs: { fails: 1 } });
    expect(await worker.run("bios.recommit", { baseline })).toMatchObject(
      failed(/Configure: BIOS.Setup.1-1: Exception: Job failed/),
    );
    expect(await worker.run("bios.recommit", { baseline })).toMatchObject(done(/^in effect after/));
  });

  it("that hang are under way for ever", async () => {
    const worker = await on("dell");
    worker.host.script({ jobs: { hangs: true } });
    expect(await worker.run("bios.recommit", { baseline })).toMatchObject({
      ok: true,
      value: { kind: "running", percent: 1 },
    });
  });

  it("that hang are waited for by a later step, and deleted when they do not end", async () => {
    const worker = await on("dell");
    worker.host.network = "admin";
    worker.host.tpmOwned = true;
    worker.host.script({ jobs: { hangs: true } });
    expect(await worker.run("management.clear_tpm", { baseline: {} })).toMatchObject({
      ok: true,
      value: { kind: "running" },
    });
    worker.host.script({ jobs: null });
    worker.changes();
    const joined = await worker.begin("management.clear_tpm", { baseline: {} });
    expect(joined).toMatchObject({
      ok: true,
      value: { kind: "running", message: expect.stringContaining("of an earlier attempt still runs") },
    });
    if (!joined.ok || joined.value.kind !== "running") throw new Error("it did not join");
    const { task, sentAt } = sentTask.parse(joined.value.handle);
    const earlier = (ageMs: number) => ({ task, sentAt: sentAt - ageMs, earlier: true });
    expect(await worker.check("management.clear_tpm", earlier(0))).toMatchObject({
      ok: true,
      value: { kind: "running" },
    });
    expect(worker.changes()).toEqual([]);
    expect(await worker.check("management.clear_tpm", earlier(2 * 60_000))).toMatchObject({
      ok: true,
      value: { kind: "restart" },
    });
    expect(worker.changes()).toEqual([
      expect.stringMatching(/DeleteJobQueue$/),
      expect.stringMatching(/^PATCH .*Settings$/),
    ]);
    expect(await worker.run("management.clear_tpm", { baseline: {} })).toMatchObject(
      done(/^the TPM was cleared at the restart/),
    );
    expect(worker.host.tpmOwned).toBe(false);
  });

  it("that ended meanwhile are not deleted", async () => {
    const worker = await on("dell");
    worker.host.network = "admin";
    worker.host.script({ jobs: { hangs: true } });
    await worker.run("bios.apply_configuration", {
      args: { settings: [{ name: "LogicalProc", value: "Disabled" }] },
    });
    worker.host.script({ jobs: null });
    const joined = await worker.begin("management.clear_tpm", { baseline: {} });
    if (!joined.ok || joined.value.kind !== "running") throw new Error("it did not join");
    for (const job of worker.host.platform.jobs.list()) job.state = "completed";
    worker.changes();
    expect(await worker.check("management.clear_tpm", joined.value.handle)).toMatchObject({
      ok: true,
      value: { kind: "restart" },
    });
    expect(worker.changes()).toEqual([expect.stringMatching(/^PATCH .*Settings$/)]);
  });

  it("that wait are deleted; none is not worth a request", async () => {
    const worker = await on("dell");
    expect(await worker.run("management.clear_job_queue")).toMatchObject(done(/^no job waits$/));
    expect(worker.changes()).toEqual([]);
    await worker.begin("bios.recommit", { baseline });
    expect(await worker.run("management.clear_job_queue")).toMatchObject(done(/^deleted JID_/));
    expect(worker.host.platform.jobs.list()).toEqual([]);
  });
});

describe("lockdown of a Dell BMC", () => {
  it("is switched on, read back, and left alone when it is on", async () => {
    const worker = await on("dell");
    expect(await worker.run("management.lock_bmc", { baseline: { lockdown: true } })).toMatchObject(
      done(/was switched on and reads Enabled/),
    );
    worker.changes();
    expect(await worker.run("management.lock_bmc", { baseline: { lockdown: true } })).toMatchObject(
      done(/reads Enabled already/),
    );
    expect(worker.changes()).toEqual([]);
  });

  it("that does not come on is a failure", async () => {
    const worker = await on("dell");
    worker.host.script({ bmc: { mode: "acceptAndIgnore" } });
    expect(await worker.run("management.lock_bmc", { baseline: { lockdown: true } })).toMatchObject(
      failed(/but it reads Disabled/),
    );
  });

  it("is opened for a change where the SKU wants it on, and nobody else's lock is", async () => {
    const worker = await on("dell");
    await worker.run("management.lock_bmc", { baseline: { lockdown: true } });
    expect(
      await worker.run("bios.recommit", { baseline: { bios: { LogicalProc: "Disabled" } } }),
    ).toMatchObject(error("refused", /the BMC is locked down/));
    expect(worker.changes()).toEqual([]);
    expect(
      await worker.run("bios.recommit", { baseline: { bios: { LogicalProc: "Disabled" }, lockdown: true } }),
    ).toMatchObject(done(/^in effect after/));
    expect(worker.host.platform.attributes).toEqual({ "Lockdown.1.SystemLockdown": "Disabled" });
    // The BMC itself is asked, not what was known about it before.
    await worker.run("management.lock_bmc", { baseline: { lockdown: true } });
    expect(
      await worker.run("bios.recommit", {
        baseline: { bios: { LogicalProc: "Enabled" }, lockdown: true },
        platform: noPlatformFacts,
      }),
    ).toMatchObject(done(/^in effect after/));
  });
});
