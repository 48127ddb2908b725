// The remnant probe with the real tool code: what an erase leaves on an empty drive, what comes back after a restart, and what is not a remnant.
import { describe, expect, it } from "vitest";
import { countOf, probeOutcome } from "@/server/domain/cleaning/sanitization/probe";
import type { JournalEvent } from "@/agent/steps/results";
import { eraseNvme } from "@/agent/steps/erase-nvme/erase-nvme";
import { machineTools } from "@/agent/tools/machine/machine-tools";
import { Bench } from "@/agent/tools/machine/testing/drives/bench";
import {
  NvmeDrive,
  type NvmeFaults,
  type NvmeOptions,
} from "@/agent/tools/machine/testing/drives/nvme-drive";
import { readContent } from "@/agent/validation/read-content";

const plain = 0x2;
const managed = 0x10a;
const fingerprint = { secret: "of the plan", samplesPerDevice: 16, canaries: 64 };

/** An empty drive: samples show nothing, and its one marker is near the start. */
function emptyDrive(options: Partial<NvmeOptions> = {}, faults: NvmeFaults = {}) {
  const bench = new Bench();
  const drive = bench.add(
    new NvmeDrive({ name: "nvme0", serial: "REAL1", now: bench.now, sanicap: 7, oacs: plain, ...options }),
  );
  for (const medium of drive.blockDevices.values()) medium.erase("zeros");
  Object.assign(drive.faults, faults);
  return { bench, drive };
}

async function erased(bench: Bench, more: Parameters<Bench["erase"]>[2] = {}, told: JournalEvent[] = []) {
  const techniques = { nvme: ["nvme-sanitize-block" as const], ssd: [], hdd: [], "raid-kit": [] };
  const { outcome } = await bench.erase(
    eraseNvme,
    { techniques, markersPerDevice: 1 },
    { fingerprint, ...more },
    told,
  );
  const [device] = outcome.devices;
  if (device === undefined) throw new Error(outcome.message);
  return device;
}

/** The reading by an agent of another boot. */
async function readAgain(bench: Bench) {
  const [reading] = await readContent(await machineTools(bench.run, bench.files, bench.open), fingerprint);
  if (reading === undefined || !("probe" in reading) || reading.probe === undefined)
    throw new Error("not read");
  return reading.probe;
}

describe("an erase that is probed", () => {
  it("leaves no canary on a good drive, in this boot and the next", async () => {
    const { bench } = emptyDrive();
    const { result, probe } = await erased(bench);
    expect(result).toBe("OK");
    if (probe === undefined) throw new Error("not probed");
    expect([countOf(probe.written), countOf(probe.found)]).toEqual([64, 0]);
    expect(probeOutcome(probe, await readAgain(bench))).toEqual({ places: 64, remnants: 0 });
  });

  it("finds what a drive leaves that erases the first part only, where samples and markers find nothing", async () => {
    const faults = { reach: 0.9 };
    const { canaries: _, ...unprobed } = fingerprint;
    expect(await erased(emptyDrive({}, faults).bench, { fingerprint: unprobed })).toMatchObject({
      result: "OK",
      verification: { result: "passed" },
    });
    const { bench, drive } = emptyDrive({ oacs: managed }, faults);
    const device = await erased(bench);
    expect(device).toMatchObject({ result: "ERROR", verification: { result: "passed" } });
    expect(device.message).toMatch(/reported success, but \d canaries of the remnant probe are still there/);
    // Deleting namespaces would hide what was not erased, so it is not started.
    expect(bench.commands.some((command) => / (delete|create)-ns /.test(command))).toBe(false);
    expect(drive.namespaces.size).toBe(1);
  });

  it("finds in the next boot what comes back after a restart", async () => {
    const { bench, drive } = emptyDrive();
    const before = new Map<number, Uint8Array>();
    const [medium] = drive.blockDevices.values();
    bench.pausing = () => {
      for (let block = 4_000; block < 4_600 && before.size < 600; block += 1)
        before.set(block, medium?.read(block) ?? new Uint8Array());
    };
    const { probe } = await erased(bench);
    if (probe === undefined) throw new Error("not probed");
    expect(countOf(probe.found)).toBe(0);
    for (const [block, content] of before) medium?.write(block, content);
    const later = await readAgain(bench);
    expect(probeOutcome(probe, later).remnants).toBeGreaterThan(0);
  });

  it("is counted by the first reading where namespaces were renewed", async () => {
    const { bench } = emptyDrive({ oacs: managed });
    const { result, probe } = await erased(bench);
    expect([result, probe?.renewed]).toEqual(["OK", true]);
  });

  it("is carried on by the agent after a loss of power: which canaries were written is in the journal", async () => {
    const { bench } = emptyDrive({ durationMs: 60_000 });
    const told: JournalEvent[] = [];
    bench.pausing = () => {
      if (bench.nowMs > Date.parse("2026-11-23T00:00:20Z")) throw new Error("no power");
    };
    await expect(erased(bench, {}, told)).rejects.toThrow("no power");
    bench.pausing = () => undefined;
    bench.powerLoss(600_000);
    expect(JSON.stringify(told)).not.toContain(fingerprint.secret);
    const { result, tries, probe } = await erased(bench, { journal: told, attempt: 2 });
    expect([result, tries[0]?.command]).toEqual(["OK", expect.stringContaining("joined")]);
    expect(probe?.written).toBe(told[0]?.canaries);
    expect(countOf(probe?.written ?? "")).toBe(64);
  });
});
