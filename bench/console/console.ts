// `npm run bench -- --console`: a manual cleaning of a thousand hosts selected by filter, in a real browser: how the page and its requests behave meanwhile.
import { existsSync, readFileSync } from "node:fs";
import { chromium } from "@playwright/test";
import type { Page } from "@playwright/test";
import { z } from "zod";
import { findBrowser } from "@/scripts/testing/browser.mjs";
import { createDatabase } from "@/server/db/prisma";
import { createSecretBox } from "@/server/db/secrets/secret-box";
import { authenticateToken } from "@/server/usecases/access/authenticate-token";
import { previewBulk } from "@/server/usecases/hosts/bulk/preview-bulk";
import { startBulk } from "@/server/usecases/hosts/bulk/start-bulk";
import { consoleSections } from "@/bench/console/console-report";
import type { PageMeasured } from "@/bench/console/console-report";
import { watchPage } from "@/bench/console/console-watch";
import type { BenchDatabase } from "@/bench/scale/database";
import { mark } from "@/bench/scale/database";
import type { Section } from "@/bench/figures";
import type { Plan } from "@/bench/release/plan";
import { readLogins, setPolicy, untilIn } from "@/bench/release/prepare-fleet";
import { until } from "@/bench/program";
import { startSystem } from "@/bench/system";
import type { BenchSystem } from "@/bench/system";

export const consoleHosts = 1000;
/** A restart into the agent, and one of its steps that erases nothing. */
const steps = ["power.reboot", "deploy.verify_mem_overwrite"] as const;
const frameEveryMs = 1_000;

const operatorLogin = z.array(z.object({ role: z.string(), email: z.string(), password: z.string() }));

/** Moves every host to Manageable with the same bulk act that the console uses. */
async function manageAll(database: BenchDatabase, system: BenchSystem): Promise<void> {
  const client = createDatabase(database.url, { max: 4, applicationName: "reclaim bench manage" });
  try {
    const token = readLogins(system.demoLogins).find(({ role }) => role === "operator")?.token;
    const actor = token === undefined ? null : await authenticateToken(client, token);
    if (actor === null) throw new Error("the seed has made no operator whose token is accepted");
    const backend = {
      database: client,
      secrets: createSecretBox(Buffer.from(system.secrets.encryptionKey, "base64")),
    };
    const request = { requestId: "bench-manage", address: null };
    const made = await previewBulk(backend, actor, request, {
      target: { filter: "state:Ready" },
      intent: "manage",
    });
    if (!made.ok) throw new Error(made.problem.detail);
    const started = await startBulk(backend, actor, request, { id: made.value.id });
    if (!started.ok) throw new Error(started.problem.detail);
  } finally {
    await client.$disconnect();
  }
}

async function signIn(page: Page, system: BenchSystem): Promise<void> {
  const login = operatorLogin
    .parse(JSON.parse(readFileSync(system.demoLogins, "utf8")))
    .find(({ role }) => role === "operator");
  if (login === undefined) throw new Error("the seed has made no operator");
  await page.goto(`${system.webUrl}/signin`, { waitUntil: "networkidle" });
  await page.getByLabel("Email").fill(login.email);
  await page.getByLabel("Password").fill(login.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => url.pathname !== "/signin");
}

/** Like a person: builds the list for all hosts that the filter matches, looks at the preview, and runs it. Returns the run's id. */
async function runByHand(page: Page, system: BenchSystem, hosts: number): Promise<string> {
  await page.goto(`${system.webUrl}/cleaning/manual?filter=${encodeURIComponent("state:Manageable")}`, {
    waitUntil: "load",
  });
  for (const step of steps) await page.getByRole("button", { name: `Add ${step}` }).click();
  await page.getByRole("button", { name: /^Run 2 steps on / }).click();
  const dialog = page.getByRole("dialog");
  await dialog
    .getByText(new RegExp(`${hosts.toLocaleString("en")} of ${hosts.toLocaleString("en")} hosts can`))
    .waitFor();
  await dialog.getByRole("button", { name: /^Run 2 steps on / }).click();
  await page.waitForURL(/\/cleaning\/runs\/[0-9a-f-]{36}$/);
  return new URL(page.url()).pathname.split("/").at(-1) ?? "";
}

const residentKib = (pid: number): number | null => {
  const file = `/proc/${pid}/status`;
  const found = existsSync(file) ? /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(file, "utf8"))?.[1] : undefined;
  return found === undefined ? null : Number(found);
};

