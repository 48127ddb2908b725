// What different limits, tests and priorities would have changed: what the records show, and where they are said not to show it.
import { describe, expect, it } from "vitest";
import { testProcedure } from "@/server/domain/assurance/procedures/testing/procedures";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import type { Policy } from "@/server/domain/cleaning/policy/policy";

import type { RecordedGates } from "@/server/domain/cleaning/policy/gates-effect";
import { beganOverLimit } from "@/server/domain/cleaning/policy/limits-effect";
import { foreseeSettings } from "@/server/domain/cleaning/policy/settings-effect";
import type { OtherSettings, RecordedRuns } from "@/server/domain/cleaning/policy/settings-effect";

const base = defaultPolicy();
const none = {
  platformAtBaseline: false,
  deviceMemoryCleared: false,
  attestationPassed: false,
  healthy: false,
  assuranceSigned: false,
};
const inForce: Policy = {
  ...base,
  automatedClean: true,
  validationTests: ["memory", "network"],
  admission: { ...base.admission, atWork: 10 },
};
const settings: OtherSettings = { policy: inForce, priorities: {} };
const gates: RecordedGates = {
  demo: false,
  becameReady: 7,
  held: [
    { gates: ["healthy"], others: false, count: 2 },
    { gates: ["healthy", "assuranceSigned"], others: false, count: 3 },
    { gates: ["healthy"], others: true, count: 1 },
  ],
  hosts: { ready: 4, withTenant: 5, inProgress: 1, held: [{ gates: ["healthy"], others: false, count: 1 }] },
};
const runs: RecordedRuns = {
  inProgress: [
    { fromMs: 0, untilMs: 10, powerDomain: "a" },
    { fromMs: 5, untilMs: 15, powerDomain: "a" },
    { fromMs: 8, untilMs: null, powerDomain: "b" },
    { fromMs: 10, untilMs: 20, powerDomain: null },
  ],
  waited: 3,
  failedTests: 2,
  releases: 7,
  onboardings: 1,
  gates,
  steps: {
    "deploy.erase_nvme": { runs: 8, releases: 7, failed: 0, proves: ["storageSanitized"] },
    "bios.recommit": { runs: 4, releases: 3, failed: 0, proves: [] },
    "deploy.burnin_cpu": { runs: 4, releases: 3, failed: 1, proves: [] },
  },
};
type Changes = Partial<Policy> & { readonly priorities?: OtherSettings["priorities"] };
const effects = ({ priorities = {}, ...changes }: Changes) =>
  foreseeSettings(settings, { policy: { ...inForce, ...changes }, priorities }, runs);
const limits = (changes: Partial<Policy["admission"]>): Changes => ({
  admission: { ...inForce.admission, ...changes },
});

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

  it.each<[string, Changes, object]>([
    ["a lower limit", limits({ atWork: 2 }), { kind: "otherwise", reclamations: 2 }],
    ["a limit that was never reached", limits({ atWork: 5 }), { kind: "same" }],
    ["a higher limit", limits({ atWork: 20 }), { kind: "unknown", reclamations: 3 }],
    ["no limit", limits({ atWork: null }), { kind: "unknown" }],
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
    expect(
      foreseeSettings({ ...settings, policy: { ...inForce, automatedClean: false } }, settings, runs),
    ).toMatchObject([{ kind: "unknown" }]);
  });
});

describe("limits of power domains", () => {
  it("are told of each domain whose limit differs", () => {
    expect(effects(limits({ perPowerDomain: 1 }))).toMatchObject([
      { setting: "Hosts in progress in power domain a", kind: "otherwise", reclamations: 1 },
      { setting: "Hosts in progress in power domain b", kind: "same" },
    ]);
    expect(effects(limits({ powerDomains: { b: 1 } }))).toMatchObject([
      { setting: "Hosts in progress in power domain b", kind: "same" },
    ]);
  });

  it("are told to bear on nothing where no host has one", () => {
    const bare = { ...runs, inProgress: [] };
    const after = { ...settings, policy: { ...inForce, ...limits({ perPowerDomain: 1 }) } };
    expect(foreseeSettings(settings, after, bare)).toMatchObject([
      { setting: "Hosts in progress per power domain", kind: "same" },
    ]);
  });
});

