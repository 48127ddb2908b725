// Finds the state that a module loaded by a route keeps, and nothing else.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { checkProcessState } from "@/scripts/checks/process-state.mjs";

let checkout: string | undefined;
afterEach(() => {
  if (checkout !== undefined) rmSync(checkout, { recursive: true });
  checkout = undefined;
});

function problemsWith(files: Record<string, string>): readonly string[] {
  checkout = mkdtempSync(join(tmpdir(), "reclaim-state-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(checkout, path)), { recursive: true });
    writeFileSync(join(checkout, path), text);
  }
  return checkProcessState(checkout).problems;
}
const behindRoute = (text: string) =>
  problemsWith({
    "app/api/route.ts": 'import { a } from "@/server/middle"; export { a };',
    "server/middle.ts": 'export * from "./kept";',
    "server/kept.ts": text,
  });

describe("state in what a route loads", () => {
  it.each([
    "const pools = new WeakMap<object, number>(); export const a = pools;",
    "export const a = new Map();",
    "export const a: string[] = [];",
    "export const a: Record<string, string> = {};",
    "export let a = 1;",
    "class Feed {} export const a = new Feed();",
    "export class A { static readonly known = new Set<string>(); }",
  ])("is found: %s", (text) =>
    expect(behindRoute(text)).toEqual([
      expect.stringMatching(/^server\/kept\.ts:1: .* exists once per bundle/),
    ]),
  );

  it.each([
    'export const a = new Set(["x"]);',
    "export const a = new Map([[1, 2]]);",
    'export const a = { b: 1 }; export const c = [1]; export const d = [] as const; export const e = new RegExp("x");',
    "export function a() { const known = new Map(); let b = 1; return [known, b]; }",
    "export class A { readonly known = new Set<string>(); }",
    'import type { B } from "./state"; export const a = 1; export type C = B;',
  ])("is not: %s", (text) => expect(behindRoute(text)).toEqual([]));

  it("is declared by a name of its own", () => {
    const declares = (name: string) => `export const a = perProcess<number>("${name}", () => 1);`;
    const files = { "app/page.tsx": "export {};", "server/a.ts": declares("one") };
    expect(problemsWith({ ...files, "server/b.ts": declares("two") })).toEqual([]);
    expect(problemsWith({ ...files, "server/b.ts": declares("one") })).toEqual([
      'server/a.ts, server/b.ts: "one" is declared twice',
    ]);
  });
  it("is of no interest where only the server program loads it", () =>
    expect(
      problemsWith({ "app/page.tsx": "export {};", "server/main.ts": "export const a = new Map();" }),
    ).toEqual([]));
  it("is not looked for where a type alone is taken", () =>
    expect(
      problemsWith({
        "app/page.tsx": 'import type { A } from "@/server/kept"; export type B = A;',
        "server/kept.ts": "export const a = new Map(); export type A = 1;",
      }),
    ).toEqual([]));
  it("needs routes to look at", () =>
    expect(problemsWith({ "server/main.ts": "export {};" })).toEqual(["found no routes"]));
});
