// What two readings of the canaries show together.
import { describe, expect, it } from "vitest";
import { canariesWanted, countOf, maskOf, probeOutcome } from "@/server/domain/cleaning/sanitization/probe";

const mask = (...set: number[]) => maskOf(Array.from({ length: 12 }, (_, index) => set.includes(index)));
const all = mask(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
const erase = { areas: "1/100/512", written: all, read: all, found: mask(), renewed: false };
const later = { areas: "1/100/512", read: all, found: mask() };

describe("a probe", () => {
  it("counts places that were written and could be read in the final boot", () => {
    expect(probeOutcome(erase, later)).toEqual({ places: 12, remnants: 0 });
    expect(probeOutcome({ ...erase, written: mask(1, 2, 9) }, { ...later, read: mask(2, 9, 10) })).toEqual({
      places: 2,
      remnants: 0,
    });
  });

  it("counts those of the first reading where namespaces were renewed, the drive is divided otherwise, or nothing came", () => {
    const first = { ...erase, read: mask(1, 2, 3) };
    expect(probeOutcome({ ...first, renewed: true }, later).places).toBe(3);
    expect(probeOutcome(first, { ...later, areas: "1/90/512" }).places).toBe(3);
    expect(probeOutcome(first, null).places).toBe(3);
  });

  it("has a remnant wherever either reading found one", () => {
    const both = probeOutcome({ ...erase, found: mask(1, 11) }, { ...later, found: mask(1, 3) });
    expect(both.remnants).toBe(3);
    expect(probeOutcome({ ...erase, renewed: true }, { ...later, found: mask(3) }).remnants).toBe(1);
    expect(
      probeOutcome({ ...erase, read: mask() }, { areas: "other", read: mask(), found: mask(3) }),
    ).toEqual({ places: 1, remnants: 1 });
  });

  it("is of as many canaries as the policy says, and of 256 where it requires one and says none", () => {
    expect(canariesWanted({ canariesPerDevice: 0, requireProbe: false })).toBe(0);
    expect(canariesWanted({ canariesPerDevice: 9, requireProbe: true })).toBe(9);
    expect(canariesWanted({ canariesPerDevice: 0, requireProbe: true })).toBe(256);
    expect([countOf(""), countOf(all)]).toEqual([0, 12]);
  });
});
