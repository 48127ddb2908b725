// The brake: which groups it applies to, and which hosts it holds back.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  brakeDimensions,
  brakeOn,
  failuresOf,
  findBrakes,
  suspects,
} from "@/server/domain/cleaning/queue/brake";
import type { Group, RecentCleaning } from "@/server/domain/cleaning/queue/brake";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";

const limits = defaultPolicy().brake;
const model = (value: string): Group => ({ dimension: "model", value });
const firmware = (value: string): Group => ({ dimension: "driveFirmware", value });
const step = (value: string): Group => ({ dimension: "step", value });
const many = (
  count: number,
  from: number,
  failed: boolean,
  ...groups: readonly Group[]
): readonly RecentCleaning[] =>
  Array.from({ length: count }, (_, index) => ({ hostId: `h${from + index}`, failed, groups }));

describe("the brake", () => {
  it("is found where more than 5 % and at least 10 hosts failed, beyond chance", () => {
    expect(
      findBrakes(
        [
          ...many(10, 0, true, model("A")),
          ...many(50, 100, false, model("A")),
          ...many(140, 900, false, model("B")),
        ],
        limits,
      ),
    ).toEqual([
      {
        dimension: "model",
        value: "A",
        failed: 10,
        started: 60,
        message:
          "10 of 60 hosts with model A failed. Of 140 hosts without it, 0 failed. Chance does that less than once in 10,000 looks.",
      },
    ]);
  });

  const hosts = (having: number) => ({ hosts: 200, having: () => having });
  it.each([
    [
      "a step that 18 of 200 hosts lack, with ten scattered failures",
      [
        ...many(10, 0, true, step("deploy.erase_nvme")),
        ...many(172, 100, false, step("deploy.erase_nvme")),
        ...many(18, 900, false, step("deploy.erase_hdd")),
      ],
      undefined,
    ],
    ["a model that 199 of 200 hosts have", many(12, 0, true, model("A")), hosts(199)],
    [
      "a model of half the hosts, with 14 of 22 failures: chance does that often",
      [
        ...many(14, 0, true, model("A")),
        ...many(86, 100, false, model("A")),
        ...many(8, 300, true, model("B")),
        ...many(92, 400, false, model("B")),
      ],
      hosts(100),
    ],
    [
      "one drive that failed in ten hosts, one after the other",
      many(12, 0, true, model("A")).map((trip) => ({ ...trip, drives: ["PM9A3 S1"] })),
      hosts(20),
    ],
  ])("is not found for %s", (_what, trips, share) => expect(findBrakes(trips, limits, share)).toEqual([]));

  it.each([
    ["nine hosts", [...many(9, 0, true, model("A"))]],
    [
      "ten of two hundred: not more than 5 %",
      [...many(10, 0, true, model("A")), ...many(190, 100, false, model("A"))],
    ],
    [
      "ten with nothing in common",
      Array.from({ length: 10 }, (_, index) => many(1, index, true, model(String(index)))).flat(),
    ],
    ["nothing", []],
  ])("is not found for %s", (_what, trips) => expect(findBrakes(trips, limits)).toEqual([]));

  it("names the narrowest group, and what else its failures have in common, once", () => {
    const trips = [
      ...many(12, 0, true, model("A"), firmware("F1"), step("deploy.erase_nvme")),
      ...many(30, 100, false, model("A"), firmware("F2"), step("deploy.erase_nvme")),
    ];
    expect(findBrakes(trips, limits)).toEqual([
      {
        dimension: "driveFirmware",
        value: "F1",
        failed: 12,
        started: 12,
        message:
          "12 of 12 hosts with drive firmware F1 failed. Of 30 hosts without it, 0 failed. Chance does that less than once in 10,000 looks. All or nearly all hosts have model A, clean step deploy.erase_nvme, which does not explain it.",
      },
    ]);
  });

  describe("for what every host has", () => {
    const share = (hosts: number, having: number) => ({
      hosts,
      having: ({ dimension }: Group) => (dimension === "step" ? null : having),
    });
    const image = (value: string): Group => ({ dimension: "image", value });
    it("is not put on: it would pause the site and tells no host from another", () => {
      expect(findBrakes(many(12, 0, true, model("A")), limits, share(200, 200))).toEqual([]);
      const failed = many(12, 0, true, image("1.4"));
      expect(findBrakes([...failed, ...many(30, 500, false, image("1.4"))], limits, share(200, 200))).toEqual(
        [],
      );
      expect(findBrakes(failed, limits, share(200, 30))).toMatchObject([
        {
          message:
            "12 of 12 hosts with image version 1.4 failed. Of the other 188 hosts of the site, 18 have image version 1.4.",
        },
      ]);
    });
    it("is put on for a step only where it fails on most hosts", () => {
      const run = (failed: number, ok: number) => [
        ...many(failed, 0, true, step("raid.delete_configuration")),
        ...many(ok, 500, false, step("raid.delete_configuration")),
      ];
      expect(findBrakes(run(12, 30), limits)).toEqual([]);
      expect(findBrakes(run(22, 20), limits)).toMatchObject([{ dimension: "step", failed: 22 }]);
    });
    it("is put on for an agent image only where it fails on most hosts, and after a step that explains as much", () => {
      const run = (failed: number, ok: number, ...groups: readonly Group[]) => [
        ...many(failed, 0, true, image("1.4"), model("A"), ...groups),
        ...many(ok, 500, false, image("1.4"), model("A"), ...groups),
      ];
      expect(findBrakes(run(21, 21), limits, share(200, 200))).toEqual([]);
      expect(findBrakes(run(22, 20), limits, share(200, 200))).toMatchObject([
        { dimension: "image", value: "1.4", failed: 22 },
      ]);
      expect(findBrakes(run(9, 0), limits, share(200, 200))).toEqual([]);
      expect(findBrakes(run(22, 20, step("deploy.erase_nvme")), limits, share(200, 200))).toMatchObject([
        { dimension: "step", failed: 22 },
      ]);
    });
    it("asks for the share of groups with enough failed hosts only", () =>
      expect(suspects([...many(12, 0, true, model("A")), ...many(3, 50, true, model("B"))], limits)).toEqual([
        model("A"),
      ]));
  });

  it("finds two causes side by side", () => {
    expect(
      findBrakes(
        [...many(12, 0, true, firmware("F1")), ...many(11, 50, true, firmware("F2"))],
        limits,
        hosts(30),
      ).map(({ value }) => value),
    ).toEqual(["F1", "F2"]);
  });

  it("counts a host that was retried once", () => {
    expect(
      findBrakes(
        [...many(9, 0, true, model("A")), ...many(9, 0, true, model("A")), ...many(9, 0, false, model("A"))],
        limits,
      ),
    ).toEqual([]);
  });

  describe("for any cleanings", () => {
    const group = fc.record({
      dimension: fc.constantFrom(...brakeDimensions),
      value: fc.constantFrom("a", "b"),
    });
    const trip = fc.record({
      hostId: fc.nat(60).map(String),
      failed: fc.boolean(),
      groups: fc.uniqueArray(group, {
        maxLength: 4,
        selector: ({ dimension, value }) => `${dimension}${value}`,
      }),
      drives: fc.uniqueArray(fc.nat(40).map(String), { maxLength: 2 }),
    });
    const trips = fc.array(trip, { maxLength: 80 });
    const named = (found: readonly { dimension: string; value: string }[]) =>
      found.map(({ dimension, value }) => `${dimension} ${value}`);

    it("never brakes a group below the limits", () =>
      fc.assert(
        fc.property(trips, (all) => {
          for (const found of findBrakes(all, limits)) {
            expect(found.failed).toBeGreaterThanOrEqual(limits.hosts);
            expect((found.failed * 100) / found.started).toBeGreaterThan(limits.percent);
          }
        }),
        { numRuns: 300 },
      ));

    it("does not depend on the order of the hosts", () =>
      fc.assert(
        fc.property(
          trips.chain((all) =>
            fc.tuple(
              fc.constant(all),
              fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }),
            ),
          ),
          ([all, shuffled]) => {
            expect(named(findBrakes(shuffled, limits))).toEqual(named(findBrakes(all, limits)));
          },
        ),
        { numRuns: 300 },
      ));

    it("engages nothing because hosts with the same parts did not fail", () =>
      fc.assert(
        fc.property(trips, fc.integer({ min: 1, max: 40 }), (all, count) => {
          fc.pre(findBrakes(all, limits).length === 0);
          const groups = all.flatMap((each) => each.groups);
          expect(findBrakes([...all, ...many(count, 500, false, ...groups)], limits)).toEqual([]);
        }),
        { numRuns: 300 },
      ));

    it("counts a drive once, in however many hosts it failed", () =>
      fc.assert(
        fc.property(trips, trip, (all, repeated) => {
          const again = (hostId: string) => ({ ...repeated, hostId, failed: true, drives: ["moved"] });
          expect(named(findBrakes([...all, again("x"), again("y"), again("z")], limits))).toEqual(
            named(findBrakes([...all, again("x")], limits)),
          );
        }),
        { numRuns: 300 },
      ));
  });

  it("holds back hosts of its group only", () => {
    const facts = { has: { model: ["A"], driveFirmware: ["F1", "F2"], image: [], step: [] }, unknown: [] };
    const on = (group: Group) => ({ ...group, narrowedTo: null });
    expect(brakeOn([on(firmware("F2"))], facts)).toEqual(on(firmware("F2")));
    expect(brakeOn([on(model("B")), on(step("F2"))], facts)).toBeNull();
  });

  it("holds back only its part, once the rest of its group was let go on", () => {
    const facts = { has: { model: ["A"], driveFirmware: ["F1", "F2"], image: [], step: [] }, unknown: [] };
    const narrowed = (value: string) => ({
      ...model("A"),
      narrowedTo: [{ dimension: "driveFirmware" as const, value }],
    });
    expect(brakeOn([narrowed("F3")], facts)).toBeNull();
    expect(brakeOn([narrowed("F3"), narrowed("F2")], facts)).toEqual(narrowed("F2"));
    expect(brakeOn([narrowed("F3")], { ...facts, unknown: ["driveFirmware"] })).not.toBeNull();
    expect(brakeOn([{ ...narrowed("F2"), ...model("B") }], facts)).toBeNull();
  });

  it("stands for the failures of its group that no brake before it explains", () => {
    const failed = (id: string, ...groups: readonly Group[]): RecentCleaning => ({
      ...{ hostId: `h-${id}`, reclamationId: id, failed: true, groups },
    });
    const trips = [
      failed("1", firmware("F1"), model("A")),
      failed("2", model("A")),
      { ...failed("3", firmware("F1")), failed: false },
      failed("4", model("B")),
    ];
    expect(failuresOf(trips, [firmware("F1"), model("A")]).map(({ failures }) => failures)).toEqual([
      ["1"],
      ["2"],
    ]);
  });
});
