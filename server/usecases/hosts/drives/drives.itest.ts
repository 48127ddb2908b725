// Drives on a real database: where each was as inventories changed, its results with their tries, and who may read it.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DriveDetail } from "@/server/contract/hosts/drives-answers";
import { result, tries } from "@/server/domain/cleaning/sanitization/testing/device-results";
import { tallyErases } from "@/server/db/drive-models";
import { getDrive } from "@/server/usecases/hosts/drives/get-drive";
import { findDrives, listDrives } from "@/server/usecases/hosts/drives/list-drives";
import { listDriveModels } from "@/server/usecases/hosts/drives/list-models";
import { nvme, reportHardware } from "@/server/usecases/testing/hardware";
import { addReclamation } from "@/server/usecases/testing/reclamations";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

let world: World;
let first = "";
let second = "";
let reclamation: { readonly id: string; readonly number: bigint };

const list = async (text: string, limit = 100, cursor: string | null = null) => {
  const found = await listDrives(world.backend, world.actor("operator"), { text, limit, cursor });
  if (!found.ok) throw new Error(found.problem.detail);
  return found.value;
};
const find = async (text: string, model?: string) => {
  const found = await findDrives(world.backend, world.actor("auditor"), { text, model });
  if (!found.ok) throw new Error(found.problem.detail);
  return found.value;
};
const read = async (serial: string, model: string): Promise<DriveDetail> => {
  const [{ id } = { id: randomUUID() }] = await find(serial, model);
  const found = await getDrive(world.backend, world.actor("auditor"), { id });
  if (!found.ok) throw new Error(found.problem.detail);
  return found.value;
};

/** An inventory from one source only, some minutes after the others. */
async function report(
  hostId: string,
  source: "agent" | "bmc",
  minute: number,
  storage: readonly object[],
): Promise<Date> {
  const content = { body: { storage: [...storage] }, collectedAt: new Date(2026, 10, 23, 8, minute) };
  await world.backend.database.hostInventory.upsert({
    where: { hostId_source: { hostId, source } },
    create: { hostId, source, ...content },
    update: content,
  });
  return content.collectedAt;
}

async function addResult(
  serial: string,
  model: string,
  report: object,
  again?: { readonly id: string },
): Promise<{ readonly id: string }> {
  const step =
    again ??
    (await world.backend.database.stepRun.create({
      data: {
        reclamationId: reclamation.id,
        hostId: first,
        planEpoch: 1,
        position: (await world.backend.database.stepRun.count()) + 1,
        interface: "deploy",
        step: "erase_nvme",
        where: "agent",
        priority: 0,
        prioritySource: "default",
        proves: [],
        maxAttempts: 2,
      },
    }));
  await world.backend.database.deviceResult.create({
    data: {
      reclamationId: reclamation.id,
      hostId: first,
      stepRunId: step.id,
      attempt: again === undefined ? 1 : 2,
      planEpoch: 1,
      serial,
      model,
      media: "nvme",
      technique: "nvme-sanitize-block",
      standard: "ieee-2883",
      level: "purge",
      techniqueTable: 1,
      verdict: "sanitized",
      reason: "purge is enough",
      report,
    },
  });
  return step;
}

beforeAll(async () => {
  world = await createWorld();
  first = await world.host("r1-h01");
  second = await world.host("r1-h02");
  reclamation = await addReclamation(world, first, { kind: "release" });
  await reportHardware(world, first, [
    nvme("S6XNNA0T4", { model: "PM9A3", firmware: "GDC55", slot: "bay 0" }),
    nvme("S6XNNA0T5", { model: "PM9A3", firmware: "GDC55" }),
  ]);
  await reportHardware(world, second, [nvme("S6XNNA0T4", { model: "P5510", firmware: "2CV1" })]);
});
afterAll(() => world.stop());

