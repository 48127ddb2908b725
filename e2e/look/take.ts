// Takes screenshots of every page, wide and narrow, light and dark, and lists axe violations and console errors.
// Usage: tsx e2e/look/take.ts <address> <logins.json> <folder>
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { chromium, type Browser, type Page } from "@playwright/test";
import { z } from "zod";
import { routes } from "@/server/domain/console/routes";

const logins = z.array(z.object({ role: z.string(), email: z.string(), password: z.string() }));
const sizes = [
  { width: 1440, height: 900 },
  { width: 1100, height: 800 },
  { width: 390, height: 844 },
] as const;
const themes = ["light", "dark"] as const;

interface Shot {
  name: string;
  role: string;
  path: string;
}

/** The pages, with a host in each interesting state if there is one. */
async function shotsOf(page: Page): Promise<Shot[]> {
  const shots: Shot[] = [
    { name: "next", role: "operator", path: routes.next() },
    { name: "fleet", role: "operator", path: routes.fleet() },
    { name: "hosts", role: "operator", path: routes.hosts({ q: "" }) },
    { name: "hosts-empty", role: "operator", path: routes.hosts({ q: "nothing-has-this-name" }) },
    { name: "hosts-auditor", role: "auditor", path: routes.hosts({ q: "" }) },
    { name: "instances-tenant", role: "tenant-admin", path: routes.instances() },
    { name: "instances-operator", role: "operator", path: routes.instances() },
    { name: "not-found", role: "operator", path: routes.host("no-such-host") },
  ];
  for (const [name, filter] of [
    ["failed", "state:Failed"],
    ["cleaning", "state:WaitingForCleanup"],
    ["ready", "state:Ready"],
    ["in-use", "state:Assigned"],
  ] as const) {
    await page.goto(routes.hosts({ q: filter }));
    await page.waitForTimeout(800);
    const href = await page
      .locator("[data-open]")
      .first()
      .getAttribute("href", { timeout: 1500 })
      .catch(() => null);
    if (href === null) continue;
    shots.push({ name: `host-${name}`, role: "operator", path: href });
    for (const tab of ["gates", "history", "inventory", "parts", "platform", "attestation"])
      if (name === "failed" || name === "ready")
        shots.push({ name: `host-${name}-${tab}`, role: "operator", path: `${href}?tab=${tab}` });
  }
  return shots;
}

async function signIn(
  browser: Browser,
  baseURL: string,
  login: { email: string; password: string },
  options: { width: number; height: number; theme: string },
) {
  const context = await browser.newContext({
    baseURL,
    viewport: { width: options.width, height: options.height },
    timezoneId: "UTC",
  });
  await context.addCookies([{ name: "theme", value: options.theme, url: baseURL }]);
  const page = await context.newPage();
  await page.goto(routes.signIn());
  await page.getByLabel("Email").fill(login.email);
  await page.getByLabel("Password").fill(login.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => url.pathname !== routes.signIn());
  return { context, page };
}

async function main(): Promise<void> {
  const [
    baseURL = "http://localhost:3000",
    file = ".reclaim/demo-logins.json",
    folder = "test-results/look",
    only = "",
  ] = process.argv.slice(2);
  mkdirSync(folder, { recursive: true });
  const people = logins.parse(JSON.parse(readFileSync(file, "utf8")));
  const system = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
    existsSync,
  );
  const browser = await chromium.launch(
    existsSync(chromium.executablePath()) || system === undefined ? {} : { executablePath: system },
  );
  let shots: Shot[] | undefined;
  for (const size of sizes) {
    for (const theme of themes) {
      if (size.width === 1100 && theme === "dark") continue;
      for (const role of ["operator", "auditor", "tenant-admin"]) {
        const login = people.find((person) => person.role === role);
        if (login === undefined) throw new Error(`no login for ${role}`);
        const { context, page } = await signIn(browser, baseURL, login, { ...size, theme });
        shots ??= await shotsOf(page);
        page.on("console", (message) => {
          if (message.type() === "error" || message.type() === "warning")
            console.log(`${page.url()} ${message.type()}: ${message.text()}`);
        });
        page.on("pageerror", (error) => console.log(`${page.url()} threw: ${error.message}`));
        for (const shot of shots.filter(
          (candidate) => candidate.role === role && candidate.name.includes(only),
        )) {
          await page.goto(shot.path);
          await page.waitForTimeout(1200);
          await page.screenshot({
            path: join(folder, `${shot.name}-${size.width}-${theme}.png`),
            fullPage: true,
          });
          const { violations } = await new AxeBuilder({ page }).analyze();
          for (const violation of violations)
            console.log(
              `${shot.name} ${size.width} ${theme}: ${violation.id}: ${violation.nodes
                .map((node) => node.html.slice(0, 160))
                .slice(0, 4)
                .join(" | ")}`,
            );
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          if (wide > 0) console.log(`${shot.name} ${size.width} ${theme}: ${wide} px wider than the window`);
        }
        await context.close();
      }
    }
  }
  await browser.close();
}

await main();
