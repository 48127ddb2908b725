// NVMe drives with state and bytes that answer the real tool code: what a good one does, and every way in which a bad one must not pass.
import { describe, expect, it } from "vitest";
import type { JournalEvent } from "@/agent/steps/results";
import { eraseNvme } from "@/agent/steps/erase-nvme/erase-nvme";
import { only } from "@/agent/testing/one-drive";
import { Bench } from "@/agent/tools/machine/testing/drives/bench";
import {
  NvmeDrive,
  type NvmeFaults,
  type NvmeOptions,
} from "@/agent/tools/machine/testing/drives/nvme-drive";
import type { Technique } from "@/server/domain/cleaning/sanitization/techniques";

const all: readonly Technique[] = [
  "nvme-sanitize-crypto",
  "nvme-sanitize-block",
  "nvme-sanitize-overwrite",
  "nvme-format-user-data",
];
const techniquesOf = (nvme: readonly Technique[]) => ({
  techniques: { nvme: [...nvme], ssd: [], hdd: [], "raid-kit": [] },
});
const managed = 0x10a;
const plain = 0x2;

function benchWith(options: Partial<NvmeOptions> = {}, faults: NvmeFaults = {}) {
  const bench = new Bench();
  const name = "nvme0";
  const drive = bench.add(new NvmeDrive({ name, serial: "REAL1", now: bench.now, sanicap: 7, ...options }));
  Object.assign(drive.faults, faults);
  return { bench, drive };
}
const erase = (
  bench: Bench,
  techniques: readonly Technique[] = all,
  more: Parameters<Bench["erase"]>[2] = {},
  told: JournalEvent[] = [],
) => bench.erase(eraseNvme, techniquesOf(techniques), more, told);

describe("a drive that is locked by its own encryption", () => {
  const denied =
    "NVMe status: Access Denied: Access to the namespace and/or LBA range is denied due to lack of access rights(0x4286)\n";
  const denying = (refused: RegExp) => {
    const { bench, drive } = benchWith();
    const run = drive.run.bind(drive);
    // It does nothing of what it refuses.
    drive.run = (program, args) => (refused.test([program, ...args].join(" ")) ? {} : run(program, args));
    bench.spoil = (ran) =>
      refused.test(ran.command) ? { ...ran, exitCode: 1, stdout: new Uint8Array(), stderr: denied } : ran;
    return bench;
  };

  it("is said to be locked if it denies every erase", async () => {
    const device = only(await erase(denying(/ (sanitize|format) /)));
    expect(device).toMatchObject({ result: "ERROR", problem: "locked" });
    expect(device.tries.map(({ code }) => code)).toEqual(all.map(() => ({ bus: "nvme", sct: 2, sc: 0x86 })));
  });

  it("is not, if it denies some and fails others", async () => {
    const bench = denying(/ sanitize /);
    const spoil = bench.spoil;
    bench.spoil = (ran) =>
      / format /.test(ran.command)
        ? { ...ran, exitCode: 1, stdout: new Uint8Array(), stderr: "NVMe status: Internal Error(0x6006)\n" }
        : (spoil?.(ran) ?? ran);
    const device = only(await erase(bench));
    expect(device.result).toBe("ERROR");
    expect(device.problem).toBeUndefined();
  });
});