describe("what no record tells", () => {
  it.each<[string, Changes, string]>([
    ["boots", limits({ bootsPerMinute: 3 }), "Boots per minute and segment"],
    ["a segment's boots", limits({ segments: { a: 1 } }), "Boots per minute, by segment"],
    [
      "releases of a tenant",
      limits({ tenantReleasesPerHour: 1 }),
      "Releases per tenant and hour beyond its quota",
    ],
    ["a time limit", { times: { ...base.times, stateMs: 1 } }, "Time limits: state"],
    ["attempts", { attempts: { ...base.attempts, agent: 7 } }, "attempts of a step by the agent"],
    ["the brake", { brake: { ...base.brake, hosts: 3 } }, ""],
    ["networks", { provisioningNetworks: ["10.0.0.0/8"] }, ""],
  ])("is unknown: %s", (_what, changes, setting) => {
    expect(effects(changes)).toMatchObject([{ kind: "unknown", setting: expect.stringContaining(setting) }]);
  });

  it("is unknown of a priority that is removed", () => {
    const before = { ...settings, priorities: { "deploy.erase_nvme": 5 } };
    expect(foreseeSettings(before, settings, runs)).toMatchObject([{ kind: "unknown" }]);
  });

  it("leaves no setting of the policy without a row but those of the erase", () => {
    const { sanitization: _, ...others } = inForce;
    const changed: Policy = {
      ...inForce,
      automatedClean: false,
      validationTests: [],
      requires: none,
      attempts: { agent: 7, controller: 7 },
      admission: { ...inForce.admission, atWork: 1 },
      brake: { percent: 1, hosts: 1, windowMs: 1 },
      provisioningNetworks: ["10.0.0.0/8"],
      requiredSteps: ["vendor.check"],
      autoRepair: true,
      reflashFirmware: true,
      procedures: [testProcedure()],
      attestation: "observe",
      changesNeedApproval: true,
      proofMaxAgeDays: 30,
      times: { ...base.times, stateMs: 1 },
    };
    for (const name of Object.keys(others))
      expect(effects({ ...inForce, [name]: Reflect.get(changed, name) }).length, name).toBeGreaterThan(0);
  });
});

describe("a gate that a site", () => {
  const told = (before: Policy["requires"], after: Policy["requires"], recorded = gates) =>
    foreseeSettings(
      { ...settings, policy: { ...inForce, requires: before } },
      { ...settings, policy: { ...inForce, requires: after } },
      { ...runs, gates: recorded },
    );

  it("begins to require holds nothing more where the gate is checked", () =>
    expect(told(none, { ...none, healthy: true })).toMatchObject([{ kind: "same", reclamations: 0 }]));

  it("begins to require asks for procedures, where the policy names any", () =>
    expect(told(none, { ...none, assuranceSigned: true })).toMatchObject([
      { kind: "unknown", words: expect.stringContaining("without procedures holds no host") },
    ]));

  it("begins to require compares the platform, which earlier reclamations did not read", () =>
    expect(told(none, { ...none, platformAtBaseline: true })).toMatchObject([
      { kind: "unknown", words: expect.stringContaining("no platform baseline") },
    ]));

  it("begins to require holds what became Ready without being measured", () => {
    expect(told(none, { ...none, attestationPassed: true })).toEqual([
      {
        setting: "Gate attestationPassed",
        kind: "otherwise",
        reclamations: 7,
        words: expect.stringMatching(
          /^7 became Ready.*Ready \(4\) and with a tenant \(5\).*progress \(1\) keep/,
        ),
      },
    ]);
  });

  it("begins to require holds every later host, also where none became Ready yet", () => {
    const empty = { ...gates.hosts, ready: 0, withTenant: 0, inProgress: 0 };
    expect(
      told(none, { ...none, attestationPassed: true }, { ...gates, becameReady: 0, hosts: empty }),
    ).toMatchObject([
      { kind: "otherwise", reclamations: 0, words: expect.stringMatching(/so is every new host/) },
    ]);
  });

  it("begins to require holds nothing on a demo site", () => {
    expect(told(none, { ...none, healthy: true }, { ...gates, demo: true })).toMatchObject([
      { kind: "same" },
    ]);
  });

  it("ceases to require lets those pass that nothing else holds", () => {
    const all = { ...none, healthy: true, assuranceSigned: true };
    expect(told(all, { ...all, healthy: false })).toMatchObject([
      { reclamations: 2, words: expect.stringMatching(/^2 of 6 .* holds now: 1, 1 of them/) },
    ]);
    expect(told(all, none)).toMatchObject([
      { setting: "Gate healthy", reclamations: 5 },
      { setting: "Gate assuranceSigned", reclamations: 3 },
    ]);
    expect(told(all, { ...none, attestationPassed: true })).toMatchObject([
      { setting: "Gate attestationPassed", kind: "otherwise" },
      { setting: "Gate healthy", reclamations: 0 },
      { setting: "Gate assuranceSigned", reclamations: 0 },
    ]);
  });

  it("ceases to require, and that held nothing, changes nothing", () => {
    expect(told({ ...none, attestationPassed: true }, none)).toMatchObject([{ kind: "same" }]);
  });
});
