// Characters that PostgreSQL refuses are replaced, and nothing else is changed.
import { expect, it } from "vitest";
import { jsonText } from "@/server/db/hot/json-text";

it("replaces NUL and halves of pairs, deep inside", () => {
  expect(JSON.parse(jsonText({ a: [{ b: "x\u0000y" }], c: "\ud800z" }))).toEqual({
    a: [{ b: "x\uFFFDy" }],
    c: "\uFFFDz",
  });
});

it.each(["plain", "a backslash: \\u0000", "a pair: \u{1F600}", "line\nbreak"])(
  "leaves %j as it is",
  (text) => {
    expect(jsonText({ text })).toBe(JSON.stringify({ text }));
  },
);