describe("search", () => {
  it("finds a drive by a part of its serial number, model and firmware, in any case and together", async () => {
    const serials = async (text: string) =>
      (await list(text)).rows.map(({ serial, model }) => [serial, model]);
    expect(await serials("xnna0T5")).toEqual([["S6XNNA0T5", "PM9A3"]]);
    expect(await serials("gdc55 0t4")).toEqual([["S6XNNA0T4", "PM9A3"]]);
    expect(await serials("p5510")).toEqual([["S6XNNA0T4", "P5510"]]);
    expect(await serials("100%")).toEqual([]);
  });
  it("gives pages, and counts with the first", async () => {
    const one = await list("", 2);
    expect(one).toMatchObject({ total: 3, rows: [{ model: "P5510" }, { model: "PM9A3" }] });
    const two = await list("", 2, one.nextCursor);
    expect(two).toMatchObject({ total: null, nextCursor: null, rows: [{ serial: "S6XNNA0T5" }] });
  });
  it("says where a drive is, and what its newest result was", async () => {
    await addResult("S6XNNA0T5", "PM9A3", result("S6XNNA0T5", { model: "PM9A3" }));
    expect((await list("0t5")).rows[0]).toMatchObject({
      stay: { host: { name: "r1-h01", gone: false }, slot: "bay 0", until: null },
      hosts: 1,
      erase: { verdict: "sanitized", technique: "nvme-sanitize-block", level: "purge" },
      disposition: null,
    });
  });
  it("tells drives of one serial number apart by their models", async () => {
    expect(await find("s6xnna0t4")).toMatchObject([{ model: "P5510" }, { model: "PM9A3" }]);
    expect((await read("S6XNNA0T4", "PM9A3")).twins).toMatchObject([{ model: "P5510" }]);
  });
});

describe("a drive", () => {
  it("shows its own results, each try with command, status and meaning, and what was passed over", async () => {
    const refused = tries("nvme-sanitize-block", {
      command: "/usr/sbin/nvme sanitize /dev/nvme0 --sanact=2",
      exitCode: 1,
      status: "NVMe status: Invalid Field in Command(0x2)",
      code: { bus: "nvme", sct: 0, sc: 2 },
      completed: false,
    });
    await addResult(
      "S6XNNA0T4",
      "PM9A3",
      result("S6XNNA0T4", {
        model: "PM9A3",
        firmware: "GDC54",
        tries: [...refused, ...tries("nvme-sanitize-crypto")],
        passedOver: [{ technique: "nvme-sanitize-overwrite", why: "not in SANICAP 3h" }],
      }),
    );
    const { erases, erasesTotal } = await read("S6XNNA0T4", "PM9A3");
    expect(erasesTotal).toBe(1);
    expect(erases).toMatchObject([
      {
        host: { id: first, name: "r1-h01" },
        reclamation: { number: `R-${reclamation.number}` },
        step: "deploy.erase_nvme",
        techniqueTable: 1,
        level: "purge",
        firmware: "GDC54",
        verification: "16 of 16 markers gone, 0 of 1,000 samples as before",
        tries: [
          { completed: false, exitCode: 1, code: expect.stringContaining("2h"), refused: expect.any(String) },
          { completed: true, refused: null, code: null },
        ],
        passedOver: [{ technique: "nvme-sanitize-overwrite", why: "not in SANICAP 3h" }],
      },
    ]);
    expect((await read("S6XNNA0T4", "P5510")).erasesTotal).toBe(0);
  });
  it("shows the failures that name it, and not those of its twin", async () => {
    const cause = {
      key: "driveMissing",
      device: { kind: "drive", serial: "S6XNNA0T4", model: "PM9A3" },
      raw: "x",
    };
    await world.backend.database.stateHistory.create({
      data: { hostId: first, version: 7, state: "Failed/DeviceMissing", generation: 1, causes: [cause] },
    });
    expect((await read("S6XNNA0T4", "PM9A3")).failures).toMatchObject([
      {
        host: { name: "r1-h01" },
        state: "Failed/DeviceMissing",
        words: expect.stringContaining("S6XNNA0T4"),
      },
    ]);
    expect((await read("S6XNNA0T4", "P5510")).failures).toEqual([]);
  });
  it("shows what was stated of it, and what is owed for it", async () => {
    const { database } = world.backend;
    await database.driveDisposition.create({
      data: {
        hostId: first,
        chassisSerial: "SN-r1-h01",
        key: "S6XNNA0T4",
        model: "PM9A3",
        kind: "removed-destroyed",
        reason: "shredded",
        byName: "Ada",
      },
    });
    await database.debt.create({ data: { chassisSerial: "SN-r1-h01", driveSerials: ["S6XNNA0T4"] } });
    const drive = await read("S6XNNA0T4", "PM9A3");
    expect(drive.dispositions).toMatchObject([
      { words: "removed and destroyed", reason: "shredded", by: "Ada", withdrawn: null },
    ]);
    expect(drive.debts).toMatchObject([{ chassisSerial: "SN-r1-h01" }]);
    expect((await read("S6XNNA0T4", "P5510")).dispositions).toEqual([]);
  });
  it("moves: it was in one host until an inventory lacks it, and is in the other since", async () => {
    await reportHardware(world, first, [nvme("S6XNNA0T4", { model: "PM9A3" })]);
    await reportHardware(world, second, [
      nvme("S6XNNA0T5", { model: "PM9A3", slot: "bay 7", firmware: "GDC56" }),
    ]);
    const moved = await read("S6XNNA0T5", "PM9A3");
    expect(moved).toMatchObject({
      firmware: "GDC56",
      stays: [
        { host: { name: "r1-h02" }, slot: "bay 7", until: null, readAt: expect.any(Date) },
        { host: { name: "r1-h01" }, until: expect.any(Date), readAt: null },
      ],
    });
    expect((await read("S6XNNA0T4", "PM9A3")).firmware).toBe("GDC55");
  });
  it("keeps its story when its host is gone, and is known by a result alone", async () => {
    await world.backend.database.host.delete({ where: { id: second } });
    expect((await read("S6XNNA0T5", "PM9A3")).stays[0]).toMatchObject({
      host: { id: second, gone: true },
      until: expect.any(Date),
    });
    await addResult("ONLY-RESULT", "M", { unreadable: true });
    expect(await read("only-result", "M")).toMatchObject({
      stays: [],
      erases: [{ readable: false, tries: [], passedOver: [] }],
    });
  });
});

