// Counts with their nouns, percentages, lists.
import { describe, expect, it } from "vitest";
import { formatCount, formatCounted, formatList, formatPercent } from "@/server/domain/numbers";

describe("numbers", () => {
  it("groups thousands", () => expect(formatCount(4018)).toBe("4,018"));
  it.each([
    [0, "0 hosts"],
    [1, "1 host"],
    [2, "2 hosts"],
    [4018, "4,018 hosts"],
  ])("counts %d", (count, words) => expect(formatCounted(count, "host")).toBe(words));
  it("takes the plural that it is given", () =>
    expect(formatCounted(2, "priority", "priorities")).toBe("2 priorities"));
  it.each([
    [0, 0, "0 %"],
    [37.5, 0, "38 %"],
    [100, 0, "100 %"],
    [97.62, 1, "97.6 %"],
    [3, 1, "3.0 %"],
  ])("%d with %d digits", (percent, digits, words) => expect(formatPercent(percent, digits)).toBe(words));
  it("lists", () => {
    expect(formatList(["BMC"])).toBe("BMC");
    expect(formatList(["BMC", "agent"])).toBe("BMC and agent");
  });
});
