// The basis of the table of drive models: the bound against its definition, histograms of durations, runs, and estimates.
import { describe, expect, it } from "vitest";
import {
  durationsIn,
  percentileMs,
  withDurations,
} from "@/server/domain/cleaning/sanitization/models/durations";
import { estimateErase } from "@/server/domain/cleaning/sanitization/models/erase-estimate";
import { eraseRuns } from "@/server/domain/cleaning/sanitization/models/erase-runs";
import { formatRemnant } from "@/server/domain/cleaning/sanitization/models/remnant-text";
import { joinedCommand } from "@/server/domain/cleaning/sanitization/device-result";
import { upperBound } from "@/server/domain/cleaning/sanitization/models/upper-bound";
import { device, read, result, tries } from "@/server/domain/cleaning/sanitization/testing/device-results";

/** P(X ≤ found) of a binomial distribution, summed term by term. */
function atMost(found: number, tried: number, share: number): number {
  let term = (1 - share) ** tried;
  let sum = term;
  for (let k = 1; k <= found; k += 1) {
    term *= ((tried - k + 1) / k) * (share / (1 - share));
    sum += term;
  }
  return sum;
}

describe("the upper bound", () => {
  it("is the rule of three where nothing was found", () => {
    expect(upperBound(0, 1)).toBeCloseTo(0.95, 10);
    expect(upperBound(0, 10)).toBeCloseTo(0.2589, 4);
    expect((upperBound(0, 25_600) ?? 0) / (3 / 25_600)).toBeCloseTo(0.9986, 3);
  });

  it.each([
    [1, 10],
    [2, 20],
    [5, 300],
    [40, 100],
  ])("of %i in %i leaves 5 %% below", (found, tried) =>
    expect(atMost(found, tried, upperBound(found, tried) ?? 0)).toBeCloseTo(0.05, 6),
  );

  it("is 1 where all were found, and none where nothing was tried", () => {
    expect([upperBound(4, 4), upperBound(0, 0)]).toEqual([1, null]);
    expect(upperBound(99, 100)).toBeCloseTo(0.95 ** 0.01, 10);
    expect(upperBound(20_000, 1_000_000)).toBeCloseTo(0.020232, 5);
    expect(formatRemnant(0, 25_600, upperBound(0, 25_600))).toBe("0 of 25,600, at most 0.012\u00a0%");
    expect(formatRemnant(0, 0, null)).toBe("not probed");
  });
});

describe("durations", () => {
  it("add up, and their percentiles are off by less than 9 %", () => {
    const all = Array.from({ length: 1_000 }, (_, index) => (index + 1) * 1_000);
    const half = withDurations(withDurations([], all.slice(0, 600)), all.slice(600));
    expect(durationsIn(half)).toBe(1_000);
    for (const share of [0.5, 0.95]) {
      const told = percentileMs(half, share, 1_000_000) ?? 0;
      expect(told / (share * 1_000_000)).toBeGreaterThanOrEqual(1);
      expect(told / (share * 1_000_000)).toBeLessThan(1.09);
    }
    expect(percentileMs(half, 1, 1_000_000)).toBe(1_000_000);
    expect(percentileMs([], 0.5, 0)).toBeNull();
    expect(percentileMs(withDurations([], [0]), 0.5, 0)).toBe(0);
  });
});

describe("runs of a result", () => {
  const took = { startedAt: "2026-11-01T00:00:00.000Z", endedAt: "2026-11-01T00:04:00.000Z" };
  const probe = { areas: "1/9/512", written: "Bw", read: "Bw", found: "", renewed: false };

  it("are the commands that the drive accepted, with what they took", () => {
    const refused = tries("nvme-sanitize-crypto", { exitCode: 1, completed: false });
    const runs = eraseRuns(
      result("A", { tries: [...refused, ...tries("nvme-sanitize-block", took)], probe }),
    );
    expect(runs).toEqual([
      {
        ...{ technique: "nvme-sanitize-block", completed: true, durationMs: 240_000 },
        startedAt: took.startedAt,
        ...{ stalled: false, lied: false, probe: null },
      },
    ]);
  });

  it("tell of stalls, of lies, and of no time where nobody saw the begin", () => {
    const stalls = result("A", {
      ...{ result: "ERROR" as const, problem: "hangs" as const },
      tries: tries("nvme-sanitize-block", { ...took, completed: false }),
    });
    expect(eraseRuns(stalls)).toMatchObject([{ stalled: true, completed: false, durationMs: null }]);
    const other = tries("nvme-sanitize-block", { completed: false, logged: "nvme-sanitize-crypto" });
    expect(eraseRuns(result("A", { tries: other }))).toMatchObject([{ lied: true, completed: false }]);
    const left = result("A", { verification: { ...read, markersFound: 1, result: "failed" } });
    expect(eraseRuns(left)).toMatchObject([{ lied: true, probe: null }]);
    const remnant = result("A", { probe: { ...probe, found: "Ag" } });
    expect(eraseRuns(remnant)).toMatchObject([{ lied: true, probe: { places: 3, remnants: 1 } }]);
    const joined = result("A", { tries: tries("nvme-sanitize-crypto", { ...took, command: joinedCommand }) });
    expect(eraseRuns(joined)).toMatchObject([{ completed: true, durationMs: null }]);
  });
});

describe("the estimate of an erase", () => {
  const techniques = { nvme: ["nvme-sanitize-crypto", "nvme-sanitize-block"] as const, ssd: [], hdd: [] };
  const policy = { ...techniques, nvme: [...techniques.nvme], "raid-kit": [] };
  const row = (technique: string, firmware: string, ms: number, runs: number) => ({
    ...{ model: "M", technique, firmware, longestMs: ms },
    durations: withDurations([], Array<number>(runs).fill(ms)),
  });
  const rows = [
    row("nvme-sanitize-crypto", "F1", 1_000, 4),
    row("nvme-sanitize-block", "F1", 60_000, 5),
    row("nvme-sanitize-block", "F2", 600_000, 5),
  ];
  const [first, other] = [device("A", { firmware: "F1" }), device("B", { firmware: "F2" })];

  it("is of the slowest drive, by the first technique of which enough is known, for its firmware", () => {
    expect(estimateErase([first], policy, rows)).toEqual({ medianMs: 60_000, runs: 5 });
    expect(estimateErase([first, other], policy, rows)).toEqual({ medianMs: 600_000, runs: 5 });
    expect(estimateErase([device("C", { firmware: "F9" })], policy, rows)).toMatchObject({ runs: 10 });
  });

  it("of more drives than are erased at once waits for the first that is done", () => {
    const drives = (many: number) =>
      Array.from({ length: many }, (_, at) => device(`A${at}`, { firmware: "F1" }));
    expect(estimateErase(drives(8), policy, rows)?.medianMs).toBe(60_000);
    expect(estimateErase(drives(9), policy, rows)?.medianMs).toBe(120_000);
    expect(estimateErase([other, ...drives(8)], policy, rows)?.medianMs).toBe(600_000);
    expect(estimateErase([...drives(8), other], policy, rows)?.medianMs).toBe(660_000);
  });

  it("is none where too little is known of one drive", () => {
    expect(estimateErase([first, device("X", { model: "other" })], policy, rows)).toBeNull();
    expect(estimateErase([first], policy, rows.slice(0, 1))).toBeNull();
    expect(estimateErase([], policy, rows)).toBeNull();
  });
});
