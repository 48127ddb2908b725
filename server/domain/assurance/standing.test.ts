// The standing of each combination of gates and drives: nothing that departs reads proven, and no departure improves a standing.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hostStanding, standingOf, standings, worseOf } from "@/server/domain/assurance/standing";
import type { DriveResult, Standing, StandingFacts } from "@/server/domain/assurance/standing";
import { gateNames, gateStatuses, statusAsOfNow } from "@/server/domain/reclamations/gates/gate-names";
import type { GateName, GateStatus } from "@/server/domain/reclamations/gates/gate-names";
import { gateTally } from "@/server/domain/reclamations/gates/tally";

const satisfied = gateNames.map((gate) => ({ gate: String(gate), status: String("satisfied") }));
const good: StandingFacts = {
  kind: "release",
  fake: false,
  outcome: "ready",
  gates: satisfied,
  drives: ["sanitized"],
  missing: 0,
  skuHasDrives: true,
};
const gatesWith = (changed: Partial<Record<GateName, string>>) =>
  gateNames.map((gate) => ({ gate, status: changed[gate] ?? "satisfied" }));

it.each<[string, Partial<StandingFacts>, Standing]>([
  ["everything is satisfied", {}, "proven"],
  ["something does not apply", { gates: gatesWith({ infinibandClean: "not required" }) }, "proven"],
  ["the SKU has no drives", { drives: [], skuHasDrives: false }, "proven"],
  ["a gate is excepted", { gates: gatesWith({ memoryOverwritten: "excepted" }) }, "provenWithExceptions"],
  ["a gate is waived", { gates: gatesWith({ attestationPassed: "waived" }) }, "provenWithExceptions"],
  [
    "a gate is not built",
    { gates: gatesWith({ attestationPassed: "not implemented" }) },
    "provenWithExceptions",
  ],
  [
    "a step stopped, and two people let it",
    { gates: gatesWith({ cleanupCompleted: "excepted" }) },
    "provenWithExceptions",
  ],
  ["a person answered for a drive", { drives: ["sanitized", "stated"] }, "provenWithExceptions"],
  ["only people answered for the drives", { drives: ["stated"] }, "notSanitized"],
  [
    "a drive was let through",
    { drives: ["not sanitized"], gates: gatesWith({ storageSanitized: "excepted" }) },
    "notSanitized",
  ],
  [
    "a drive has no result, whatever its gate says",
    { drives: ["sanitized", "not sanitized"] },
    "notSanitized",
  ],
  ["a drive is missing", { missing: 1 }, "notSanitized"],
  ["no drive is listed, and the SKU has some", { drives: [] }, "notSanitized"],
  ["the erase was left out", { gates: gatesWith({ storageSanitized: "waived" }) }, "notSanitized"],
  [
    "the erase does not apply, says the gate",
    { gates: gatesWith({ storageSanitized: "not required" }) },
    "notSanitized",
  ],
  ["the cleaning was left out", { gates: gatesWith({ cleanupCompleted: "waived" }) }, "notSanitized"],
  ["a gate is unsatisfied", { gates: gatesWith({ healthy: "unsatisfied" }) }, "notProven"],
  ["a gate has a status of another release", { gates: gatesWith({ healthy: "fine" }) }, "notProven"],
  [
    "a gate of a machine reads fake",
    { gates: gatesWith({ healthy: "not required: fake hardware" }) },
    "notProven",
  ],
  ["a gate is not on record", { gates: satisfied.slice(1) }, "notProven"],
  ["it is open", { outcome: null }, "notProven"],
  ["it was abandoned", { outcome: "abandoned" }, "notProven"],
  ["it cleaned by hand", { kind: "manualCleaning" }, "notProven"],
  ["there is no machine", { fake: true }, "notChecked"],
  ["it rests on one that was proven", { kind: "recheck", restsOn: "proven" }, "proven"],
  ["it rests on one that was not sanitized", { kind: "recheck", restsOn: "notSanitized" }, "notSanitized"],
  [
    "it rests on one with exceptions",
    { kind: "recheck", restsOn: "provenWithExceptions" },
    "provenWithExceptions",
  ],
  ["what it rests on is not on record", { kind: "recheck", restsOn: null }, "notSanitized"],
])("where %s", (_what, changes, standing) => {
  expect(standingOf({ ...good, ...changes })).toBe(standing);
});