describe("what two sources tell", () => {
  const [serial, model] = ["S7BOTH", "PM9A3"];
  const drive = { serial, model, media: "nvme" };
  let third = "";
  beforeAll(async () => void (third = await world.host("r1-h03")));

  it("is taken member by member: the slot from the BMC, the firmware as it was read last", async () => {
    const placed = { ...drive, slot: "bay 1", manufacturer: "Samsung", wwn: "eui.1", firmware: "F1" };
    await report(third, "bmc", 0, [placed]);
    await report(third, "agent", 1, [{ ...drive, slot: "nvme0", firmware: "F1" }]);
    const told = { manufacturer: "Samsung", wwn: "eui.1", firmware: "F1" };
    expect(await read(serial, model)).toMatchObject({ ...told, stays: [{ slot: "bay 1" }] });
    await report(third, "bmc", 2, [{ ...placed, slot: "bay 2", firmware: "F2" }]);
    expect(await read(serial, model)).toMatchObject({ firmware: "F2", stays: [{ slot: "bay 2" }] });
    await report(third, "agent", 3, [{ ...drive, firmware: "F3" }]);
    expect(await read(serial, model)).toMatchObject({ firmware: "F3", stays: [{ slot: "bay 2" }] });
  });
  it("is of the newest reading where two hosts list the drive, whichever was read into the record last", async () => {
    const two = { ...drive, serial: "S7TWO" };
    const fourth = await world.host("r1-h04");
    await report(third, "agent", 10, [{ ...two, firmware: "OLD" }]);
    await report(fourth, "agent", 20, [{ ...two, firmware: "NEW" }]);
    await report(third, "agent", 15, [{ ...two, firmware: "OLD" }, drive]);
    expect(await read("S7TWO", model)).toMatchObject({ firmware: "NEW" });
    expect((await list("S7TWO")).rows).toMatchObject([{ firmware: "NEW" }]);
    await report(third, "bmc", 30, [two, drive]);
    expect(await read("S7TWO", model)).toMatchObject({ firmware: "NEW" });
    await report(third, "bmc", 31, [{ ...two, firmware: "NEWEST" }, drive]);
    expect(await read("S7TWO", model)).toMatchObject({ firmware: "NEWEST" });
    await report(third, "bmc", 2, [drive]);
    await report(third, "agent", 3, [drive]);
  });
  it("is as old as the newest reading that lists the drive, and a newer one without it is named", async () => {
    const listed = await report(third, "agent", 4, [drive]);
    const lacking = await report(third, "bmc", 5, [{ ...drive, model: "P5510" }]);
    const stay = { until: null, readAt: listed, lackedAt: lacking };
    expect((await read(serial, model)).stays).toMatchObject([stay]);
    expect((await list(serial)).rows).toMatchObject([{ model: "P5510" }, { model, stay }]);
    const again = await report(third, "agent", 6, [drive]);
    expect((await read(serial, model)).stays).toMatchObject([{ readAt: again, lackedAt: null }]);
  });
});

