// Steps of RAID controllers and Dell's BOSS card against a simulated BMC that has both.
import { z } from "zod";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { judgeStep } from "@/server/domain/cleaning/sanitization/judge";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { sentTask } from "@/server/hardware/redfish/steps/tasks";
import { startFleet, type TestFleet } from "@/server/simulator/testing/fleet";
import { bossId, kindsWithRaid, raidId } from "@/server/simulator/testing/raid-machine";
import { done, error, failed } from "@/server/simulator/testing/outcomes";
import { workerOn, type Worker } from "@/server/simulator/testing/steps";

const kinds = kindsWithRaid();
let fleet: TestFleet;
let worker: Worker;

beforeEach(async () => {
  fleet = await startFleet({ kinds });
  fleet.server.windowOpen = false;
  worker = await workerOn(fleet, fleet.host("generic"), "idrac");
});
afterEach(async () => {
  await worker.close();
  await fleet.close();
});
const posts = () => worker.changes().filter((line) => line.startsWith("POST"));

describe("a BOSS card", () => {
  it("is erased by its controller, with a result for each drive that no reading back supports", async () => {
    const result = await worker.run("raid.secure_erase_boss");
    expect(result).toMatchObject(done(/^Configure: BOSS.SL.14-1: Completed/));
    expect(posts()).toEqual([
      `POST /redfish/v1/Systems/node/Storage/${bossId}/Actions/Oem/DellStorage.ControllerDrivesDecommission`,
    ]);
    const devices = result.ok && result.value.kind === "done" ? result.value.devices : [];
    expect(devices.map(({ serial, technique, result: end }) => [serial, technique, end])).toEqual([
      [`${bossId}-0`, "dell-boss-decommission", "OK"],
      [`${bossId}-1`, "dell-boss-decommission", "OK"],
    ]);
    const expected = devices.map(({ serial, model, media, transport, capacityBytes }) => ({
      serial,
      model,
      media,
      transport,
      capacityBytes,
      removable: false,
    }));
    const verdict = judgeStep(
      expected,
      { attempt: 1, result: "OK", message: "", devices: [...devices], journal: [] },
      defaultPolicy().sanitization,
    );
    expect(verdict.ok).toBe(false);
    expect(verdict.message).toContain("could not be sampled");
  });

  it("gets VD_0 again, once", async () => {
    expect(await worker.run("raid.create_boss_volume")).toMatchObject(done(/^VD_0 is there, RAID1$/));
    expect(posts()).toEqual([]);
    await worker.run("raid.secure_erase_boss");
    worker.changes();
    expect(await worker.run("raid.create_boss_volume")).toMatchObject(done(/^VD_0 is there, RAID1$/));
    expect(posts()).toHaveLength(1);
  });

  it("whose job fails tells so, and the next try goes well", async () => {
    worker.host.script({ jobs: { fails: 1 } });
    expect(await worker.run("raid.secure_erase_boss")).toMatchObject(
      failed(/Configure: BOSS.SL.14-1: Exception: Job failed/),
    );
    expect(await worker.run("raid.secure_erase_boss")).toMatchObject(done(/./));
  });

  it("whose job is gone has proved nothing, when it has had its time to appear", async () => {
    const begun = await worker.begin("raid.secure_erase_boss");
    if (!begun.ok || begun.value.kind !== "running") throw new Error("it did not begin");
    worker.host.platform.jobs.clear();
    const { task, sentAt } = sentTask.parse(begun.value.handle);
    expect(await worker.check("raid.secure_erase_boss", { task, sentAt })).toMatchObject({
      ok: true,
      value: { kind: "running" },
    });
    expect(await worker.check("raid.secure_erase_boss", { task, sentAt: sentAt - 6 * 60_000 })).toMatchObject(
      error("refused", /is not there: it is unknown whether the drives are erased/),
    );
  });

  it("that accepts without a job has proved nothing", async () => {
    worker.host.script({ bmc: { mode: "acceptAndIgnore" } });
    expect(await worker.run("raid.secure_erase_boss")).toMatchObject(
      error("refused", /accepted without a job/),
    );
  });

  it("is not touched without a permit", async () => {
    expect(await worker.run("raid.secure_erase_boss", { permit: async () => false })).toMatchObject({
      ok: false,
      error: { kind: "refused" },
    });
    expect(posts()).toEqual([]);
  });
});

describe("an order whose answer was lost", () => {
  it.each(["raid.secure_erase_boss", "raid.create_configuration", "raid.delete_configuration"])(
    "%s joins the job that runs, and sends nothing",
    async (step) => {
      worker.host.script({ jobs: { hangs: true } });
      expect(await worker.begin(step)).toMatchObject({ ok: true, value: { kind: "running" } });
      expect(worker.changes()).toHaveLength(1);
      expect(await worker.begin(step)).toMatchObject({
        ok: true,
        value: { kind: "running", message: expect.stringContaining("has a job already") },
      });
      expect(worker.changes()).toEqual([]);
    },
  );

  it("raid.secure_erase_drives leaves a drive alone that is being erased", async () => {
    worker.host.script({ jobs: { hangs: true } });
    await worker.begin("raid.secure_erase_drives");
    worker.changes();
    expect(await worker.begin("raid.secure_erase_drives")).toMatchObject({
      ok: false,
      error: { kind: "refused", message: expect.stringMatching(/drive RAID.Slot.3-1-0 is busy with Erase/) },
    });
    expect(worker.changes()).toEqual([]);
  });
});