/** Throws if the run was not as intended: then there are no figures. */
async function assertThrough(database: BenchDatabase, bulkId: string, hosts: number): Promise<void> {
  const { rows } = await database.client.query<{ cleaned: number; asked: number; manageable: number }>(
    `SELECT ${mark} (SELECT count(*)::int FROM reclamation c WHERE c.bulk_id = $1::uuid AND c.outcome = 'cleaned') AS cleaned,
       (SELECT count(*)::int FROM bulk_act_host b WHERE b.bulk_id = $1::uuid AND b.status = 'asked') AS asked, (SELECT count(*)::int FROM host_run r WHERE r.state = 'Manageable') AS manageable`,
    [bulkId],
  );
  const [row] = rows;
  if (row?.cleaned !== hosts || row.asked !== hosts || row.manageable !== hosts)
    throw new Error(
      `no figures: of ${hosts} hosts ${row?.asked ?? 0} were asked, ${row?.cleaned ?? 0} cleaned, and ${row?.manageable ?? 0} are Manageable`,
    );
}

async function measurePage(
  system: BenchSystem,
  plan: Plan,
  database: BenchDatabase,
  hosts: number,
  signal: AbortSignal,
): Promise<PageMeasured> {
  const executablePath = await findBrowser();
  const browser = await chromium.launch({
    args: ["--enable-precise-memory-info"],
    ...(executablePath === "" ? {} : { executablePath }),
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const watch = await watchPage(page);
    await signIn(page, system);
    const webBefore = residentKib(system.web.pid);
    const bulkId = await runByHand(page, system, hosts);
    const beganMs = performance.now();
    const heapBefore = await watch.heapBytes();
    const frames: number[] = [];
    const through = page.getByText("Every host that was asked is through.");
    await until(
      "the run to be through, on the page",
      plan.limits.releaseSeconds * 1000,
      frameEveryMs,
      system.programs,
      signal,
      async () => {
        frames.push(await watch.frameMs());
        return (
          (await through.count()) > 0 ||
          ((await page.locator(".now .line").first().textContent()) ?? "the page shows nothing")
        );
      },
    );
    const seconds = (performance.now() - beganMs) / 1000;
    await assertThrough(database, bulkId, hosts);
    const heapAfter = await watch.heapBytes();
    return {
      hosts,
      seconds,
      ...watch.seen(),
      framesMs: frames.sort((a, b) => a - b),
      heapBefore,
      heapAfter,
      webBefore,
      webAfter: residentKib(system.web.pid),
    };
  } finally {
    await browser.close();
  }
}

/** Throws if a host was not cleaned, or if the page did not reach the end of the run within the plan's time for a release. */
export async function measureConsole(
  plan: Plan,
  database: BenchDatabase,
  hosts: number,
  signal: AbortSignal,
  say: (words: string) => void,
): Promise<{ readonly setting: readonly string[]; readonly sections: readonly Section[] }> {
  say(`starting simulator, controller and web for ${hosts} hosts`);
  const system = await startSystem({ database, plan, hosts, profiles: null, signal });
  try {
    await untilIn(
      database.client,
      ["Ready", "Assigned/Ready"],
      hosts,
      plan.limits.onboardSeconds * 1000,
      system,
      signal,
    );
    // The seed gives some hosts to tenants; those are left out.
    const { rows } = await database.client.query<{ ready: number }>(
      "SELECT count(*)::int AS ready FROM host_run WHERE state = 'Ready'",
    );
    const ready = rows[0]?.ready ?? 0;
    await database.client.query("ANALYZE");
    await setPolicy(database.client, plan);
    say(`taking ${ready} hosts to Manageable`);
    await manageAll(database, system);
    await untilIn(database.client, ["Manageable"], ready, plan.limits.assignSeconds * 1000, system, signal);
    say(`cleaning ${ready} hosts by hand, from a browser`);
    const measured = await measurePage(system, plan, database, ready, signal);
    return {
      setting: [
        `${ready} hosts that are Manageable, chosen by the filter \`state:Manageable\` in Chromium, and cleaned with ${steps.join(", ")}; hardware takes no time. All of them were cleaned, each once.`,
        "Requests are timed by the browser, from sending to the last byte; the live stream, which does not end, is left out. A long task is one that holds the page's thread for more than 50 ms.",
      ],
      sections: consoleSections(measured),
    };
  } finally {
    await system.stop();
  }
}
