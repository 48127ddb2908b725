// A vitest that compiles marked files with their switches, and whose workers judge safety checks (`worker.mjs`).
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createVitest } from "vitest/node";
import { root } from "../../folders.mjs";
import { tag } from "../only-in-all.mjs";
import { instrument } from "./instrument.mjs";
import { listedIn } from "./names.mjs";

/** @returns {import("vite").Plugin} */
const marked = () => ({
  name: "safety-checks",
  enforce: "pre",
  load(id) {
    if (!/\.tsx?$/.test(id) || !id.startsWith(root) || id.includes("/node_modules/")) return undefined;
    const { code, found } = instrument(id, readFileSync(id, "utf8"), listedIn(id));
    return found.length > 0 ? { code, map: null } : undefined;
  },
});

/**
 * @param {string} folder for communication between this process and its workers
 * @param {number} workers
 * @returns {Promise<{ run: (assigned: import("./plan.mjs").Assigned, only?: "remembered") => Promise<void>, close: () => Promise<void> }>}
 */
export async function startVitest(folder, workers) {
  process.env["RECLAIM_MUTATION"] = folder;
  const vitest = await createVitest(
    "test",
    {
      config: false,
      root,
      watch: false,
      pool: "forks",
      isolate: true,
      maxWorkers: workers,
      reporters: [{}],
      runner: join(import.meta.dirname, "worker.mjs"),
      include: ["**/*.{test,itest}.{ts,tsx}"],
      exclude: ["**/node_modules/**"],
      tags: [{ name: tag }],
      passWithNoTests: true,
      dangerouslyIgnoreUnhandledErrors: true,
      testTimeout: 120_000,
      hookTimeout: 120_000,
      teardownTimeout: 5000,
      expect: { poll: { interval: 25, timeout: 30_000 } },
      globalSetup: [join(root, "server/db/testing/global-setup.ts")],
      provide: {
        givenServerUrl: process.env["TEST_DATABASE_URL"] || process.env["DATABASE_URL"] || undefined,
      },
    },
    { resolve: { alias: { "@": root.replace(/\/$/, "") } }, plugins: [marked()], logLevel: "error" },
  );
  const project = vitest.getRootProject();
  return {
    async run(assigned, only) {
      writeFileSync(join(folder, "assigned.json"), JSON.stringify({ assigned, only }));
      const files = Object.keys(assigned);
      if (files.length > 0)
        await vitest.runTestSpecifications(
          files.map((file) => project.createSpecification(join(root, file))),
        );
    },
    close: () => vitest.close(),
  };
}
