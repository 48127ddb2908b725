// The estimate of a list of steps, on one time axis and in words.
import { describe, expect, it } from "vitest";
import type { EstimatedStep } from "@/server/surfaces/trpc/types";
import { laidOut, formatSum, takeFacts } from "@/components/cleaning/plan/take";

const step = (index: number, given: Partial<EstimatedStep>): EstimatedStep => ({
  index,
  name: `deploy.s${index}`,
  expectedMs: 60_000,
  basis: "catalogue",
  runs: 0,
  limitMs: 600_000,
  restarts: false,
  erases: false,
  abortable: true,
  where: "agent",
  devices: [],
  ...given,
});
const steps = [
  step(0, { name: "firmware.update", restarts: true }),
  step(1, { name: "power.hold", basis: "person", expectedMs: null }),
  step(2, { erases: true, abortable: false, basis: "host", runs: 4 }),
];
const estimate = {
  faults: [],
  refusal: null,
  steps,
  expectedMs: 60_000,
  personAt: 1,
  limitMs: 1_800_000,
  restarts: 1,
  erases: [{ serial: "S1", model: "M", slot: null, media: "nvme", capacityBytes: "1" }],
  cannotStop: [2],
  locks: "power is refused",
  endState: "Manageable",
  abandons: null,
  debtDrives: 0,
} as const;

describe("the chart", () => {
  it("puts each step after the one before, and gives a person a share", () => {
    const { toMs, lanes } = laidOut(steps);
    expect(lanes.map(({ name }) => name)).toEqual(["update", "hold", "s2"]);
    expect(lanes.map(({ bars }) => [bars[0]?.fromMs, bars[0]?.toMs])).toEqual([
      [0, 60_000],
      [60_000, 84_000],
      [84_000, 144_000],
    ]);
    expect(toMs).toBe(144_000);
    expect(lanes.map(({ bars }) => bars[0]?.words)).toEqual([
      "restarts the host",
      "a person resumes",
      "cannot be stopped",
    ]);
  });
});

describe("the words", () => {
  it("sum up", () => {
    expect(formatSum(estimate, 3)).toBe("3 steps, about 1 min and one wait");
    expect(formatSum({ steps: [], expectedMs: 10_000 }, 1)).toBe("1 step, about 10 s");
  });

  it("say time, restarts, erases, what cannot be stopped, locks and the end", () => {
    expect(Object.fromEntries(takeFacts(estimate).map(({ term, words }) => [term, words]))).toEqual({
      Time: "about 1 min until the first wait for a person; limit 30 min; from this host's own runs",
      Restarts: "1: by firmware.update",
      Erases: "1 drive: S1",
      "Cannot be stopped": "step 3, once started; an abort waits for it",
      Locks: "power is refused",
      "Ends in": "Manageable, with this run in the host's history",
    });
  });
});
