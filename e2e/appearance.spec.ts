// Light, dark and system themes; no motion for users who prefer reduced motion.
import type { Page } from "@playwright/test";
import { findInstance, reach, release } from "@/e2e/fixtures/fleet";
import { stateLine } from "@/e2e/fixtures/host-page";
import { clearFaults, hangErases, readHardware } from "@/e2e/fixtures/simulator";
import { expect, test } from "@/e2e/fixtures/test";
import { routes } from "@/server/domain/console/routes";

const root = (page: Page) => page.locator("html");
const ground = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

test("the theme follows the system, until a person chooses, and the choice stays", async ({ openAs }) => {
  const page = await openAs("operator", { colorScheme: "dark" });
  await page.goto(routes.fleet());
  await expect(root(page)).toHaveAttribute("data-theme", "dark");
  const dark = await ground(page);
  await page.emulateMedia({ colorScheme: "light" });
  await expect(root(page)).toHaveAttribute("data-theme", "light");
  const light = await ground(page);
  expect(light).not.toBe(dark);
  await page.getByRole("button", { name: "Auto" }).click();
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  await expect(root(page)).toHaveAttribute("data-theme", "dark");
  await page.goto(routes.instances());
  await expect(root(page)).toHaveAttribute("data-theme", "dark");
  expect(await ground(page)).toBe(dark);
});

/** Records how each working mark moves, from the moment it appears. */
const watchMarks = (page: Page) =>
  page.evaluate(() => {
    const movements: string[] = [];
    Object.assign(window, { movements });
    const look = () =>
      document
        .querySelectorAll(".mark.live")
        .forEach((mark) => movements.push(getComputedStyle(mark, "::after").animationName));
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
  });
const movements = (page: Page) => page.evaluate(() => [...new Set<string>(Reflect.get(window, "movements"))]);

test("the mark of a host at work pulses, but not for those who asked for less motion", async ({ openAs }) => {
  const instance = await findInstance("acme");
  const moving = await openAs("operator", { reducedMotion: "no-preference" });
  const still = await openAs("auditor", { reducedMotion: "reduce" });
  for (const page of [moving, still]) {
    await page.goto(routes.host(instance.host.name));
    await expect(stateLine(page)).toContainText("Assigned / Ready");
    await watchMarks(page);
  }
  const [drive] = (await readHardware(instance.host.serial)).drives;
  await hangErases(instance.host.serial, drive?.serial ?? ""); // otherwise a slow browser might never see it working
  await release(instance);
  for (const page of [moving, still]) await expect.poll(() => movements(page)).not.toEqual([]);
  await clearFaults(instance.host.serial);
  await reach(instance.host, "Ready$");
  for (const page of [moving, still]) await expect(stateLine(page)).toHaveText(/^Ready/);
  expect(await movements(moving)).toEqual(["pulse"]);
  expect(await movements(still)).toEqual(["none"]);
});