describe("a drive as its standard has it", () => {
  it.each([
    [{ sanicap: 1 }, "nvme-sanitize-crypto", "sanitize /dev/nvme0 --sanact=4"],
    [{ sanicap: 2 }, "nvme-sanitize-block", "sanitize /dev/nvme0 --sanact=2"],
    [{ sanicap: 4 }, "nvme-sanitize-overwrite", "sanitize /dev/nvme0 --sanact=3"],
    [{ sanicap: 0, oacs: plain }, "nvme-format-user-data", "format /dev/nvme0 -n 1 -s 1"],
  ] as const)("%o is erased by %s, and read back", async (options, technique, command) => {
    const { bench, drive } = benchWith({ ...options, oacs: plain });
    const device = only(await erase(bench));
    expect(device).toMatchObject({ result: "OK", technique, verification: { result: "passed" } });
    expect(device.tries[0]?.command).toContain(command);
    expect(drive.tenantBlocks).toBe(0);
  });

  it("tells its progress by the clock, and takes its time", async () => {
    const { bench } = benchWith({ durationMs: 3_600_000 });
    const before = bench.now();
    expect(only(await erase(bench, ["nvme-sanitize-block"])).tries[0]?.status).toContain("SPROG ffffh");
    expect(bench.now() - before).toBeGreaterThanOrEqual(3_600_000);
  });

  it("attaches what is detached, and finds each namespace by its id where names have another order", async () => {
    const namespaces = new Map([
      [1, 3000],
      [6, 2000],
      [3, -1000],
    ]);
    const { bench, drive } = benchWith({ namespaces, sanicap: 0, oacs: plain });
    const { outcome } = await erase(bench);
    expect([...drive.blockDevices.keys()]).toEqual(["/dev/nvme0n1", "/dev/nvme0n2", "/dev/nvme0n3"]);
    expect(outcome).toMatchObject({ result: "OK" });
    expect(bench.commands.filter((command) => / format /.test(command))).toHaveLength(3);
    expect(drive.tenantBlocks).toBe(0);
  });

  it("is made one namespace of full capacity only after its erase was read back", async () => {
    const { bench, drive } = benchWith({ oacs: managed });
    expect((await erase(bench)).outcome.result).toBe("OK");
    const order = bench.commands.map((command) => command.split(" ")[1]).join(" ");
    expect(order).toMatch(/sanitize .*sanitize-log .*delete-ns .*create-ns attach-ns/);
    expect([...drive.namespaces.keys()]).toEqual([1]);
    expect(drive.namespaces.get(1)?.medium.blocks).toBe(8192);
  });
});

describe("a drive that must not pass", () => {
  it.each<[string, Partial<NvmeOptions>, NvmeFaults, readonly Technique[], RegExp]>([
    ["lies about a sanitize", {}, { lies: true }, all, /samples and 8 of 8 markers are still there/],
    ["lies about a crypto erase", {}, { lies: true }, ["nvme-sanitize-crypto"], /still there/],
    ["lies about a format", { sanicap: 0 }, { lies: true }, all, /still there/],
    ["erases half", {}, { reach: 0.5 }, ["nvme-sanitize-block"], /still there/],
    ["erases half by format", { sanicap: 0 }, { reach: 0.5 }, all, /still there/],
    ["erases all but the last blocks", {}, { reach: 0.9 }, ["nvme-sanitize-block"], /still there/],
    ["vanishes when told to erase", {}, { vanishesInErase: true }, all, /not erased|No such file/],
    ["hangs", {}, { stalls: true }, all, /no progress for/],
    ["is taken, and never begins", {}, { ignoresSanitize: true }, all, /never said that it runs/],
    ["refuses writes, and the format", { sanicap: 0 }, { readOnly: true }, all, /write protected/i],
    ["offers nothing", { sanicap: 0, oacs: 0 }, {}, all, /offers no technique/],
    ["fails its sanitize", {}, { sanitizeFails: true }, ["nvme-sanitize-block"], /SSTAT 3h/],
  ])("%s", async (_what, options, faults, techniques, message) => {
    const { bench, drive } = benchWith({ ...options, oacs: options.oacs ?? managed }, faults);
    const { outcome } = await erase(bench, techniques);
    expect(outcome.result).toBe("ERROR");
    expect(outcome.message).toMatch(message);
    // Deleting namespaces would hide what was not erased, so it is not started.
    expect(bench.commands.some((command) => / (delete|create)-ns /.test(command))).toBe(false);
    expect(drive.tenantBlocks).toBeGreaterThan(0);
  });

  it("was there, and is gone: missing by its serial number", async () => {
    const { bench, drive } = benchWith();
    const { outcome: before } = await erase(bench);
    const [facts] = before.devices;
    if (facts === undefined) throw new Error("nothing found");
    const { serial, model, media, transport, capacityBytes } = facts;
    drive.faults.gone = true;
    const expected = { serial, model, media, transport, capacityBytes, removable: false };
    const { outcome } = await erase(bench, all, { devices: [expected] });
    expect(outcome).toMatchObject({ result: "ERROR", devices: [{ serial, missing: true }] });
  });

  it("is erased although it takes no writes, by what the tenant had written: digests alone", async () => {
    const { bench } = benchWith({ oacs: plain }, { readOnly: true });
    expect(only(await erase(bench, ["nvme-sanitize-block"]))).toMatchObject({
      ...{ result: "OK", verification: { kind: "digests", markersWritten: 0 } },
    });
  });

  it("took a crypto erase that left noise: that is one", async () => {
    const { bench, drive } = benchWith({ oacs: plain });
    expect(only(await erase(bench, ["nvme-sanitize-crypto"])).result).toBe("OK");
    expect(drive.tenantBlocks).toBe(0);
  });
});

