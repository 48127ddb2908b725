// Finds a browser that actually starts on this machine, or installs one.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pinnedNode, root } from "../folders.mjs";
import { run } from "../setup/command.mjs";

const installed = [
  "/usr/bin/chromium-headless-shell", // the same engine without a user interface, for half the processor time
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/opt/google/chrome/chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/**
 * @returns {Promise<string>} path of the browser; empty: Playwright's own
 * @throws if there is none and none can be installed
 */
export async function findBrowser() {
  /** @type {string[]} */
  const attempts = [];
  const found = await firstThatStarts(attempts);
  if (found !== undefined) return found;
  for (const get of [getPlaywrights, getDebians]) {
    try {
      await get();
      const gotten = await firstThatStarts(attempts);
      if (gotten !== undefined) return gotten;
    } catch (error) {
      attempts.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(
    `no browser for the tests. Install Chromium (Debian: apt-get install chromium; else: npx playwright install --with-deps chromium).\n${attempts.join("\n")}`,
  );
}

/**
 * @param {string[]} attempts receives a line for each that does not start
 * @returns {Promise<string | undefined>}
 */
async function firstThatStarts(attempts) {
  const { chromium } = await import("@playwright/test");
  for (const executablePath of ["", ...installed.filter((path) => existsSync(path))]) {
    try {
      const browser = await chromium.launch({
        timeout: 30_000,
        ...(executablePath === "" ? {} : { executablePath }),
      });
      await browser.close();
      return executablePath;
    } catch (error) {
      attempts.push(
        `${executablePath || "Playwright's own"}: ${error instanceof Error ? error.message.split("\n")[0] : error}`,
      );
    }
  }
  return undefined;
}

async function getPlaywrights() {
  await run(
    pinnedNode,
    [join(root, "node_modules", "@playwright", "test", "cli.js"), "install", "chromium"],
    { name: "playwright install chromium" },
  );
}

async function getDebians() {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  await run("apt-get", ["update"], { env: { DEBIAN_FRONTEND: "noninteractive" } });
  await run("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], {
    env: { DEBIAN_FRONTEND: "noninteractive" },
  });
}
