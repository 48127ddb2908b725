// Enrolment in the console: a list with a fault, a BMC that does not respond, its correction, and deletion.
import type { Page } from "@playwright/test";
import { z } from "zod";
import { mutate, query } from "@/e2e/fixtures/api";
import { axeViolations } from "@/e2e/fixtures/axe";
import { expect, narrow, test, wide } from "@/e2e/fixtures/test";
import { routes } from "@/server/domain/console/routes";

const name = "enrolled-in-the-console";
/** Port of RFC 863, on which nothing listens. */
const csv = `name,bmc_address,rack\n${name},http://${name}.localhost:9,Z01\n${name}-2,not an address,Z01\n`;

/** At every width: no axe violations, and nothing wider than the window. */
async function looksRight(page: Page): Promise<void> {
  for (const size of [wide, { width: 1180, height: 800 }, { width: 820, height: 1180 }, narrow]) {
    await page.setViewportSize(size);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width);
    expect(await axeViolations(page), `${size.width} px`).toEqual([]);
  }
  await page.setViewportSize(wide);
}

test("a list is checked, enrolled, and its host corrected where it stopped", async ({ openAs }) => {
  const page = await openAs("providerAdmin");
  await page.goto(routes.hosts());
  await page.getByRole("main").getByRole("link", { name: "Enrol hosts" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Enrol hosts" })).toBeVisible();
  await looksRight(page);

  await page.getByRole("link", { name: "List", exact: true }).click();
  await page.getByLabel(/^List/).fill(csv);
  await page.getByLabel(/^BMC user/).fill("root");
  await page.getByLabel(/^BMC password/).fill("calvin-and-hobbes");
  await page.getByRole("button", { name: /^Check list/ }).click();
  await expect(page.getByRole("table", { name: "Problems in the list" })).toContainText("bmc_address");
  await looksRight(page);
  await page.getByRole("button", { name: "Enrol 1 host" }).click();

  await expect(page.getByRole("heading", { level: 1, name: "Enrolment of 2 hosts" })).toBeVisible();
  const hosts = page.getByRole("table", { name: "Hosts of the enrolment" });
  await expect(hosts.getByRole("row", { name: new RegExp(`${name} .*Stopped`) })).toBeVisible();
  await looksRight(page);
  await page.getByRole("link", { name: /^Stopped/ }).click();
  await hosts.getByRole("link", { name: "Change BMC" }).click();

  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await page.getByRole("button", { name: /^Change BMC/ }).click();
  const dialog = page.getByRole("dialog", { name: /^Change BMC/ });
  await dialog.getByLabel(/^User/).fill("reclaim");
  await looksRight(page);
  await dialog.getByRole("button", { name: "Change BMC" }).click();
  await expect(dialog).toBeHidden();

  await page.goto(routes.enrolments.list());
  await expect(page.getByRole("table", { name: "Enrolments" }).getByRole("row").nth(1)).toBeVisible();
  await looksRight(page);

  // Its BMC was never read, so it has no serial number that could match a host of the fleet.
  const { id } = z
    .object({ id: z.string() })
    .parse((await query("providerAdmin", "host.get", { host: name })).value);
  expect(await mutate("providerAdmin", "host.act", { hostId: id, intent: "forceDelete" })).toMatchObject({
    code: "OK",
  });
});
