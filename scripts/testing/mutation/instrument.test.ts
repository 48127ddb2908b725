// What a mark disables, in TypeScript and in SQL.
import { transform } from "esbuild";
import { afterEach, describe, expect, it } from "vitest";
import { instrument } from "@/scripts/testing/mutation/instrument.mjs";
import { parseNames } from "@/scripts/testing/mutation/names.mjs";
import type { Listed } from "@/scripts/testing/mutation/names.mjs";
import { breakSql } from "@/scripts/testing/mutation/sql.mjs";

const state: { out: string | null } = { out: null };
Object.assign(globalThis, { __mutationTest: state });
afterEach(() => {
  state.out = null;
});

/** The result of `body`, with its marks and what is listed, for 5: with every check in place, and with `x` disabled. */
async function answers(body: string, listed: readonly Listed[] = []): Promise<unknown[]> {
  const { code } = instrument("a.ts", `function f(n: number): unknown { ${body} }\nreturn f(5);`, listed);
  const switched = code.replaceAll(
    "globalThis.__safety?.(",
    "((name) => globalThis.__mutationTest.out === name)(",
  );
  const { code: plain } = await transform(`export function run() { ${switched} }`, { loader: "ts" });
  const loaded: unknown = await import(`data:text/javascript,${encodeURIComponent(plain)}`);
  const run: unknown = Reflect.get(Object(loaded), "run");
  if (typeof run !== "function") throw new Error("no function");
  return [null, "x"].map((name): unknown => {
    state.out = name;
    const result: unknown = Reflect.apply(run, null, []);
    return result;
  });
}

describe("a mark in TypeScript", () => {
  it.each([
    ["an if", "\n// safety: x\nif (n > 1) return 1;\nreturn 2;", 1, 2],
    ["an if, always taken", "\n// safety: x (always)\nif (n < 1) return 1;\nreturn 2;", 2, 1],
    ["a return", "\n// safety: x (null)\nreturn n;", 5, null],
    ["a chosen branch", "\n// safety: x (never)\nreturn n > 1 ? 1 : 2;", 1, 2],
    ["a statement", "let a = n;\n// safety: x\na += 1;\nreturn a;", 6, 5],
    ["an operand after its operator's line", "return n < 9\n// safety: x\n&& n < 0;", false, true],
    ["a replacement", "\n// safety: x → n * 2\nconst a = n;\nreturn a;", 5, 10],
    ["one of two at one place", "\n// safety: x\n// safety: y\nif (n > 1) return 1;\nreturn 2;", 1, 2],
  ])("takes out %s", async (_what, body, whole, broken) => {
    // `??` with nothing on its left returns its right side, which is 0 here.
    expect(await answers(body)).toEqual([whole, broken === undefined ? 0 : broken]);
  });

  it("is refused where nothing can be taken out, and after code", () => {
    expect(() => instrument("a.ts", "// safety: x\nfunction f() {}", [])).toThrow(/a\.ts:1/);
    expect(() => instrument("a.ts", "f(); // safety: x\ng();", [])).toThrow(/line of its own/);
  });

  it("is none in a string", () => expect(instrument("a.ts", 'f("// safety: x");', []).found).toEqual([]));
});

describe("a check in an expression", () => {
  it.each([
    ["the left operand of ||", "return n > 1 || n < 0;", "x", "n > 1", true, false],
    ["an operand of &&", "return n < 9 && n < 0;", "x", "n<0", false, true],
    ["the left operand of ??", "return n ?? 0;", "x", "return «n»", 5, 0],
    ["an element", "return [n, 1].length;", "x", "1", 2, 1],
    ["a spread", "return [n, ...[1, 2]].length;", "x", "...[1, 2,]", 3, 1],
    ["an argument", "return Math.max(n, 9);", "x", "9", 9, 5],
    ["a property", "return Object.keys({ n, a: 1 }).length;", "x", "a: 1", 2, 1],
    ["a condition", "return [n > 1 ? 1 : 2][0];", "x (never)", "n > 1", 1, 2],
    ["a replacement", "const a = n;\nreturn a;", "x → n * 2", "«n»;\nreturn", 5, 10],
  ])("takes out %s", async (_what, body, mark, code, whole, broken) =>
    expect(await answers(body, [{ mark, code }])).toEqual([whole, broken]),
  );

  it.each([
    ["is not there", "n > 2"],
    ["stands there more than once", "n"],
  ])("that %s is refused", (why, code) =>
    expect(() => instrument("a.ts", "f(n > 1 && n < 9);", [{ mark: "x", code }])).toThrow(
      `a.ts: x: ${code} ${why}`,
    ),
  );

  it("is read from the list, and each line of the list belongs to a name", () => {
    const { names, listed } = parseNames("a\nb (never)\n    server/b.ts: n > 1\n");
    expect(names).toEqual(["a", "b"]);
    expect([...listed]).toEqual([["server/b.ts", [{ mark: "b (never)", code: "n > 1" }]]]);
    expect(() => parseNames("    server/b.ts: n > 1")).toThrow(/no name/);
  });
});

describe("a mark in SQL", () => {
  it.each([
    ["a condition", "WHERE a = 1\nAND b = $1 -- safety: x\n", "WHERE a = 1\nAND (( b = $1 \n) OR true)\n"],
    [
      "a condition of several lines",
      "AND ( -- safety: x\n b\n)\nAND c",
      "AND (( ( \n b\n)\n) OR true)\nAND c",
    ],
    ["an alternative", "OR b -- safety: x", "OR (( b \n) AND false)"],
    ["a case", "WHEN a IS NULL THEN 'b' -- safety: x", "WHEN (( a IS NULL\n) AND false) THEN 'b' "],
    ["a replacement", "a = b, -- safety: x → a = c,", "a = c,"],
    [
      "each place that it was composed into",
      "AND a -- safety: x\nAND c\nAND a -- safety: x → AND true",
      "AND (( a \n) OR true)\nAND c\nAND true",
    ],
    ["only its own", "AND a -- safety: y", "AND a -- safety: y"],
  ])("takes out %s", (_what, sql, broken) => expect(breakSql(sql, "x")).toBe(broken));

  it("is refused on a line that closes another's parenthesis", () =>
    expect(() => breakSql("AND a) -- safety: x", "x")).toThrow(/parenthesis/));
});
