// NVMe drives that keep their media readable after a sanitize (TP4152), with the real tool code: used if offered, and nothing passes because of it.
import { describe, expect, it } from "vitest";
import type { JournalEvent } from "@/agent/steps/results";
import { lookAtDrives } from "@/agent/steps/look";
import { eraseNvmeBy, only } from "@/agent/testing/one-drive";
import { machineTools } from "@/agent/tools/machine/machine-tools";
import { Bench } from "@/agent/tools/machine/testing/drives/bench";
import { NvmeDrive, type NvmeFaults } from "@/agent/tools/machine/testing/drives/nvme-drive";

const block = "nvme-sanitize-block";
/** All three sanitizes, and Verification Support. */
const holding = 0xf;

function benchWith(faults: NvmeFaults = {}, sanicap = holding, oacs = 2) {
  const bench = new Bench();
  const drive = bench.add(new NvmeDrive({ name: "nvme0", serial: "REAL1", now: bench.now, sanicap, oacs }));
  Object.assign(drive.faults, faults);
  return { bench, drive };
}
/** The sanitizes that were sent: SANACT, or Command Dword 10 for a passthrough command. */
const sent = (bench: Bench) =>
  bench.commands.flatMap((command) => /--(?:sanact|cdw10)=(\w+)/.exec(command)?.[1] ?? []);

describe("a drive with Verification Support", () => {
  it.each([
    ["nvme-sanitize-block", "0x402"],
    ["nvme-sanitize-overwrite", "0x403"],
    ["nvme-sanitize-crypto", "0x404"],
  ] as const)("is read in the media verification state after %s, and brought out of it", async (...row) => {
    const [technique, dword10] = row;
    const { bench, drive } = benchWith({}, holding, 0x10a);
    const device = only(await eraseNvmeBy(bench, [technique]));
    expect(device).toMatchObject({
      result: "OK",
      verification: { kind: "media-verification", result: "passed", markersWritten: 8 },
    });
    expect(device.message).toContain("markers gone, read in the media verification state");
    expect(sent(bench)).toEqual([dword10, "0x5"]);
    const [entry] = device.tries;
    expect(entry?.command).toBe(`/usr/sbin/nvme admin-passthru /dev/nvme0 --opcode=0x84 --cdw10=${dword10}`);
    expect(entry?.status).toMatch(/SSI 5h \(media verification state\); .*--cdw10=0x5 answered 0.*SSTAT 1h/);
    // Namespaces are renewed only after the state was left.
    expect(bench.commands.join("\n")).toMatch(/cdw10=0x5[^]*sanitize-log[^]*delete-ns/);
    expect(drive.tenantBlocks).toBe(0);
  });

  it("is not asked for it where it offers none", async () => {
    const { bench } = benchWith({}, 7);
    expect(only(await eraseNvmeBy(bench)).verification?.kind).toBe("markers-and-digests");
    expect(sent(bench)).toEqual(["2"]);
  });

  it("is not said to be in it by what a drive without that support tells in a reserved byte", async () => {
    const { bench } = benchWith({}, 7);
    bench.spoil = (ran) => {
      if (ran.command.includes("sanitize-log")) ran.stdout[36] = 5;
      return ran;
    };
    const device = only(await eraseNvmeBy(bench));
    expect(device).toMatchObject({ result: "OK", verification: { kind: "markers-and-digests" } });
    expect(sent(bench)).toEqual(["2"]);
  });

  it("that only hides what it should erase, is found out in that state, and only there", async () => {
    const { bench } = benchWith({ onlyDeallocates: true });
    const device = only(await eraseNvmeBy(bench));
    expect(device).toMatchObject({
      ...{ result: "ERROR", verification: { kind: "media-verification", result: "failed" } },
    });
    expect(device.message).toContain("8 of 8 markers are still there");
    // The drive is not left in that state.
    expect(sent(bench)).toEqual(["0x402", "0x5"]);
    expect(only(await eraseNvmeBy(benchWith({ onlyDeallocates: true }, 7).bench)).result).toBe("OK");
  });

  it.each<[string, NvmeFaults]>([
    ["shows the tenant's bytes once the state was left", { holdLies: true }],
    ["erases nothing", { lies: true }],
    ["erases half", { reach: 0.5 }],
    ["fails its sanitize", { sanitizeFails: true }],
    ["fails when it deallocates", { deallocationFails: true }],
    ["hangs", { stalls: true }],
    ["vanishes when told to erase", { vanishesInErase: true }],
    ["takes the sanitize, and never begins", { ignoresSanitize: true }],
  ])("that %s, does not pass", async (_what, faults) => {
    expect(only(await eraseNvmeBy(benchWith(faults).bench)).result).toBe("ERROR");
  });
});

