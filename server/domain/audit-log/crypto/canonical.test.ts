// The fast path produces exactly what `canonicalize` does, also for values that it leaves to `canonicalize`.
import canonicalize from "canonicalize";
import { expect, it } from "vitest";
import { canonical } from "@/server/domain/audit-log/crypto/canonical";

const deep = (levels: number): unknown => (levels === 0 ? 1 : { b: [deep(levels - 1)], a: null });
const parsed = (text: string): unknown => JSON.parse(text);

it.each<[string, unknown]>([
  ["null", null],
  ["a text", 'ä\u2028\u0000"\\/'],
  ["numbers", [0, -0, 1.5, 1e21, 1e-7, 333333333.33333329, Number.MAX_SAFE_INTEGER]],
  ["members out of order", { b: 1, a: { d: true, c: [{ z: 1, y: "2" }] } }],
  ["names by UTF-16 code units", { "\ufb33": 1, "\u{1f600}": 2, "\u00f6": 3, "€": 4, A: 5, a: 6, "": 7 }],
  ["names that look like numbers", { b: 0, 10: "a", 9: "b", "1e2": "c" }],
  ["names that look like numbers, in order", { 1: "a", 20: "b", a: 0 }],
  ["names that look like numbers, above what is out of order", { 1: { b: 1, a: 2 }, a: 0 }],
  ["only a later member out of order", { a: 1, b: "x", c: { e: 1, d: 2 }, f: [] }],
  ["a member __proto__", parsed('{"z":1,"__proto__":{"b":1,"a":2}}')],
  ["members and items that are undefined", { b: undefined, a: [undefined, 1] }],
  ["what turns itself into JSON", { b: new Date(0), a: 1 }],
  ["deep values", deep(40)],
  ["very deep values", parsed(`${"[".repeat(5_000)}${"]".repeat(5_000)}`)],
  ["half a pair as text", { a: String.raw`\ud800` }],
])("%s", (_, value) => {
  expect(canonical(value)).toBe(canonicalize(value));
});

it("looks at each member once, however deep what is out of order", () => {
  let reads = 0;
  const nested = (levels: number): unknown =>
    Object.defineProperty({ z: levels, b: 0 }, "a", {
      enumerable: true,
      get: () => {
        reads += 1;
        return levels === 0 ? 1 : nested(levels - 1);
      },
    });
  expect(canonical(nested(14))).toMatch(/^\{"a":\{"a":/);
  expect(reads).toBe(15);
});

it("nothing is null", () => {
  expect(canonical(undefined)).toBe("null");
});

it.each<[string, unknown]>([
  ["half a surrogate pair", { a: "\ud800" }],
  ["half a pair in a name", { "\udc00": 1 }],
  ["no number", [Number.NaN]],
  ["infinity", { a: Number.POSITIVE_INFINITY }],
])("%s has no canonical form", (_, value) => {
  expect(() => canonical(value)).toThrow();
});