const handleOf = z.looseObject({
  drives: z.array(
    z.object({
      ...{ task: z.string(), sentAt: z.number(), serial: z.string(), startTime: z.string().nullable() },
    }),
  ),
  lastReset: z.string().nullable(),
});

describe("drives behind a RAID controller", () => {
  const serials = [0, 1, 2, 3, 4].map((bay) => `${raidId}-${bay}`);

  it("are erased by the BMC, all or those named", async () => {
    const all = await worker.run("raid.secure_erase_drives");
    expect(
      all.ok &&
        all.value.kind === "done" &&
        all.value.devices.map(({ serial, technique }) => [serial, technique]),
    ).toEqual(serials.map((serial) => [serial, "redfish-drive-secure-erase"]));
    worker.changes();
    expect(
      await worker.run("raid.secure_erase_drives", { args: { devices: [`${raidId}-3`] } }),
    ).toMatchObject(done(/^erased RAID.Slot.3-1-3$/));
    expect(posts()).toHaveLength(1);
    expect(await worker.run("raid.secure_erase_drives", { args: { devices: ["X"] } })).toMatchObject(
      failed(/none of the named drives/),
    );
  });

  it("are not taken as erased by another task at the path of theirs", async () => {
    worker.host.script({ jobs: { hangs: true } });
    const begun = await worker.begin("raid.secure_erase_drives");
    if (!begun.ok || begun.value.kind !== "running") throw new Error(JSON.stringify(begun));
    const looked = await worker.check("raid.secure_erase_drives", begun.value.handle);
    if (!looked.ok || looked.value.kind !== "running") throw new Error(JSON.stringify(looked));
    const { drives, ...rest } = handleOf.parse(looked.value.handle);
    expect(drives.every(({ startTime }) => startTime !== null)).toBe(true);
    const other = drives.map((drive) => ({ ...drive, startTime: "2026-01-01T00:00:00Z" }));
    expect(await worker.check("raid.secure_erase_drives", { ...rest, drives: other })).toMatchObject({
      ok: false,
      error: { kind: "refused", message: expect.stringContaining("another task than before") },
    });
  });

  it("of which one failed are a failure that names it", async () => {
    worker.host.script({ jobs: { fails: 1 } });
    expect(await worker.run("raid.secure_erase_drives")).toMatchObject(
      failed(/^RAID.Slot.3-1-0: SecureErase: RAID.Slot.3-1-0: Exception/),
    );
  });

  it("whose permit ends half-way are left where they are", async () => {
    let permits = 2;
    expect(await worker.run("raid.secure_erase_drives", { permit: async () => permits-- > 0 })).toMatchObject(
      { ok: false, error: { kind: "refused" } },
    );
    expect(posts()).toHaveLength(2);
  });
});

describe("volumes of a RAID controller", () => {
  it("are deleted, and none is not worth a request", async () => {
    expect(await worker.run("raid.delete_configuration")).toMatchObject(done(/^1 volumes were deleted$/));
    worker.changes();
    expect(await worker.run("raid.delete_configuration")).toMatchObject(done(/has no volumes/));
    expect(worker.changes()).toEqual([]);
  });

  it("that answer and stay are a failure", async () => {
    worker.host.script({ bmc: { mode: "acceptAndIgnore" } });
    expect(await worker.run("raid.delete_configuration")).toMatchObject(failed(/^still there: old$/));
  });

  it("are made beside what is there, one after the other", async () => {
    expect(await worker.run("raid.create_configuration")).toMatchObject(
      done(/has old \(RAID1\), root \(RAID1\), data \(RAID0\)$/),
    );
    expect(worker.changes()).toHaveLength(2);
    expect(await worker.run("raid.create_configuration")).toMatchObject(done(/has old/));
    expect(worker.changes()).toEqual([]);
  });

  it("are made anew after a deletion, at the level that survives a drive", async () => {
    expect(await worker.run("raid.create_configuration", { args: { delete_existing: true } })).toMatchObject(
      done(/has root \(RAID1\), data \(RAID5\)$/),
    );
  });

  it("are made as far as asked for", async () => {
    expect(
      await worker.run("raid.create_configuration", {
        args: { delete_existing: true, create_nonroot_volumes: false },
      }),
    ).toMatchObject(done(/has root \(RAID1\)$/));
  });

  it("whose job fails end the step", async () => {
    worker.host.script({ jobs: { fails: 1 } });
    expect(await worker.run("raid.create_configuration")).toMatchObject(
      failed(/Configure: RAID.Slot.3-1: Exception/),
    );
  });
});
