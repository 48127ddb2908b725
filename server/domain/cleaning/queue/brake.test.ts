// The brake: which groups it applies to, and which hosts it holds back.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { brakeDimensions, brakeOn, findBrakes, suspects } from "@/server/domain/cleaning/queue/brake";
import type { Group, RecentCleaning } from "@/server/domain/cleaning/queue/brake";
import { defaultPolicy } from "@/server/domain/cleaning/policy";

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
  it("is found where more than 5 % and at least 10 hosts failed", () => {
    expect(
      findBrakes(
        [
          ...many(10, 0, true, model("A")),
          ...many(100, 100, false, model("A")),
          ...many(1, 900, false, model("B")),
        ],
        limits,
      ),
    ).toEqual([
      {
        dimension: "model",
        value: "A",
        failed: 10,
        started: 110,
        message: "10 of 110 hosts with model A failed.",
      },
    ]);
  });

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
          "12 of 12 hosts with drive firmware F1 failed. Every host has model A, clean step deploy.erase_nvme, so that is no distinction.",
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
      findBrakes([...many(12, 0, true, firmware("F1")), ...many(11, 50, true, firmware("F2"))], limits).map(
        ({ value }) => value,
      ),
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

  it("never brakes a group below the limits", () => {
    const group = fc.record({
      dimension: fc.constantFrom(...brakeDimensions),
      value: fc.constantFrom("a", "b"),
    });
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            hostId: fc.nat(60).map(String),
            failed: fc.boolean(),
            groups: fc.uniqueArray(group, {
              maxLength: 4,
              selector: ({ dimension, value }) => `${dimension}${value}`,
            }),
          }),
          { maxLength: 80 },
        ),
        (trips) => {
          for (const found of findBrakes(trips, limits)) {
            expect(found.failed).toBeGreaterThanOrEqual(limits.hosts);
            expect((found.failed * 100) / found.started).toBeGreaterThan(limits.percent);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it("holds back hosts of its group only", () => {
    const facts = { model: ["A"], driveFirmware: ["F1", "F2"], image: [], step: [] };
    expect(brakeOn([firmware("F2")], facts)).toEqual(firmware("F2"));
    expect(brakeOn([model("B"), step("F2")], facts)).toBeNull();
  });
});