it("read errors alone after a cryptographic erase are taken, and said to be all that there is", async () => {
  const { bench, drive } = benchWith({ oacs: plain });
  // Reported as over while it is running: the drive gives errors for every block.
  bench.spoil = (ran) => {
    const stdout = Uint8Array.from(ran.stdout);
    if (ran.command.includes("sanitize-log") && stdout[2] === 2) stdout[2] = 1;
    return { ...ran, stdout };
  };
  expect(only(await erase(bench, ["nvme-sanitize-crypto"]))).toMatchObject({
    ...{ result: "OK", verification: { samples: 0, bytes: "0" } },
    message: "nvme-sanitize-crypto, none of its blocks can be read any more",
  });
  drive.leave("idle");
  expect(only(await erase(bench, ["nvme-sanitize-block"])).result).toBe("ERROR");
});

describe("a failed sanitize", () => {
  it("leaves a restricted failure, where a format is refused, and only another sanitize leads out", async () => {
    const { bench, drive } = benchWith({ sanicap: 2, oacs: plain }, { sanitizeFails: true });
    const failed = only(await erase(bench, ["nvme-sanitize-block", "nvme-format-user-data"]));
    expect(failed.result).toBe("ERROR");
    expect(failed.tries.map(({ technique, completed }) => [technique, completed])).toEqual([
      ["nvme-sanitize-block", false],
      ["nvme-format-user-data", false],
    ]);
    expect(failed.tries[0]?.code).toEqual({ bus: "nvmeSanitize", sstat: 3 });
    expect(failed.tries[1]?.status).toContain("Sanitize Failed");
    expect(drive.sanitize.unrestricted).toBe(false);
  });

  it("goes on to the next sanitize where the policy lets it", async () => {
    const { bench, drive } = benchWith({ oacs: plain }, { sanitizeFails: true });
    bench.pausing = () => {
      if (bench.commands.some((command) => command.includes("--sanact=2")))
        drive.faults.sanitizeFails = false;
    };
    const device = only(await erase(bench, ["nvme-sanitize-crypto", "nvme-sanitize-block"]));
    expect(device).toMatchObject({ result: "OK", technique: "nvme-sanitize-block" });
    expect(drive.tenantBlocks).toBe(0);
  });

  it("does not go on where the policy allows no fallback", async () => {
    const { bench } = benchWith({ oacs: plain }, { sanitizeFails: true });
    const { outcome } = await bench.erase(eraseNvme, { ...techniquesOf(all), fallback: false });
    expect(outcome.result).toBe("ERROR");
    expect(only({ outcome, journal: [] }).tries).toHaveLength(1);
  });
});

describe("what was there before", () => {
  it("a sanitize of last year, with this very technique, is not taken for this one", async () => {
    const { bench, drive } = benchWith({ oacs: plain }, { ignoresSanitize: true });
    drive.leave("completed", 2);
    const device = only(await erase(bench, ["nvme-sanitize-block"]));
    expect(device).toMatchObject({ result: "ERROR", verification: { result: "failed", markersFound: 8 } });
  });

  it("the log that names another technique does not answer for this one", async () => {
    const { bench, drive } = benchWith({ oacs: plain }, { ignoresSanitize: true });
    drive.leave("completed", 4);
    expect(only(await erase(bench, ["nvme-sanitize-block"])).tries[0]?.completed).toBe(false);
  });

  it("a sanitize that somebody else began is waited for, and the drive erased anew", async () => {
    const { bench, drive } = benchWith({ oacs: plain });
    drive.leave("running", 4);
    expect(only(await erase(bench, ["nvme-sanitize-block"])).result).toBe("OK");
    expect(drive.tenantBlocks).toBe(0);
  });
});