describe("more than is shown", () => {
  it("of a twin's failures hides none of its own, and is said", async () => {
    const causes = [{ key: "ofNewer", device: { kind: "drive", serial: "S6XNNA0T4", model: "P5510" } }];
    await world.backend.database.stateHistory.createMany({
      data: Array.from({ length: 51 }, (_, n) => ({
        hostId: first,
        version: 100 + n,
        state: "Failed/DeviceMissing",
        generation: 1,
        causes,
      })),
    });
    const own = await read("S6XNNA0T4", "PM9A3");
    expect([own.failures.length, own.moreFailures]).toEqual([1, false]);
    const twin = await read("S6XNNA0T4", "P5510");
    expect([twin.failures.length, twin.moreFailures]).toEqual([50, true]);
    expect(twin.failures[0]?.words).toBe("This version cannot read the cause.");
  });
  it("of the hosts that it was in is said", async () => {
    await world.backend.database.$executeRaw`INSERT INTO drive_stay (drive_id, host_id, from_at, until_at)
      SELECT d.id, ${first}::uuid, now(), now() FROM drive d, generate_series(1, 201) WHERE d.serial = 'ONLY-RESULT'`;
    const drive = await read("ONLY-RESULT", "M");
    expect([drive.stays.length, drive.moreStays]).toEqual([200, true]);
    expect((await read("S6XNNA0T4", "PM9A3")).moreStays).toBe(false);
  });
  it("of drives of one serial number hides neither that of the model nor that of the very letters", async () => {
    await world.backend.database.$executeRaw`INSERT INTO drive (serial, model, search)
      SELECT s, 'M' || n, '' FROM (VALUES ('FEW', 21), ('few', 1), ('low', 20), ('LOW', 1)) v (s, many), generate_series(1, many) n`;
    expect(await find("few", "M9")).toMatchObject([{ serial: "FEW", model: "M9" }]);
    expect(await find("few")).toMatchObject([{ serial: "few" }]);
    expect(await find("LOW")).toMatchObject([{ serial: "LOW" }]);
    expect(await find("Low")).toHaveLength(20);
  });
});

it("is nothing that a tenant may read", async () => {
  const { id } = await read("S6XNNA0T4", "PM9A3");
  const tenant = world.actor("tenant-admin");
  const refused = { ok: false, problem: { code: "forbidden" } };
  expect(await listDrives(world.backend, tenant, { text: "", cursor: null, limit: 5 })).toMatchObject(
    refused,
  );
  expect(await findDrives(world.backend, tenant, { text: "S6XNNA0T4" })).toMatchObject(refused);
  expect(await getDrive(world.backend, tenant, { id })).toMatchObject(refused);
});

