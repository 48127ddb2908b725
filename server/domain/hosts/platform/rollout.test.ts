// Which hosts a rollout lets in: never more than its stages allow, none while it is paused, and whoever was let in stays in.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { firmwareSettings } from "@/server/domain/cleaning/steps/firmware";
import {
  firmwareImage,
  decideRollout,
  placesAt,
  readStage,
  rolloutRefusal,
  rolloutStages,
  stageText,
  withImages,
} from "@/server/domain/hosts/platform/rollout";
import type { RolloutFacts } from "@/server/domain/hosts/platform/rollout";

const stages = [{ hosts: 1 }, { percent: 10 }, { percent: 100 }];
const facts: RolloutFacts = {
  ...{ stages, stage: 0, paused: false, maxFailures: 2 },
  ...{ hosts: 25, taken: 0, failed: 0 },
};
const waiting = (number: number, change: { taken?: boolean; canUpdate?: boolean } = {}) =>
  Array.from({ length: number }, (_, index) => ({
    ...{ hostId: `h${index}`, taken: false, canUpdate: true },
    ...change,
  }));
const letIn = (given: Partial<RolloutFacts>, hosts: ReturnType<typeof waiting>) =>
  decideRollout({ ...facts, ...given }, hosts).hosts.filter(({ takes }) => takes).length;

it.each([
  [0, 25, 1],
  [1, 25, 3],
  [2, 25, 25],
  [1, 5, 1],
  [0, 0, 0],
])("stage %i of %i hosts has %i places", (stage, hosts, places) => {
  expect(placesAt(stages, stage, hosts)).toBe(places);
});

describe("a waiting host", () => {
  it("is let in first come, first served, until the stage is full", () => {
    expect(decideRollout(facts, waiting(3)).hosts.map(({ takes }) => takes)).toEqual([true, false, false]);
    expect(letIn({ stage: 1 }, waiting(5))).toBe(3);
    expect(letIn({ stage: 1, taken: 2 }, waiting(5))).toBe(1);
    expect(letIn({ stage: 1, taken: 3 }, waiting(5))).toBe(0);
  });
  it("is not let in while the rollout is paused, or when too many have failed, or if its BMC takes no update", () => {
    expect(letIn({ paused: true }, waiting(1))).toBe(0);
    expect(decideRollout({ ...facts, failed: 2 }, waiting(1))).toEqual({
      pauses: true,
      hosts: [{ hostId: "h0", takes: false }],
    });
    expect(decideRollout({ ...facts, failed: 1 }, []).pauses).toBe(false);
    expect(decideRollout({ ...facts, failed: 2, paused: true }, []).pauses).toBe(false);
    expect(letIn({}, waiting(1, { canUpdate: false }))).toBe(0);
  });
  it("that was let in before takes its version again, whatever else", () => {
    expect(letIn({ paused: true, taken: 1, failed: 9 }, waiting(1, { taken: true }))).toBe(1);
  });
  it("never brings more hosts in than the stages allow", () => {
    const stage = fc.oneof(
      fc.record({ hosts: fc.integer({ min: 1, max: 30 }) }),
      fc.record({ percent: fc.integer({ min: 1, max: 100 }) }),
    );
    fc.assert(
      fc.property(
        fc.array(stage, { minLength: 1, maxLength: 4 }),
        fc.nat(3),
        fc.nat(40),
        fc.nat(40),
        fc.array(fc.record({ taken: fc.boolean(), canUpdate: fc.boolean() }), { maxLength: 40 }),
        (drawn, open, hosts, taken, rows) => {
          const at = Math.min(open, drawn.length - 1);
          const found = decideRollout(
            { ...facts, stages: drawn, stage: at, hosts, taken },
            rows.map((row, index) => ({ hostId: String(index), ...row })),
          );
          const added = found.hosts.filter(
            ({ takes }, index) => takes && rows[index]?.taken === false,
          ).length;
          expect(added).toBeLessThanOrEqual(Math.max(0, placesAt(drawn, at, hosts) - taken));
          expect(found.hosts).toHaveLength(rows.length);
        },
      ),
    );
  });
});

it("reads and writes stages as people do; the last one is all hosts", () => {
  expect(["1", "10%", "2.5 %", " 100% "].map(readStage)).toEqual([
    { hosts: 1 },
    { percent: 10 },
    { percent: 2.5 },
    { percent: 100 },
  ]);
  expect(["", "0", "1.5", "101%", "ten"].map(readStage)).toEqual([null, null, null, null, null]);
  expect(stages.map(stageText)).toEqual(["1 host", "10 %", "100 %"]);
  expect(rolloutStages.safeParse(stages).success).toBe(true);
  expect(rolloutStages.safeParse([{ hosts: 5 }]).success).toBe(false);
});

const image = (component: string, version: string) => ({
  ...{ component, version, url: "http://images.example/a.exe", checksum: "a".repeat(64) },
});
const over = [
  { component: "BIOS", version: "1.8" },
  { component: "NIC", version: "22" },
];

it("replaces what is named and keeps the rest", () => {
  expect(withImages(over, [image("BIOS", "1.9")])).toEqual([{ component: "BIOS", version: "1.9" }, over[1]]);
});

it.each([
  ["http://images.example/a.exe", null],
  ["HTTPS://images.example:8443/a.exe?sig=1", null],
  ["nfs://images.example/a.exe", /http:\/\/ or https:/],
  ["ftp://u:hunter2@images.example/a.exe", /http:\/\/ or https:/],
  ["https://u:hunter2@images.example/a.exe", /no user and no password/],
  ["https://token@images.example/a.exe", /no user and no password/],
  ["images.example/a.exe", /http:\/\/ or https:/],
])("takes a file of an address that it can read and that holds no secret: %s", (url, words) => {
  const asked = [
    [firmwareImage, { ...image("BIOS", "1.9"), url }],
    [firmwareSettings, [{ component: "BIOS", checksum: "a".repeat(64), url }]],
  ] as const;
  for (const [schema, value] of asked) {
    const parsed = schema.safeParse(value);
    expect(parsed.success).toBe(words === null);
    if (words !== null) expect(parsed.error?.message).toMatch(words);
    expect(parsed.error?.message ?? "").not.toMatch(/hunter2|token/);
  }
});

it("refuses what the SKU does not name, twice the same, and what it names already", () => {
  expect(rolloutRefusal("R750", over, [image("BIOS", "1.9")])).toBeNull();
  expect(rolloutRefusal("R750", over, [image("GPU", "1")])).toContain("does not name GPU");
  expect(rolloutRefusal("R750", [], [image("BIOS", "1")])).toContain("does not name BIOS");
  expect(rolloutRefusal("R750", over, [image("BIOS", "1.9"), image("BIOS", "2")])).toContain("named twice");
  expect(rolloutRefusal("R750", over, [image("BIOS", "1.8")])).toContain("already names");
});
