// The table of quirks: each row has a vendor, a difference and a source, and matches only the models and firmware ranges it lists.
import { describe, expect, it } from "vitest";
import { hasQuirk, isQuirkOf, quirks } from "@/server/domain/hardware/quirks";
import type { Quirk } from "@/server/domain/hardware/quirks";

describe("the table of quirks", () => {
  it.each(Object.entries<Quirk>(quirks))(
    "%s says whose it is, what differs and who says so",
    (_name, row) => {
      for (const words of [row.vendor, row.differs, row.source]) expect(words.trim()).not.toBe("");
      // An unanchored pattern would also match anything that merely mentions the model.
      expect(row.model.source).toMatch(/^\^/);
      expect(row.model.flags).not.toMatch(/[gy]/);
    },
  );

  it.each([
    ["bootCard", "BOSS-S2", true],
    ["bootCard", "boss-n1", true],
    ["bootCard", "EMBOSSED", false],
    ["raidKit", "M.2 SATA 2-Bay RAID Kit", true],
    ["raidKit", "M.2 NVMe 2-Bay RAID Kit", true],
    ["raidKit", "M.2 NVMe 2-Bay RAID Kit 2", false],
    ["nvmeRaidKit", "M.2 NVMe 2-Bay RAID Kit   ", true],
    ["nvmeRaidKit", "M.2 SATA 2-Bay RAID Kit", false],
    ["nvmeRaidKit", null, false],
  ] as const)("%s of %j: %s", (name, model, has) => expect(hasQuirk(name, { model })).toBe(has));
});

describe("a range of firmware", () => {
  const row = (firmware: Quirk["firmware"]): Quirk => ({
    vendor: "V",
    model: /^M$/,
    firmware,
    differs: "d",
    source: "s",
  });
  const has = (range: Quirk["firmware"], firmware: string | null) =>
    isQuirkOf(row(range), { model: "M", firmware });

  it.each([
    [{ before: "7.10" }, "7.9.30", true],
    [{ before: "7.10" }, "7.10", false],
    [{ from: "2.5" }, "2.4.99", false],
    [{ from: "2.5" }, "2.5", true],
    [{ from: "2.5", before: "3" }, "2.13.1", true],
    [{ from: "2.5", before: "3" }, "3.0", false],
    [null, "1", true],
  ])("%j and %s: %s", (range, firmware, expected) => expect(has(range, firmware)).toBe(expected));

  it("counts a firmware that nobody knows as one that has it, but no other model", () => {
    expect([has({ before: "1" }, null), has({ before: "1" }, " ")]).toEqual([true, true]);
    expect(isQuirkOf(row(null), { model: "N" })).toBe(false);
  });
});