describe("a drive that does not do what it offers", () => {
  it.each([true, false])("refuses EMVS: erased without, and recorded; fallback %s", async (fallback) => {
    const { bench, drive } = benchWith({ holdRefused: true });
    const { outcome, journal } = await eraseNvmeBy(bench, [block], {}, [], fallback);
    const device = only({ outcome, journal });
    expect(device).toMatchObject({ result: "OK", verification: { kind: "markers-and-digests" } });
    expect(
      device.tries.map(({ technique, exitCode, completed }) => [technique, exitCode, completed]),
    ).toEqual([
      [block, 1, false],
      [block, 0, true],
    ]);
    expect(device.tries[0]?.status).toContain("Invalid Field in Command");
    expect(sent(bench)).toEqual(["0x402", "2"]);
    expect(journal.map(({ event }) => event)).toEqual(
      // The first announcement is the prepared one.
      ["about-to-send", "sent", "about-to-send", "sent", "observed"],
    );
    expect(drive.tenantBlocks).toBe(0);
  });

  it("is sent nothing more where the server says no after a refusal", async () => {
    const { bench, drive } = benchWith({ holdRefused: true });
    bench.spoil = (ran) => {
      if (ran.command.includes("--cdw10=")) bench.goOn = false;
      return ran;
    };
    expect(only(await eraseNvmeBy(bench)).result).toBe("ERROR");
    expect(sent(bench)).toEqual(["0x402"]);
    expect(drive.tenantBlocks).toBeGreaterThan(0);
  });

  it("goes on by itself: read back as a drive without the state", async () => {
    const device = only(await eraseNvmeBy(benchWith({ holdCanceled: true }).bench));
    expect(device).toMatchObject({ result: "OK", verification: { kind: "markers-and-digests" } });
    expect(device.tries[0]?.status).toContain("SSTAT 201h");
  });

  it("cannot be read in that state: read back afterwards, and not recorded as of that kind", async () => {
    const { bench } = benchWith({ holdUnreadable: true });
    const device = only(await eraseNvmeBy(bench));
    expect(device).toMatchObject({ result: "OK", verification: { kind: "markers-and-digests" } });
    expect(sent(bench)).toEqual(["0x402", "0x5"]);
  });

  it("does not leave it: no completed sanitize, and it is told to be at rest", async () => {
    const { bench } = benchWith({ exitRefused: true, holdBars: true });
    const device = only(await eraseNvmeBy(bench, [block, "nvme-sanitize-crypto", "nvme-format-user-data"]));
    expect(device.result).toBe("ERROR");
    expect(device.tries.map(({ completed }) => completed)).toEqual([false, false, false, false]);
    expect(device.tries[0]?.code).toEqual({ bus: "nvmeSanitize", sstat: 2, sans: 5 });
    expect(device.tries[0]?.status).toContain("--cdw10=0x5 answered 1: NVMe status: Invalid Field");
    expect(bench.remaining.get("REAL1")).toBe(0);
  });

  it("takes the command to leave, and stays: it hangs", async () => {
    const device = only(await eraseNvmeBy(benchWith({ exitIgnored: true }).bench));
    expect(device).toMatchObject({ result: "ERROR", problem: "hangs" });
    expect(device.message).toMatch(/no progress for .*media verification state/);
  });
});