describe("power is lost during a sanitize", () => {
  async function lost(faults: NvmeFaults) {
    const { bench, drive } = benchWith({ oacs: plain, durationMs: 60_000 });
    const told: JournalEvent[] = [];
    bench.pausing = () => {
      if (bench.nowMs > Date.parse("2026-11-23T00:00:20Z")) throw new Error("no power");
    };
    await expect(erase(bench, ["nvme-sanitize-block"], {}, told)).rejects.toThrow("no power");
    bench.pausing = () => undefined;
    bench.powerLoss(600_000);
    Object.assign(drive.faults, faults);
    expect(told.map(({ event }) => event)).toEqual(["about-to-send", "sent"]);
    return { bench, drive, told };
  }
  const sent = (bench: Bench) => bench.commands.filter((command) => command.includes("--sanact=")).length;

  it("the drive goes on by itself: the next agent waits for its end, and sends nothing", async () => {
    const { bench, drive, told } = await lost({});
    const device = only(await erase(bench, ["nvme-sanitize-block"], { journal: told, attempt: 2 }));
    expect(device.result).toBe("OK");
    expect(device.tries[0]?.command).toContain("joined");
    expect(sent(bench)).toBe(1);
    expect(drive.tenantBlocks).toBe(0);
  });

  it("the drive was over when the next agent came: its markers are gone, and nothing is sent again", async () => {
    const { bench, told } = await lost({});
    bench.nowMs += 600_000;
    const device = only(await erase(bench, ["nvme-sanitize-block"], { journal: told, attempt: 2 }));
    expect(device.result).toBe("OK");
    expect(sent(bench)).toBe(1);
  });

  it("the drive forgot it, and says that the sanitize of before is over: it is erased anew", async () => {
    const { bench, drive, told } = await lost({});
    drive.leave("completed", 2);
    const device = only(await erase(bench, ["nvme-sanitize-block"], { journal: told, attempt: 2 }));
    expect(device.result).toBe("OK");
    expect(sent(bench)).toBe(2);
    expect(drive.tenantBlocks).toBe(0);
  });

  it("the drive goes on and lies: it does not pass by another attempt", async () => {
    const { bench, told } = await lost({ lies: true });
    const next = await erase(bench, ["nvme-sanitize-block"], { journal: told, attempt: 2 });
    expect(next.outcome.result).toBe("ERROR");
  });
});

describe("what never counts", () => {
  it.each<Technique>(["nvme-format-none", "delete-namespace", "blkdiscard"])(
    "%s, whatever a policy says: nothing is sent",
    async (technique) => {
      const { bench, drive } = benchWith({ sanicap: 0 });
      const { outcome } = await erase(bench, [technique]);
      expect(outcome).toMatchObject({ result: "ERROR" });
      expect(bench.commands.join("\n")).not.toMatch(/ format | delete-ns |blkdiscard/);
      expect(drive.tenantBlocks).toBe(4096);
    },
  );

  it("no format is sent with SES 0, which reports success and erases nothing", async () => {
    const { bench, drive } = benchWith({ sanicap: 0, fna: 4 });
    for (const technique of ["nvme-format-user-data", "nvme-format-crypto"] as const)
      await erase(bench, [technique]);
    const formats = bench.commands.filter((command) => / format /.test(command));
    expect(formats.map((command) => / -s (\d)/.exec(command)?.[1])).toEqual(["1", "2"]);
    const before = drive.tenantBlocks;
    const said = drive.run("/usr/sbin/nvme", ["format", "/dev/nvme0", "-n", "1", "-s", "0"]);
    expect(said?.stdout).toContain("Success");
    expect(drive.tenantBlocks).toBe(before);
  });
});
