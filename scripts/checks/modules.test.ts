// The import rules: each one fires on a file made to break it, a correct file breaks none, and a check that reads nothing fails.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "@/scripts/folders.mjs";
import { importRules } from "@/scripts/checks/import-rules.mjs";
import { importsOf, specifiersOf } from "@/scripts/checks/imports.mjs";
import { checkModules } from "@/scripts/checks/modules.mjs";

/** For each rule, a file that breaks it. */
const breaking: Record<string, [path: string, text: string]> = {
  "no-cycles": [
    "server/domain/robin.ts",
    'import { a } from "@/server/domain/round"; export const b = () => a;',
  ],
  resolves: ["server/domain/lost.ts", 'import "./nowhere";'],
  "no-drawer": ["server/jobs/drawer.ts", 'import "@/server/jobs/utils/things";'],
  "declared-packages": ["server/jobs/undeclared.ts", 'import "entities";'],
  "no-tests-in-programs": ["server/jobs/borrowed.ts", 'import "@/server/db/testing/fixture";'],
  "domain-is-pure": ["server/domain/impure.ts", 'import "node:fs";'],
  "contract-is-words": ["server/contract/doing.ts", 'import "@/server/usecases/good";'],
  "usecases-on-domain-and-db": ["server/usecases/reaching.ts", 'import "@/server/hardware/good";'],
  "db-below-usecases": ["server/db/upward.ts", 'import "@/server/usecases/good";'],
  "process-state-knows-nobody": ["server/process/owner.ts", 'import "@/server/db/good";'],
  "hardware-below-controller": ["server/hardware/upward.ts", 'import "@/server/db/good";'],
  "upper-server-rooms": ["server/surfaces/page.ts", 'import "@/components/good";'],
  "surfaces-hold-no-sql": ["server/surfaces/asking.ts", 'import "@/server/db/good";'],
  "surfaces-act-through-use-cases": [
    "server/surfaces/deciding.ts",
    'import "@/server/controller/loop/good";',
  ],
  "controller-serves-no-one": ["server/controller/caller.ts", 'import "@/server/surfaces/good";'],
  ...Object.fromEntries(
    [
      "host",
      "inventory",
      "network",
      "interruptions",
      "boot",
      "steps",
      "decommission",
      "handlers",
      "decide",
    ].map((room) => [
      `controller-${room}-looks-down`,
      [`server/controller/${room}/upward.ts`, 'import "@/server/controller/loop/good";'],
    ]),
  ),
  "controller-effects-look-down": [
    "server/controller/effects/upward.ts",
    'import "@/server/controller/decide/good";',
  ],
  "decisions-are-pure": ["server/controller/decide/impure.ts", 'import "@/server/db/good";'],
  "nobody-knows-the-simulator": ["server/hardware/cheat.ts", 'import "@/server/simulator/good";'],
  "captures-are-for-tests": ["server/hardware/captured.ts", 'import "@/server/simulator/trees/good";'],
  "simulator-is-hardware": ["server/simulator/insider.ts", 'import "@/server/db/good";'],
  "agent-is-alone": ["agent/insider.ts", 'import "@/server/db/good";'],
  "components-know-words-only": [
    "components/fetcher.ts",
    'import type { A } from "@/server/usecases/good"; export type B = A;',
  ],
  "components-take-types-only": ["components/runner.ts", 'import "@/server/surfaces/trpc/types";'],
  "nouns-keep-their-insides": [
    "components/hosts/list/reaching.ts",
    'import "@/components/cleaning/queue/limit-input";',
  ],
  "pages-fetch-and-compose": ["app/rule.ts", 'import "@/server/usecases/good";'],
  "pages-ask-the-server-program": ["app/copy.ts", 'import "@/server/surfaces/trpc/types";'],
  "pages-are-the-top": ["components/page-user.ts", 'import "@/app/good";'],
  "cli-is-a-client": ["cli/insider.ts", 'import "@/server/usecases/good";'],
  "cli-takes-types-only": ["cli/runner.ts", 'import "@/server/surfaces/trpc/types";'],
  "nobody-calls-the-cli": ["bench/caller.ts", 'import "@/cli/good";'],
  "main-starts-things": ["server/main.ts", 'import "@/server/usecases/good";'],
  "programs-know-no-scripts": ["server/jobs/scripted.ts", 'import "@/scripts/good";'],
};

const good: Record<string, string> = {
  "server/domain/round.ts": 'import { b } from "@/server/domain/robin"; export const a = () => b;',
  "server/jobs/utils/things.ts": "export const things = 1;",
  "server/db/testing/fixture.ts": "export const fixture = 1;",
  "server/domain/good.ts": 'import "zod"; import "node:crypto"; export type A = 1;',
  "server/contract/good.ts": 'import "@/server/domain/good"; import "zod"; export type A = 1;',
  "server/usecases/good.ts":
    'import "@/server/domain/good"; import "@/server/contract/good"; import "@/server/db/good"; export type A = 1;',
  "server/db/good.ts": 'import "@/server/domain/good"; import "pg";',
  "server/hardware/good.ts": 'import "@/server/domain/good";',
  "server/controller/good.ts": 'import "@/server/hardware/good"; import "@/server/db/good";',
  "server/controller/loop/good.ts":
    'import "@/server/controller/decide/good"; import "@/server/hardware/good"; import "@/server/db/good";',
  "server/controller/decide/good.ts": 'import "@/server/controller/host/good";',
  "server/controller/host/good.ts": 'import "@/server/domain/good"; export type A = 1;',
  "server/surfaces/good.ts": 'import "@/server/usecases/good";',
  "server/surfaces/trpc/types.ts": "export type Answer = 1;",
  "server/simulator/good.ts": 'import "@/server/domain/good"; import "@/agent/good";',
  "server/simulator/trees/good.ts": "export const captured = 1;",
  "server/hardware/captured.test.ts": 'import "@/server/simulator/trees/good";',
  "agent/good.ts": 'import "@/server/domain/good";',
  "components/cleaning/queue/limit-input.ts": "export const limit = 1;",
  "components/good.ts":
    'import "@/server/domain/good"; import type { Answer } from "@/server/surfaces/trpc/types"; export type Mine = Answer;',
  "app/good.ts": 'import "@/components/good"; import "@/server/surfaces/console/console-port";',
  "server/surfaces/console/console-port.ts": "export const port = 1;",
  "cli/good.ts":
    'import "@/server/domain/good"; import type { Answer } from "@/server/surfaces/trpc/types"; export type Mine = Answer;',
  "scripts/good.ts": "export const script = 1;",
};