describe("a drive that somebody left in that state", () => {
  function left(faults: NvmeFaults = {}) {
    const { bench, drive } = benchWith(faults);
    drive.leave("mediaVerification", 4);
    return { bench, drive };
  }

  it("is brought out of it, and erased like any other", async () => {
    const { bench, drive } = left();
    const { outcome, journal } = await eraseNvmeBy(bench);
    const device = only({ outcome, journal });
    expect(device).toMatchObject({
      ...{ result: "OK", technique: block },
      verification: { kind: "media-verification", markersWritten: 8 },
    });
    expect(sent(bench)).toEqual(["0x5", "0x402", "0x5"]);
    expect(device.tries).toHaveLength(1);
    expect(journal[0]?.status).toMatch(/--cdw10=0x5 answered 0.*; no erase$/);
    expect(drive.tenantBlocks).toBe(0);
  });

  it("is sent nothing before the server has stored that", async () => {
    const { bench, drive } = left();
    bench.goOn = false;
    const device = only(await eraseNvmeBy(bench));
    expect(device).toMatchObject({ result: "ERROR", message: expect.stringContaining("stopped before") });
    expect(sent(bench)).toEqual([]);
    expect(bench.remaining.get("REAL1")).toBe(0);
    expect(drive.sanitize.state).toBe("mediaVerification");
  });

  it("in the middle of the sanitize: waited for, and brought out", async () => {
    const { bench, drive } = benchWith();
    drive.sanitize.command(0x404);
    expect(only(await eraseNvmeBy(bench)).result).toBe("OK");
    expect(sent(bench)).toEqual(["0x5", "0x402", "0x5"]);
  });

  it("and refuses to leave, is brought out by a sanitize without it, which counts for nothing", async () => {
    const { bench, drive } = left({ exitRefused: true });
    bench.pausing = () => {
      if (sent(bench).includes("2")) drive.faults.exitRefused = false;
    };
    const device = only(await eraseNvmeBy(bench));
    expect(device).toMatchObject({ result: "OK", verification: { result: "passed" } });
    expect(sent(bench)).toEqual(["0x5", "2", "0x402", "0x5"]);
  });

  it("and takes neither, fails with each answer", async () => {
    const { bench } = left({ exitRefused: true, holdBars: true });
    const device = only(await eraseNvmeBy(bench));
    expect(device.result).toBe("ERROR");
    expect(device.message).toMatch(/it is in the media verification state, and it could not be brought out/);
    expect(device.message).toContain("Sanitize In Progress");
  });

  it("and fails to deallocate, is brought out as one that failed", async () => {
    const { bench, drive } = left({ deallocationFails: true });
    bench.pausing = () => {
      if (sent(bench).includes("2")) drive.faults.deallocationFails = false;
    };
    expect(only(await eraseNvmeBy(bench)).result).toBe("OK");
    expect(sent(bench)).toEqual(["0x5", "2", "0x402", "0x5"]);
  });

  it("is told to be at rest to a server that waits: it would wait for ever", async () => {
    const { bench } = left();
    const tools = await machineTools(bench.run, bench.files, bench.open);
    expect(await lookAtDrives({ tools })).toMatchObject([
      { state: "idle", status: expect.stringContaining("media verification state") as string },
    ]);
    expect(sent(bench)).toEqual([]);
  });
});

describe("power is lost in that state", () => {
  async function lost(faults: NvmeFaults, readOnly = false) {
    const { bench, drive } = benchWith({ readOnly });
    const told: JournalEvent[] = [];
    bench.spoil = (ran) => {
      if (ran.command.includes("sanitize-log") && ran.stdout[36] === 5) throw new Error("no power");
      return ran;
    };
    await expect(eraseNvmeBy(bench, [block], {}, told)).rejects.toThrow("no power");
    bench.spoil = (ran) => ran;
    Object.assign(drive.faults, faults);
    bench.powerLoss(600_000);
    expect(told.map(({ event }) => event)).toEqual(["about-to-send", "sent"]);
    return {
      bench,
      drive,
      next: await eraseNvmeBy(bench, [block], { journal: [...told], attempt: 2 }, told),
    };
  }

  it("and the drive keeps it: the next agent reads in it, and sends nothing but the exit", async () => {
    const { bench, drive, next } = await lost({});
    expect(only(next)).toMatchObject({ result: "OK", verification: { kind: "media-verification" } });
    expect(only(next).tries[0]?.command).toContain("joined");
    expect(sent(bench)).toEqual(["0x402", "0x5"]);
    expect(drive.tenantBlocks).toBe(0);
  });

  it("and the drive goes on: the next agent waits for its end, and sends nothing", async () => {
    const { bench, next } = await lost({ holdEndsWithPower: true });
    expect(only(next)).toMatchObject({ result: "OK", verification: { kind: "markers-and-digests" } });
    expect(sent(bench)).toEqual(["0x402"]);
  });

  it("without markers nothing shows that it was ours: erased anew", async () => {
    const { bench, next } = await lost({ readOnly: false }, true);
    expect(only(next)).toMatchObject({ result: "OK", verification: { kind: "media-verification" } });
    expect(sent(bench)).toEqual(["0x402", "0x5", "0x402", "0x5"]);
  });

  it("and what it shows is not erased: it does not pass by another attempt", async () => {
    const { bench, drive, next } = await lost({ holdLies: true, lies: true });
    expect(only(next).result).toBe("ERROR");
    expect(drive.tenantBlocks).toBeGreaterThan(0);
    expect(sent(bench).length).toBeGreaterThan(2);
  });

  it("and the drive never leaves it by the exit: brought out by a sanitize, and it fails with its answers", async () => {
    const { bench, next } = await lost({ exitRefused: true });
    expect(only(next).result).toBe("ERROR");
    expect(sent(bench)).toEqual(["0x402", "0x5", "0x5", "2", "0x402", "0x5"]);
  });
});