const facts = fc.record({
  kind: fc.constantFrom("release", "onboarding", "recheck", "repairRelease"),
  fake: fc.boolean(),
  outcome: fc.constantFrom("ready", "ready", "ready", "abandoned", null),
  gates: fc
    .tuple(
      ...gateNames.map(() =>
        fc.oneof(
          { weight: 8, arbitrary: fc.constant("satisfied" as const) },
          fc.constantFrom(...gateStatuses),
        ),
      ),
    )
    .map((statuses) => gateNames.map((gate, at) => ({ gate: String(gate), status: String(statuses[at]) }))),
  drives: fc.array(fc.constantFrom<DriveResult>("sanitized", "sanitized", "stated", "not sanitized"), {
    maxLength: 4,
  }),
  missing: fc.constantFrom(0, 0, 1),
  skuHasDrives: fc.boolean(),
  restsOn: fc.constantFrom<Standing | null | undefined>(undefined, ...standings, null),
});

describe("for any facts", () => {
  it("proven means that every gate is satisfied or does not apply, and every drive is erased and verified", () => {
    fc.assert(
      fc.property(facts, (one) => {
        if (standingOf(one) !== "proven") return;
        expect(
          one.gates
            .map(({ status }) => status)
            .filter((status) => status !== "satisfied" && status !== "not required"),
        ).toEqual([]);
        expect(new Set(one.drives)).toEqual(
          new Set(one.skuHasDrives || one.drives.length > 0 ? ["sanitized"] : []),
        );
        expect([one.fake, one.outcome, one.missing]).toEqual([false, "ready", 0]);
      }),
    );
  });

  it("no departure improves a standing", () => {
    const departures: readonly ((one: StandingFacts, at: number) => StandingFacts)[] = [
      ...(["excepted", "waived", "not implemented", "unsatisfied"] as const).map(
        (status) => (one: StandingFacts, at: number) => ({
          ...one,
          gates: one.gates.map((gate, index) =>
            index === at && gate.status === "satisfied" ? { ...gate, status } : gate,
          ),
        }),
      ),
      (one) => ({ ...one, drives: [...one.drives, "not sanitized" as const] }),
      (one) => ({ ...one, drives: one.drives.filter((drive) => drive !== "sanitized") }),
      (one) => ({ ...one, missing: one.missing + 1 }),
      (one, at) => ({ ...one, gates: one.gates.filter((_, index) => index !== at) }),
      (one) => ({ ...one, outcome: "abandoned" }),
    ];
    fc.assert(
      fc.property(facts, fc.nat(gateNames.length - 1), fc.constantFrom(...departures), (one, at, depart) => {
        const [before, after] = [standingOf(one), standingOf(depart(one, at))];
        expect(worseOf(before, after)).toBe(after);
      }),
    );
  });
});

it("a host has the standing of its newest reclamation, and none is better than unknown", () => {
  expect(hostStanding(false, null)).toBe("notChecked");
  expect(hostStanding(true, { standing: "proven" })).toBe("notChecked");
  expect(hostStanding(false, { standing: null })).toBe("notProven");
  expect(hostStanding(false, { standing: "a word of another release" })).toBe("notProven");
  expect(hostStanding(false, { standing: "notSanitized" })).toBe("notSanitized");
});

it.each<[readonly (GateStatus | "open")[], string]>([
  [Array.from({ length: 14 }, () => "satisfied" as const), "14 of 14 gates"],
  [
    [...Array.from({ length: 12 }, () => "satisfied" as const), "waived", "excepted"],
    "12 of 14 gates; 1 waived, 1 excepted",
  ],
  [["satisfied", "not required"], "1 of 1 gate"],
  [["not required: fake hardware"], "0 of 0 gates"],
  [["open", "not implemented", "unsatisfied"], "0 of 3 gates; 1 unsatisfied, 1 not checked, 1 open"],
])("a waived or excepted gate never counts as satisfied: %j", (statuses, words) => {
  expect(gateTally(statuses).words).toBe(words);
});

it.each([
  ["automated cleaning off", "waived"],
  ["deploy.erase_nvme disabled by site override", "waived"],
  ["the site's policy does not require measured boot", "waived"],
  ["the site's policy has no procedures", "not required"],
  ["a recheck cleans nothing", "not required"],
  ["the host has no InfiniBand device of its own", "not required"],
])("what an earlier release called not required, because %s, is %s", (reason, status) => {
  expect(statusAsOfNow("not required", reason)).toBe(status);
  expect(statusAsOfNow("satisfied", reason)).toBe("satisfied");
});
