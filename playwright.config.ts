// Browser tests. They need a running Reclaim, which `npm run test:e2e` starts on a fresh database and stops afterwards.
import { defineConfig } from "@playwright/test";

/** Set by scripts/testing/browser-tests.mjs, which has tried that this browser starts; empty: Playwright's own. */
const executablePath = process.env.RECLAIM_E2E_BROWSER;
/** Where that Reclaim is. Without it, as when Playwright is run by hand, every test fails at its first page. */
const baseURL = process.env.RECLAIM_E2E_URL;

/** Tests that start a Reclaim of their own and leave the other alone. */
const ownSystem = "empty-site.spec.ts";

export default defineConfig({
  testDir: "e2e",
  // Each group of `npm test` has a folder of its own: Playwright empties it when it starts.
  outputDir: process.env.RECLAIM_E2E_RESULTS ?? "test-results",
  forbidOnly: true,
  retries: 0,
  // One for each system: on the same one, tests that end the server's process or put the site's brake on would disturb others.
  workers: 2,
  projects: [
    { name: "own system", testMatch: ownSystem, workers: 1 },
    { name: "shared system", testIgnore: ownSystem, workers: 1 },
  ],
  // Generous: a limit tells a page that hangs from one on a slow machine, and nothing else.
  timeout: 600_000,
  expect: { timeout: 120_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ? [["list"], ["json"]] : [["list"]],
  use: {
    ...(baseURL === undefined ? {} : { baseURL }),
    // A trace of every test costs a fifth of the browser's time (docs/adr/0035-cheap-tests.md): --trace retain-on-failure makes one.
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: executablePath ? { executablePath } : {},
  },
});
