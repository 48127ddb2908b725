// How the page describes each device of a step: in progress, sanitized, refused, or never reported.
import { describe, expect, it } from "vitest";
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import type { DeviceResult } from "@/server/domain/cleaning/sanitization/device-result";
import { read, tries } from "@/server/domain/cleaning/sanitization/testing/device-results";
import { deviceLines } from "@/server/usecases/reclamations/device-lines";
import type { AttemptRecord, VerdictRecord } from "@/server/usecases/reclamations/device-lines";

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);
const device = (serial: string): StorageDevice => ({
  serial,
  model: "M",
  media: "nvme",
  transport: "nvme",
  slot: `bay ${serial}`,
  capacityBytes: "1000",
  removable: false,
  firmware: "F1",
});
const reported = (serial: string, over: Partial<DeviceResult> = {}): DeviceResult => ({
  serial,
  model: "M",
  media: "nvme",
  transport: "nvme",
  capacityBytes: "1000",
  message: "",
  result: "OK",
  technique: "nvme-sanitize-crypto",
  tool: { name: "nvme-cli", version: "2.11" },
  tries: tries("nvme-sanitize-crypto", {
    startedAt: at(1).toISOString(),
    endedAt: at(4).toISOString(),
  }),
  verification: read,
  ...over,
});
const attempt = (
  number: number,
  devices: readonly DeviceResult[] | null,
  over: Partial<AttemptRecord> = {},
): AttemptRecord => ({
  attempt: number,
  startedAt: at(0),
  endedAt: devices === null ? null : at(9),
  progress: null,
  report: devices === null ? null : { attempt: number, result: "OK", message: "", devices, journal: [] },
  ...over,
});
const verdict = (serial: string, number: number, ok: boolean, reason = "why"): VerdictRecord => ({
  serial,
  model: "M",
  attempt: number,
  level: ok ? "purge" : "none",
  verdict: ok ? "sanitized" : "failed",
  reason,
});

it("shows what its newest report passed over", () => {
  const passedOver = [{ technique: "nvme-sanitize-block", why: "not in SANICAP 1h" }] as const;
  const lines = deviceLines({
    running: false,
    expected: [device("A"), device("B")],
    attempts: [attempt(1, [reported("A", { passedOver: [...passedOver] }), reported("B")])],
    verdicts: [],
  });
  expect(lines.map((line) => line.passedOver)).toEqual([passedOver, []]);
});

describe("a device", () => {
  it("at work shows the agent's own words and percent", () => {
    const progress = {
      percent: 31.2,
      message: "2 devices",
      unstoppable: true,
      devices: [{ serial: "A", percent: 62.4, status: "SPROG 40,632" }],
    };
    expect(
      deviceLines({
        running: true,
        expected: [device("A"), device("B")],
        attempts: [attempt(1, null, { progress })],
        verdicts: [],
      }),
    ).toMatchObject([
      { serial: "A", slot: "bay A", tone: "working", percent: 62.4, result: "SPROG 40,632", endedAt: null },
      { serial: "B", tone: "working", percent: null, result: "in progress" },
    ]);
  });
  it("that is sanitized shows technique, level, reading back, tries and times", () => {
    const [line] = deviceLines({
      running: false,
      expected: [device("A")],
      attempts: [attempt(1, [reported("A")])],
      verdicts: [verdict("A", 1, true)],
    });
    expect(line).toMatchObject({
      tone: "good",
      result: "nvme-sanitize-crypto",
      level: "purge",
      verification: "16 of 16 markers gone, 0 of 1,000 samples as before",
      startedAt: at(1),
      endedAt: at(4),
      firmware: "F1",
    });
    expect(line?.tries).toMatchObject([{ attempt: 1, completed: true, tookMs: 3000, status: "SSTAT 1h" }]);
  });
  it("that refused shows why, with the tries of every attempt", () => {
    const refused = reported("A", {
      result: "ERROR",
      technique: undefined,
      verification: undefined,
      tries: [
        {
          technique: "nvme-sanitize-crypto",
          command: "x",
          startedAt: at(1).toISOString(),
          endedAt: at(2).toISOString(),
          exitCode: 1,
          status: "Invalid Opcode",
          completed: false,
        },
      ],
    });
    const [line] = deviceLines({
      running: false,
      expected: [device("A")],
      attempts: [attempt(1, [refused]), attempt(2, [refused])],
      verdicts: [verdict("A", 1, false), verdict("A", 2, false, "refused twice")],
    });
    expect(line).toMatchObject({ tone: "failed", result: "refused twice", level: "none", verification: "" });
    expect(line?.tries.map((each) => each.attempt)).toEqual([1, 2]);
  });
  it("that was expected and not reported is failed, not left out", () =>
    expect(
      deviceLines({
        running: false,
        expected: [device("A"), device("B")],
        attempts: [attempt(1, [reported("A")])],
        verdicts: [verdict("A", 1, true)],
      })[1],
    ).toMatchObject({ serial: "B", tone: "failed", result: "no result; the device was expected" }));
  it("that nobody expected is shown, too", () =>
    expect(
      deviceLines({
        running: false,
        expected: [],
        attempts: [attempt(1, [reported("X")])],
        verdicts: [verdict("X", 1, true)],
      }),
    ).toMatchObject([{ serial: "X", tone: "good" }]));
  it("that failed before is at work again while a new attempt runs", () =>
    expect(
      deviceLines({
        running: true,
        expected: [device("A")],
        attempts: [attempt(1, [reported("A")]), attempt(2, null)],
        verdicts: [verdict("A", 1, false)],
      })[0],
    ).toMatchObject({ tone: "working", level: null }));
  it("with a report that cannot be read has no tries and no verdict of ours", () =>
    expect(
      deviceLines({
        running: false,
        expected: [device("A")],
        attempts: [attempt(1, null, { report: { nonsense: true }, endedAt: at(9) })],
        verdicts: [],
      })[0],
    ).toMatchObject({ tone: "failed", tries: [], endedAt: at(9) }));
});
