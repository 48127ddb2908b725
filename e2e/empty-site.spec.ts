// With the console alone, a person takes a site from nothing to hosts in a tenant's hands, and back: README.md, "Use it".
import type { Page } from "@playwright/test";
import { startEmptySite, type EmptySite } from "@/e2e/fixtures/empty-site";
import { signIn } from "@/e2e/fixtures/frame";
import { tab } from "@/e2e/fixtures/host-page";
import { looksRight } from "@/e2e/fixtures/looks-right";
import { expect, test } from "@/e2e/fixtures/test";
import { routes } from "@/server/domain/console/routes";

const hosts = 10;
/** Timeout for booting, reading, cleaning and checking machines. */
const workMs = 180_000;
const tenant = { org: "orbit", name: "Orbit Labs", quota: "2" };
const tenantAdmin = { email: "ora@orbit.example", name: "Ora Brandt" };
const instances = ["train-1", "train-2"] as const;

/** A missing control fails at its own line. */
test.use({ actionTimeout: 60_000 });

let site: EmptySite;
test.beforeAll(async () => {
  site = await startEmptySite();
});
test.afterAll(() => site.stop());

const dialog = (page: Page) => page.getByRole("dialog");
const openPage = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name }).click();

/** Opens a *Settings* page through the links that a person sees. */
async function openSettings(page: Page, name: string): Promise<void> {
  await openPage(page, "Settings");
  const tabs = page.getByRole("navigation", { name: "Settings" });
  // Until the first tab is there, a link is replaced under the pointer, and a click that begins on one link and ends on another is none.
  await expect(tabs.getByRole("link", { name: "Site", exact: true })).toHaveAttribute("aria-current", "page");
  await tabs.getByRole("link", { name, exact: true }).click();
  await expect(tabs.getByRole("link", { name, exact: true })).toHaveAttribute("aria-current", "page");
}

/** Confirms a settings change with its reason. */
async function saveSettings(page: Page, reason: string): Promise<void> {
  await dialog(page)
    .getByLabel(/^Reason/)
    .fill(reason);
  await dialog(page).getByRole("button", { name: "Save settings" }).click();
  await expect(dialog(page)).toHaveCount(0);
}

async function describeSite(page: Page): Promise<void> {
  await openSettings(page, "Site");
  await page.getByLabel("Address").fill(site.network.url);
  await page.getByLabel(/^Token sent by Reclaim/).fill(site.network.token);
  await page.getByLabel(/^Token sent by the controller/).fill(site.network.token);
  await page.getByRole("button", { name: "Save network controller…" }).click();
  await expect(dialog(page).getByRole("table", { name: "What will change" })).toContainText(site.network.url);
  await expect(dialog(page)).not.toContainText(site.network.token);
  await saveSettings(page, "network controller of the new hall");

  await openSettings(page, "Policy");
  for (const gate of ["Platform at its baseline", "Measured boot", "Health reports", "Signed procedures"])
    await page.getByLabel(gate).selectOption("off");
  await page.getByRole("button", { name: "Save settings…" }).click();
  await saveSettings(page, "Reclaim cannot check these yet");
}

async function enrol(page: Page): Promise<void> {
  await openPage(page, "Hosts");
  await page.getByRole("main").getByRole("link", { name: "Enrol hosts" }).first().click();
  await page.getByRole("link", { name: "List", exact: true }).click();
  await page.getByLabel(/^List/).fill(site.csv);
  await page.getByLabel(/^BMC user/).fill("reclaim");
  await page.getByLabel(/^BMC password/).fill(site.bmcPassword);
  await page.getByLabel("First contact").selectOption("accept");
  await page.getByRole("button", { name: "Check list" }).click();
  await page.getByRole("button", { name: `Enrol ${hosts} hosts` }).click();
  await expect(page.getByRole("heading", { level: 1, name: `Enrolment of ${hosts} hosts` })).toBeVisible();
}

/** Creates one SKU per kind of machine, from the page on which the hosts wait; the hosts then get it automatically. */
async function createSkus(page: Page): Promise<void> {
  const stopped = page.getByRole("link", { name: /^Stopped/ });
  await expect(stopped).toContainText(String(hosts), { timeout: workMs });
  await looksRight(page);
  await page
    .getByRole("list", { name: "Why hosts stopped" })
    .getByRole("link", { name: "Open SKUs" })
    .first()
    .click();
  const create = page.getByRole("button", { name: "Create SKU…" });
  await expect(create.first()).toBeVisible();
  const skus = page.getByRole("table", { name: "SKUs", exact: true });
  for (let kinds = await create.count(); kinds > 0; kinds -= 1) {
    await create.first().click();
    const name = await dialog(page).getByLabel("Name", { exact: true }).inputValue();
    await dialog(page)
      .getByLabel(/^Reason/)
      .fill("first hosts of their kind");
    await dialog(page).getByRole("button", { name: "Create SKU" }).click();
    await expect(dialog(page)).toHaveCount(0);
    await expect(skus.getByRole("link", { name, exact: true })).toBeVisible();
    await expect(create).toHaveCount(kinds - 1);
  }
}

const readyView = (page: Page) =>
  page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: /^Ready/ });

