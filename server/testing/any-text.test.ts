// Texts of any characters are what fast-check's own unit `binary` makes.
import fc from "fast-check";
import { expect, it } from "vitest";
import { anyText } from "@/server/testing/any-text";

it("has characters of every plane, no half ones, and words that are dangerous as names", () => {
  const drawn = fc.sample(anyText({ maxLength: 20 }), { numRuns: 5_000, seed: 1 });
  const codes = drawn.flatMap((text) => [...text].map((character) => character.codePointAt(0) ?? -1));
  expect(codes.filter((code) => code >= 0xd800 && code < 0xe000)).toEqual([]);
  expect(codes.some((code) => code < 0x80)).toBe(true);
  expect(codes.some((code) => code >= 0xe000 && code < 0x1_0000)).toBe(true);
  expect(codes.some((code) => code > 0x10_0000)).toBe(true);
  expect(drawn.some((text) => text.includes("__proto__") || text.includes("constructor"))).toBe(true);
});

it("makes texts as short as its limits say", () => {
  fc.assert(
    fc.property(anyText({ minLength: 2, maxLength: 3 }), (text) => [2, 3].includes([...text].length)),
  );
});
