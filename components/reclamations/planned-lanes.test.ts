// Timeline lanes for steps that are still to come.
import { expect, test } from "vitest";
import { plannedEnd, withPlanned } from "@/components/reclamations/planned-lanes";

const at = (second: number) => new Date(second * 1000);
const erase = {
  step: "deploy.erase_nvme",
  status: "running",
  expectedEndAt: at(90),
  restarts: false,
} as const;
const tpm = { step: "management.clear_tpm", status: "planned", expectedEndAt: null, restarts: true } as const;
const lanes = [
  { name: "State", bars: [{ from: at(0), to: null, words: "HostCleanup", tone: "working" as const }] },
  { name: erase.step, bars: [{ from: at(10), to: null, words: "attempt 1", tone: "working" as const }] },
];
const planned = [{ name: tpm.step, bars: [{ from: at(90), to: at(120), words: "expected", tone: null }] }];

test("the running step goes on to its expected end, and the steps to come get lanes after the others", () => {
  const shown = withPlanned(lanes, planned, [erase, tpm], 60_000);
  expect(shown.map(({ name }) => name)).toEqual(["State", erase.step, tpm.step]);
  expect(shown[1]?.bars.at(-1)).toMatchObject({ from: at(60), to: at(90), planned: true });
  expect(shown[2]?.bars).toEqual([
    expect.objectContaining({
      from: at(90),
      to: at(120),
      planned: true,
      words: "expected, restarts the host",
    }),
  ]);
  expect(plannedEnd(shown)).toBe(120_000);
});

test("a running step that is over its expected end is not drawn into the past", () => {
  const shown = withPlanned(lanes, [], [erase], 95_000);
  expect(shown[1]?.bars).toHaveLength(1);
  expect(plannedEnd(shown)).toBeNull();
});

test("a step that is tried again has its past and its future in one lane", () => {
  const again = [{ name: erase.step, bars: [{ from: at(60), to: at(80), words: "expected", tone: null }] }];
  const shown = withPlanned(lanes, again, [{ ...erase, status: "planned", expectedEndAt: null }], 60_000);
  expect(shown.map(({ name }) => name)).toEqual(["State", erase.step]);
  expect(shown[1]?.bars.map((bar) => bar.planned)).toEqual([false, true]);
});