let checkout: string;
beforeAll(() => {
  checkout = mkdtempSync(join(tmpdir(), "reclaim rules "));
  for (const name of ["zod", "pg", "entities"]) {
    mkdirSync(join(checkout, "node_modules", name), { recursive: true });
    writeFileSync(
      join(checkout, "node_modules", name, "package.json"),
      JSON.stringify({ name, version: "1.0.0", main: "index.js" }),
    );
    writeFileSync(join(checkout, "node_modules", name, "index.js"), "");
  }
  for (const name of ["package.json", "tsconfig.json"])
    writeFileSync(join(checkout, name), readFileSync(join(root, name)));
  for (const [path, text] of [...Object.entries(good), ...Object.values(breaking)]) {
    mkdirSync(dirname(join(checkout, path)), { recursive: true });
    writeFileSync(join(checkout, path), text);
  }
});
afterAll(() => rmSync(checkout, { recursive: true }));

describe("import rules", () => {
  it("each have a file here that breaks them", () => {
    expect(Object.keys(breaking).sort()).toEqual(importRules.map(({ name }) => name).sort());
  });

  it("find every file that breaks them, and no other", () => {
    const { problems } = checkModules(checkout);
    const found = problems.map((problem) => problem.split(" → ")[0]);
    for (const [rule, [path]] of Object.entries(breaking)) expect(found).toContain(`${rule}: ${path}`);
    const broken = new Set(Object.values(breaking).map(([path]) => path));
    expect(found.filter((line) => !broken.has(line?.split(": ")[1] ?? ""))).toEqual([]);
  });

  it("tell an import of types from one that runs", () => {
    const broken = (path: string) =>
      checkModules(checkout).problems.filter((problem) => problem.includes(`: ${path} →`));
    expect(broken("components/good.ts")).toEqual([]);
    expect(broken("components/runner.ts")).toEqual([
      "components-take-types-only: components/runner.ts → server/surfaces/trpc/types.ts",
    ]);
    expect(broken("components/fetcher.ts")).toEqual([
      "components-know-words-only: components/fetcher.ts → server/usecases/good.ts",
    ]);
  });

  it("fail when there was nothing to read", () => {
    const empty = mkdtempSync(join(tmpdir(), "reclaim-empty-"));
    mkdirSync(join(empty, "server"));
    writeFileSync(join(empty, "outside.ts"), "export const outside = 1;");
    expect(checkModules(empty).problems.join()).toMatch(/found no source files/);
    rmSync(empty, { recursive: true });
  });
});

describe("what a file imports", () => {
  const specifiers = (text: string) =>
    specifiersOf("a.ts", text).map(({ specifier, isType }) => `${specifier}${isType ? " (types)" : ""}`);

  it("is found however it is written", () => {
    expect(
      specifiers('import "a"; import b from "b"; import * as c from "c"; import { d, type D } from "d";'),
    ).toEqual(["a", "b", "c", "d"]);
    expect(
      specifiers('export * from "a"; export * as b from "b"; export { c, type C } from "c"; export {};'),
    ).toEqual(["a", "b", "c"]);
    expect(specifiers("const a = await import('a'); void import(`b`); const c = require('c');")).toEqual([
      "a",
      "b",
      "c",
    ]);
    expect(specifiers('import a = require("a"); export type B = import("b").B;')).toEqual(["a", "b (types)"]);
  });

  it("is of types only if nothing of it is there when the program runs", () => {
    expect(
      specifiers(
        'import type { A } from "a"; import { type B } from "b"; import type C from "c"; import type * as D from "d";',
      ),
    ).toEqual(["a (types)", "b (types)", "c (types)", "d (types)"]);
    expect(
      specifiers('export type { A } from "a"; export { type B } from "b"; export type * from "c";'),
    ).toEqual(["a (types)", "b (types)", "c (types)"]);
  });

  it("is nothing that stands in a comment or a text, and nothing that is only known when it runs", () => {
    expect(
      specifiers('// import "a"\nconst b = \'import "b"\'; void import(b); void import(`c${b}`);'),
    ).toEqual([]);
  });

  it("is found in every file of this checkout", () => {
    const imports = importsOf(root, ["scripts/checks/modules.mjs", "scripts/checks/modules.test.ts"]);
    expect(imports.map(({ to }) => to)).toEqual(
      expect.arrayContaining([
        "fs",
        "scripts/folders.mjs",
        "scripts/checks/imports.mjs",
        "node_modules/vitest/",
      ]),
    );
  });
});
