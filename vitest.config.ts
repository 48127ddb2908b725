// The two kinds of vitest tests: `unit` (nothing but the code) and `integration` (a real database, real processes).
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { newestCommit } from "./scripts/testing/changed-files.mjs";
import { leftHere } from "./scripts/testing/in-turns.mjs";
import { LongestFirst } from "./scripts/testing/longest-first.mjs";
import { onlyInAll, tag } from "./scripts/testing/only-in-all.mjs";

/** `npm test` asks for the short set. Otherwise whatever somebody names runs. */
const isShort = process.env.RECLAIM_TEST_SET === "short";
/** What `npm test` draws of very many like cases; undefined: nothing is left out (server/testing/drawn.ts). */
const draw = isShort ? newestCommit() : undefined;
const exclude = [
  ...["**/node_modules/**", "dist/**", ".next/**", ".reclaim/**", "e2e/**"],
  ...(isShort ? [...onlyInAll, ...leftHere()] : []),
];

export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } },
  test: {
    maxWorkers: 2,
    tags: [{ name: tag, description: "runs in `npm run test:all` only (scripts/testing/only-in-all.mjs)" }],
    ...(isShort ? { tagsFilter: [`!${tag}`] } : {}),
    sequence: { sequencer: LongestFirst },
    // The files of one worker share their modules: loading them anew for each file costs processor time. What would tell one file from another
    // would be state in a module, and of that there is none (docs/adr/0035-cheap-tests.md).
    isolate: false,
    // What is compiled for the unit tests is not compiled again for the integration tests, nor for the next file that somebody runs.
    experimental: { fsModuleCache: true },
    // As our programs have it: most of what a test makes is gone soon, and a small young generation is collected again and again.
    // WebAssembly, which is Prisma's query compiler, is compiled once, as in the programs that tests start (docs/adr/0035-cheap-tests.md).
    execArgv: ["--max-semi-space-size=64", "--min-semi-space-size=16", "--liftoff-only"],
    // Generous: a limit tells a test that hangs from one on a slow machine, and nothing else. Waiting ends as soon as what is waited for is there.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    expect: { poll: { interval: 25, timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["**/*.test.{ts,tsx}"],
          exclude,
          provide: { fuzz: Number(process.env.FUZZ) || undefined, draw },
        },
      },
      {
        extends: true,
        test: {
          name: "integration",
          // They wait for processes more than they work: on two cores five files at a time are quicker.
          maxWorkers: 5,
          sequence: { groupOrder: 1 },
          include: ["**/*.itest.ts"],
          exclude,
          testTimeout: 480_000,
          hookTimeout: 480_000,
          globalSetup: ["server/db/testing/global-setup.ts"],
          provide: {
            givenServerUrl: process.env.TEST_DATABASE_URL || process.env.DATABASE_URL || undefined,
            draw,
          },
        },
      },
    ],
  },
});