async function seeReady(page: Page, count: number): Promise<void> {
  await openPage(page, "Hosts");
  try {
    await expect(readyView(page)).toContainText(String(count), { timeout: workMs });
  } catch (error) {
    // For the failure message: which host is not Ready, and what it says.
    await page.goto(site.url + routes.hosts({ q: "-is:ready" }));
    const rows = page.getByRole("table", { name: "Hosts" }).getByRole("row");
    await expect(rows.nth(1)).toBeVisible();
    throw new Error(`not Ready:\n${(await rows.allInnerTexts()).join("\n")}`, { cause: error });
  }
}

/** Creates the tenant and one of its users; returns the password that is shown once. */
async function createTenant(page: Page): Promise<string> {
  await openSettings(page, "Tenants");
  await page.getByRole("button", { name: "Add a tenant…" }).click();
  await dialog(page)
    .getByLabel(/^Organization/)
    .fill(tenant.org);
  await dialog(page).getByLabel("Name", { exact: true }).fill(tenant.name);
  await dialog(page).getByLabel("Instance quota").fill(tenant.quota);
  await dialog(page).getByRole("button", { name: "Continue" }).click();
  await saveSettings(page, "new tenant");

  await openSettings(page, "Users");
  await page.getByRole("button", { name: "Create a user…" }).click();
  await dialog(page).getByLabel("Email").fill(tenantAdmin.email);
  await dialog(page).getByLabel("Name", { exact: true }).fill(tenantAdmin.name);
  await dialog(page).getByLabel("Role").selectOption("tenant-admin");
  await dialog(page).getByLabel("Organization").selectOption(tenant.org);
  await dialog(page).getByRole("button", { name: "Create user" }).click();
  const shown = page.getByRole("dialog", { name: `Password of ${tenantAdmin.email}` });
  const password = await shown.locator("code").innerText();
  await shown.getByRole("button", { name: "Close" }).click();
  return password;
}

const instanceRow = (page: Page, name: string) =>
  page.getByRole("row").filter({ has: page.getByRole("checkbox", { name: `Select ${name}`, exact: true }) });

async function takeTwo(page: Page): Promise<void> {
  await openPage(page, "Instances");
  for (const name of instances) {
    await page.getByRole("button", { name: "Create instance…" }).click();
    await dialog(page).getByLabel("Name", { exact: true }).fill(name);
    await dialog(page).getByRole("button", { name: "Create instance" }).click();
    await expect(dialog(page)).toHaveCount(0);
  }
  for (const name of instances)
    await expect(instanceRow(page, name)).toContainText("Ready", { timeout: workMs });
  await page.getByRole("button", { name: "Create instance…" }).click();
  await expect(dialog(page).getByRole("button", { name: "Create instance" })).toHaveAccessibleDescription(
    /^Your quota of 2 instances is used up/,
  );
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
}

async function giveBack(page: Page): Promise<void> {
  for (const name of instances) await page.getByLabel(`Select ${name}`, { exact: true }).check();
  await page.getByRole("button", { name: "Release 2 instances…" }).click();
  await dialog(page).getByLabel("Type release 2 to confirm").fill("release 2");
  await dialog(page).getByRole("button", { name: "Release 2 instances" }).click();
  await expect(page.getByText("Release of 2 instances accepted", { exact: true })).toBeVisible();
}

/** The reclamation after the release, with every gate satisfied or not required. */
async function seeEvidence(page: Page, host: string): Promise<void> {
  await openPage(page, "Hosts");
  await page.getByRole("link", { name: host, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: host })).toBeVisible();
  await tab(page, "Gates").click();
  const gates = page.getByRole("table", { name: "Gates" });
  await expect(gates.getByRole("button", { name: /^Show the evidence of/ }).first()).toBeVisible();
  await expect(gates).not.toContainText(/unsatisfied|not checked|not evaluated/);
}

test("from an empty site to hosts in a tenant's hands, and back", async ({ openAs }) => {
  test.setTimeout(4 * workMs);
  const page = await openAs("nobody", { at: site.url });
  await test.step("a provider admin signs in for the first time", () => signIn(page, site.providerAdmin));
  await test.step("describes the site", () => describeSite(page));
  await test.step("enrols ten machines", () => enrol(page));
  await test.step("creates SKUs from them", () => createSkus(page));
  await test.step("sees ten hosts Ready", () => seeReady(page, hosts));
  const password = await test.step("creates a tenant with a user", () => createTenant(page));

  const theirs = await openAs("nobody", { at: site.url });
  await test.step("the tenant admin signs in", () => signIn(theirs, { ...tenantAdmin, password }));
  await test.step("takes two hosts, and no third", () => takeTwo(theirs));
  const used = await test.step("the provider sees which", async () => {
    await openPage(page, "Instances");
    return Promise.all(
      instances.map((name) => instanceRow(page, name).getByRole("link").first().innerText()),
    );
  });
  await seeReady(page, hosts - used.length);
  await test.step("gives both back", () => giveBack(theirs));
  await test.step("both are Ready again, with evidence", async () => {
    await seeReady(page, hosts);
    for (const host of used) await seeEvidence(page, host);
  });
});