describe("drive models", () => {
  const models = async (text = "", role: "operator" | "auditor" = "auditor") => {
    const found = await listDriveModels(world.backend, world.actor(role), { text, limit: 100, cursor: null });
    if (!found.ok) throw new Error(found.problem.detail);
    return found.value.rows;
  };
  const four = { startedAt: "2026-11-01T00:00:00.000Z", endedAt: "2026-11-01T00:04:00.000Z" };
  const sanitized = (serial: string, changes: object = {}) =>
    addResult(
      serial,
      "T1000",
      result(serial, {
        ...{ model: "T1000", firmware: "A1", technique: "nvme-sanitize-block" },
        tries: tries("nvme-sanitize-block", four),
        ...changes,
      }),
    );
  const probe = (remnants: number) =>
    world.backend.database.driveProbe.create({
      data: {
        ...{ reclamationId: reclamation.id, hostId: second, bootEpoch: 2, serial: "T-1", model: "T1000" },
        ...{ firmware: "A1", technique: "nvme-sanitize-block", places: 256, remnants },
      },
    });

  it("count an erase once that a later attempt reports again, and what that attempt erased itself", async () => {
    const { database } = world.backend;
    const of = (serial: string, startedAt: string) =>
      result(serial, { model: "R1", tries: tries("nvme-sanitize-block", { ...four, startedAt }) });
    const [early, late] = [four.startedAt, "2026-11-01T00:02:00.000Z"];
    const step = await addResult("R-1", "R1", of("R-1", early));
    await tallyErases(database);
    await addResult("R-1", "R1", of("R-1", early), step);
    await tallyErases(database);
    expect(await models("r1 block")).toMatchObject([{ runs: 1 }]);
    await addResult("R-1", "R1", of("R-1", late), step);
    await addResult("R-2", "R1", of("R-2", early), step);
    await addResult("R-1", "R1", of("R-1", early));
    await tallyErases(database);
    expect(await models("r1 block")).toMatchObject([{ runs: 4, completed: 4 }]);
  });

  it("leave what this release cannot read to another, for a month", async () => {
    const { database } = world.backend;
    await addResult("NEWER", "N1", { tries: "of another release" });
    await addResult("NEWER-2", "N1", result("NEWER-2", { model: "N1" }));
    const marks = async () =>
      (await database.deviceResult.findMany({ where: { model: "N1" }, orderBy: { id: "asc" } })).map(
        ({ tallied }) => tallied,
      );
    await tallyErases(database);
    expect(await marks()).toEqual([false, true]);
    await database.deviceResult.updateMany({ where: { model: "N1" }, data: { at: new Date(2026, 0, 1) } });
    await tallyErases(database);
    expect(await marks()).toEqual([true, true]);
    expect(await models("n1")).toMatchObject([{ runs: 1 }]);
  });

  it("count a probe of which no place could be read as none", async () => {
    await world.backend.database.driveProbe.create({
      data: {
        ...{ reclamationId: reclamation.id, hostId: second, bootEpoch: 2, serial: "Z-1", model: "Z1" },
        ...{ firmware: "A1", technique: "nvme-sanitize-block", places: 0, remnants: 0 },
      },
    });
    await tallyErases(world.backend.database);
    expect(await models("z1")).toEqual([]);
  });

  it("add up each result and each probe once, and keep that when the records are gone", async () => {
    for (const serial of ["T-1", "T-2", "T-3"]) await sanitized(serial);
    await sanitized("T-4", {
      ...{ result: "ERROR", problem: "hangs" },
      tries: tries("nvme-sanitize-block", { ...four, completed: false }),
    });
    await sanitized("T-5", { tries: tries("nvme-sanitize-crypto", { exitCode: 1, completed: false }) });
    await Promise.all([tallyErases(world.backend.database), tallyErases(world.backend.database)]);
    await tallyErases(world.backend.database);
    const row = { model: "T1000", firmware: "A1", technique: "nvme-sanitize-block", media: "nvme" };
    expect(await models("t1000")).toMatchObject([
      {
        ...{ ...row, hosts: 1, runs: 4, completed: 3, stalls: 1, lies: 0, canaries: 0, bound: null },
        ...{ halfMs: 240_000, mostMs: 240_000, longestMs: 240_000 },
      },
    ]);
    await probe(0);
    await probe(0);
    await tallyErases(world.backend.database);
    const [found] = await models("t1000 a1 block");
    expect(found).toMatchObject({ ...row, hosts: 2, runs: 4, probed: 2, canaries: 512, remnants: 0 });
    expect(found?.bound).toBeCloseTo(3 / 512, 3);
    await probe(2);
    await world.backend.database.deviceResult.deleteMany({ where: { model: "T1000" } });
    await tallyErases(world.backend.database);
    expect(await models("t1000")).toMatchObject([
      { runs: 4, probed: 3, refuted: 1, canaries: 768, remnants: 2, lies: 1 },
    ]);
    expect(await models("no such model")).toEqual([]);
  });
});
