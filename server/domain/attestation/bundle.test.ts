// What a bundle may expect, and how far measurements are from it.
import { expect, it } from "vitest";
import {
  bundleStanding,
  closestTo,
  differencesFrom,
  orderedValues,
  registersRefusal,
  valuesDigest,
} from "@/server/domain/attestation/bundle";

const values = { "0": "a", "4": "b", "9": "c", "10": "d" };

it("counts once another person approved it", () => {
  const of = (decision: string | null, voided = false) => bundleStanding("Obsolete", { decision, voided });
  expect([of(null), of("approved"), of("rejected"), of("approved", true)]).toEqual([
    "waits",
    "Obsolete",
    "rejected",
    "rejected",
  ]);
});

it("needs the registers of the program that booted, and only measured ones", () => {
  expect(registersRefusal([0, 4, 9], values)).toBeNull();
  expect(registersRefusal([0, 4], values)).toContain("registers 4 and 9");
  expect(registersRefusal([0, 9], values)).toContain("registers 4 and 9");
  expect(registersRefusal([4, 9, 11], values)).toBe("The boot was not measured in 11.");
});

it("orders registers by number, and has one digest for the same values", () => {
  expect(orderedValues(values).map(({ pcr }) => pcr)).toEqual([0, 4, 9, 10]);
  expect(valuesDigest(values)).toBe(valuesDigest({ "10": "d", "9": "c", "4": "b", "0": "a" }));
  expect(valuesDigest(values)).not.toBe(valuesDigest({ ...values, "0": "b" }));
});

it("says what differs from the closest bundle: what it does not expect is no reason to prefer another", () => {
  const near = { name: "near", values: { "4": "b", "9": "x" } };
  const far = { name: "far", values: { "0": "x", "4": "x", "9": "c", "10": "d" } };
  expect(closestTo([far, near], values)).toBe(near);
  expect(closestTo([], values)).toBeNull();
  expect(differencesFrom(near.values, values)).toEqual([
    { pcr: 0, found: "a", expected: null },
    { pcr: 9, found: "c", expected: "x" },
    { pcr: 10, found: "d", expected: null },
  ]);
});
