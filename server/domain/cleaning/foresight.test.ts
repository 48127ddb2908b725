// What other limits, tests and priorities would have changed: what the record tells, and where it says that it does not.
import { describe, expect, it } from "vitest";
import { beganOverLimit, foreseeSettings } from "@/server/domain/cleaning/foresight";
import type { OtherSettings, RecordedRuns } from "@/server/domain/cleaning/foresight";

const settings: OtherSettings = {
  automatedClean: true,
  validationTests: ["memory", "network"],
  atWork: 10,
  priorities: {},
};
const runs: RecordedRuns = {
  inProgress: [
    { fromMs: 0, untilMs: 10 },
    { fromMs: 5, untilMs: 15 },
    { fromMs: 8, untilMs: null },
    { fromMs: 10, untilMs: 20 },
  ],
  waited: 3,
  failedTests: 2,
  releases: 7,
  onboardings: 1,
  steps: {
    "deploy.erase_nvme": { runs: 8, releases: 7, failed: 0, proves: ["storageSanitized"] },
    "bios.recommit": { runs: 4, releases: 3, failed: 0, proves: [] },
    "deploy.burnin_cpu": { runs: 4, releases: 3, failed: 1, proves: [] },
  },
};
const effects = (changes: Partial<OtherSettings>) =>
  foreseeSettings(settings, { ...settings, ...changes }, runs);

describe("limits", () => {
  it.each([
    [1, 3],
    [2, 2],
    [3, 0],
  ])("of %i in progress: %i began over it", (limit, over) => {
    expect(beganOverLimit(runs.inProgress, limit)).toBe(over);
  });
});

describe("a setting", () => {
  it("that is not changed has no row", () =>
    expect(effects({ validationTests: ["network", "memory"] })).toEqual([]));

  it.each<[string, Partial<OtherSettings>, object]>([
    ["a lower limit", { atWork: 2 }, { kind: "otherwise", reclamations: 2 }],
    ["a limit that was never reached", { atWork: 5 }, { kind: "same" }],
    ["a higher limit", { atWork: 20 }, { kind: "unknown", reclamations: 3 }],
    ["no limit", { atWork: null }, { kind: "unknown" }],
    [
      "a test more",
      { validationTests: ["memory", "network", "gpu"] },
      { kind: "unknown", reclamations: null },
    ],
    ["a test less", { validationTests: ["memory"] }, { kind: "unknown", reclamations: 2 }],
    ["no test", { validationTests: [] }, { kind: "otherwise", reclamations: 2 }],
    ["no automated cleaning", { automatedClean: false }, { kind: "otherwise", reclamations: 7 }],
    ["an erase disabled", { priorities: { "deploy.erase_nvme": 0 } }, { kind: "otherwise", reclamations: 7 }],
    ["a step disabled on which nothing rests", { priorities: { "bios.recommit": 0 } }, { kind: "same" }],
    [
      "a step disabled at which some stopped",
      { priorities: { "deploy.burnin_cpu": 0 } },
      { kind: "unknown" },
    ],
    ["a step disabled that never ran", { priorities: { "raid.x": 0 } }, { kind: "same" }],
    ["another order", { priorities: { "deploy.erase_nvme": 5 } }, { kind: "unknown" }],
  ])("%s", (_what, changes, effect) => {
    expect(effects(changes)).toMatchObject([effect]);
  });

  it("switched on tells nothing of hosts that were not cleaned", () => {
    expect(foreseeSettings({ ...settings, automatedClean: false }, settings, runs)).toMatchObject([
      { kind: "unknown" },
    ]);
  });
});
