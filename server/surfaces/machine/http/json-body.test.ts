// Bodies that could harm later code are refused, and no others.
import { describe, expect, it } from "vitest";
import { deepest, jsonDepth, MalformedBody, parseJson } from "@/server/surfaces/machine/http/json-body";

describe("parseJson", () => {
  it.each([
    '{"a":[1,2,{"b":null}]}',
    '"\\\\u0000"',
    '"\\ud83d\\ude00"',
    '"\u{1F600}"',
    '{"proto":"__proto__"}',
    '"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["',
  ])("takes %s", (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it.each([
    ["nothing", ""],
    ["white space", " \n"],
    ["half an object", '{"a":'],
    ["NUL in a text", '{"a":["x\\u0000y"]}'],
    ["NUL in a key", '{"\\u0000":1}'],
    ["half a surrogate pair", '"\\ud83d"'],
    ["a prototype", '{"a":{"__proto__":{"b":1}}}'],
    ["an escaped prototype", '{"a":[{"\\u005f\\u005Fproto__":1}]}'],
    ["too deep an array", "[".repeat(deepest + 1) + "]".repeat(deepest + 1)],
    ["a million brackets", "[".repeat(1_000_000)],
  ])("refuses %s", (_what, text) => expect(() => parseJson(text)).toThrow(MalformedBody));
});

describe("jsonDepth", () => {
  it.each([
    ["1", 0],
    ["[]", 1],
    ['{"a":[{}]}', 3],
    ['["[[[\\"[["]', 1],
    ['"\\\\"', 0],
    ["[[1],[2]]", 2],
  ] as const)("of %s is %d", (text, depth) => expect(jsonDepth(text, 100)).toBe(depth));
});
