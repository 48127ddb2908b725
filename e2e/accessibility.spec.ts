// Every page, light and dark, wide and narrow: no axe violations, nothing wider than the window, and nothing cut that must be read in full.
import type { Page } from "@playwright/test";
import { axeViolations } from "@/e2e/fixtures/axe";
import { contrastViolations } from "@/e2e/fixtures/contrast";
import { mutate } from "@/e2e/fixtures/api";
import { failedHost, findInstance, readyHost, startRun, type HostHead } from "@/e2e/fixtures/fleet";
import { stateLine } from "@/e2e/fixtures/host-page";
import { readHardware } from "@/e2e/fixtures/simulator";
import { cutText } from "@/e2e/fixtures/looks-right";
import type { PersonName } from "@/e2e/fixtures/system";
import { expect, narrow, test, wide } from "@/e2e/fixtures/test";
import { openFirstFailure } from "@/e2e/fixtures/frame";
import { Windows } from "@/e2e/fixtures/windows";
import { routes } from "@/server/domain/console/routes";

interface View {
  words: string;
  as: PersonName | "nobody";
  href: (hosts: { failed: HostHead; ready: HostHead }) => string | Promise<string>;
  /** Waits until the page shows its content, and opens what should be open. */
  open: (page: Page) => Promise<void>;
  /** What the browser logs about the page by itself. */
  complaint?: RegExp;
  /** Loaded by URL instead of by a link: for pages without our frame, and pages that no other test loads. */
  whole?: true;
  /** The first of its kind of page, which `npm test` has, too. */
  first?: true;
}

let windows: Windows;
// In this file and not as a worker fixture: worker fixtures would move these tests behind all others, where no host is Ready any more.
test.beforeAll(({ browser }) => {
  windows = new Windows(browser);
});
test.afterAll(() => windows.closeAll());

const title = (name: string) => (page: Page) =>
  expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
const table = (name: string) => (page: Page) =>
  expect(page.getByRole("table", { name, exact: true }).getByRole("row").nth(1)).toBeVisible();
const words =
  (text: string | RegExp, exact = false) =>
  (page: Page) =>
    expect(page.getByRole("main").getByText(text, { exact })).toBeVisible();

const views: readonly View[] = [
  {
    words: "sign-in",
    first: true,
    as: "nobody",
    href: () => routes.signIn({ next: routes.hosts(), ended: true }),
    open: title("Sign in"),
  },
  {
    words: "next",
    first: true,
    as: "operator",
    href: () => routes.next(),
    open: async (page) => {
      const lines = page.getByRole("list", { name: "What to do now" }).getByRole("listitem");
      await lines.first().getByRole("link").first().click();
      await expect(page.getByRole("complementary")).toContainText("Next step");
    },
  },
  { words: "next of a tenant", as: "tenantAdmin", href: () => routes.next(), open: title("Next") },
  { words: "fleet", first: true, as: "operator", href: () => routes.fleet(), open: title("Fleet") },
  { words: "hosts", first: true, as: "operator", href: () => routes.hosts(), open: table("Hosts") },
  {
    words: "hosts of an auditor, by name",
    as: "auditor",
    href: () => routes.hosts({ sort: "-name", hide: ["sku"] }),
    open: table("Hosts"),
  },
  {
    words: "security events",
    as: "operator",
    href: () => routes.security({ show: "all" }),
    open: title("Security events"),
  },
  { words: "reclamations", as: "operator", href: () => routes.reclamations(), open: title("Reclamations") },
  { words: "proof", as: "operator", href: () => routes.proof(), open: table("Returns") },
  {
    words: "a pack for an auditor",
    as: "auditor",
    href: () => routes.proof({ standing: "proven", drawer: "pack" }),
    open: words("Pack for an auditor", true),
  },
  {
    words: "a file to check",
    as: "auditor",
    href: () => routes.proof({ drawer: "check" }),
    open: async (page) => {
      const drawer = page.getByRole("region", { name: "Check a file" });
      await expect(drawer.getByLabel("File to check")).toBeVisible();
    },
  },
  { words: "proof of a tenant", as: "tenantAdmin", href: () => routes.proof(), open: title("Proof") },
  { words: "assurance", as: "operator", href: () => routes.assurance(), open: title("Assurance") },
  {
    words: "exceptions",
    as: "operator",
    href: () => routes.assurance({ tab: "exceptions" }),
    open: words(/^expired, rejected, void or no longer needed/),
  },
  {
    words: "calendar of assurance",
    as: "auditor",
    href: () => routes.assurance({ tab: "calendar" }),
    open: title("Assurance"),
  },
  { words: "audit", as: "auditor", href: () => routes.audit(), open: table("Events") },
  {
    words: "verify the audit log",
    as: "auditor",
    href: () => routes.audit({ tab: "verify" }),
    open: words("The whole log", true),
  },
  {
    words: "self-audits",
    as: "auditor",
    href: () => routes.audit({ tab: "checks" }),
    open: words("Past self-audits", true),
  },
  {
    words: "keys of the audit log",
    as: "auditor",
    href: () => routes.audit({ tab: "keys" }),
    open: table("Keys"),
  },
  { words: "tickets", as: "tenantAdmin", href: () => routes.tickets(), open: title("Tickets") },
  { words: "capacity", as: "operator", href: () => routes.capacity(), open: words(/changes? of capacity/) },
  {
    words: "gone hosts",
    as: "operator",
    href: () => routes.gone.list(),
    open: title("Removed hosts"),
    whole: true,
  },
  { words: "firmware", as: "operator", href: () => routes.firmware(), open: table("Firmware") },
  {
    words: "measured boot",
    as: "operator",
    href: () => routes.measuredBoot(),
    open: title("Measured boot"),
  },
  {
    words: "drives",
    as: "operator",
    href: () => routes.drives.list(),
    open: table("Drives"),
    whole: true,
  },
  {
    words: "a drive, with what was tried",
    as: "auditor",
    whole: true,
    href: async ({ ready }) => {
      const [drive] = (await readHardware(ready.serial)).drives;
      return routes.drives.one(drive?.serial ?? "");
    },
    open: async (page) => {
      const erases = page.getByRole("table", { name: "Erases" });
      await erases.getByRole("button", { name: "attempt" }).first().click();
      await expect(erases.getByText("Command", { exact: true }).first()).toBeVisible();
    },
  },
  {
    words: "hosts, none found",
    as: "operator",
    href: () => routes.hosts({ q: "nothing-has-this-name" }),
    open: words("No host matches this filter"),
  },
  {
    words: "hosts, a wrong filter",
    as: "operator",
    href: () => routes.hosts({ q: "colour:red" }),
    open: words("There is no filter colour:."),
  },
  {
    words: "hosts, one selected",
    as: "operator",
    href: ({ failed }) => routes.hosts({ q: failed.name }),
    open: async (page) => {
      await page.getByRole("checkbox", { name: /^Select gpu/ }).check();
      await expect(
        page.getByRole("toolbar", { name: "Selected hosts" }).getByRole("button", { name: /on 1/ }).first(),
      ).toBeVisible();
    },
  },
  {
    words: "a failed host",
    first: true,
    as: "operator",
    href: ({ failed }) => routes.host(failed.name),
    open: table("Step runs"),
  },
  {
    words: "a SKU to assign",
    as: "operator",
    href: ({ failed }) => routes.host(failed.name),
    open: async (page) => {
      await page.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: /^Assign SKU/ }).click();
      await expect(page.getByRole("dialog", { name: /^Assign SKU/ })).toBeVisible();
    },
  },
  {
    words: "a failed host of an auditor",
    as: "auditor",
    href: ({ failed }) => routes.host(failed.name),
    open: table("Step runs"),
  },
  {
    words: "a ready host with its menu",
    as: "operator",
    href: ({ ready }) => routes.host(ready.name),
    open: async (page) => {
      await expect(stateLine(page)).toContainText("Ready");
      await page.getByRole("button", { name: "More actions" }).click();
      await expect(page.getByRole("menu")).toBeVisible();
    },
  },
  {
    words: "gates with evidence",
    first: true,
    as: "operator",
    href: ({ ready }) => routes.host(ready.name, { tab: "gates" }),
    open: async (page) => {
      await page
        .getByRole("button", { name: /^Show the evidence of/ })
        .first()
        .click();
      await page.getByText("Raw evidence").first().click();
      await expect(page.getByLabel(/^Evidence of/).first()).toBeVisible();
    },
  },
  {
    words: "history",
    as: "operator",
    whole: true,
    href: ({ failed }) => routes.host(failed.name, { tab: "history" }),
    open: table("States"),
  },
  {
    words: "inventory",
    as: "operator",
    href: ({ ready }) => routes.host(ready.name, { tab: "inventory" }),
    open: table("Storage devices"),
  },
  {
    words: "parts",
    as: "operator",
    href: ({ ready }) => routes.host(ready.name, { tab: "parts" }),
    open: table("Parts against the SKU"),
  },
  {
    words: "platform",
    as: "providerAdmin",
    href: ({ ready }) => routes.host(ready.name, { tab: "platform" }),
    open: table("Platform after the last cleaning"),
  },
  {
    words: "attestation",
    as: "operator",
    href: ({ ready }) => routes.host(ready.name, { tab: "attestation" }),
    open: words("Measured boot"),
  },
  {
    words: "health",
    as: "operator",
    href: ({ ready }) => routes.host(ready.name, { tab: "health" }),
    open: words(/last report of each source/),
  },
  {
    words: "repairs, one host open",
    as: "repairTenantAdmin",
    href: async ({ failed }) => {
      const asked = { hostId: failed.id, template: "request-repair", message: "drive in bay 4 is not seen" };
      expect(await mutate("operator", "health.apply", asked)).toMatchObject({ code: "OK" });
      return routes.repair({ host: failed.name });
    },
    open: words(/Nobody can claim it now/),
  },
  {
    words: "a host's repair",
    as: "operator",
    href: ({ failed }) => routes.host(failed.name, { tab: "repair" }),
    open: words(/drive in bay 4/),
  },
  {
    words: "a host that is not there",
    as: "operator",
    whole: true,
    href: () => routes.host("no-such-host"),
    open: title("Not found"),
    complaint: /status of 404/,
  },
  {
    words: "instances of all tenants",
    as: "operator",
    href: () => routes.instances(),
    open: table("Instances"),
  },
  {
    words: "the demo menu",
    as: "operator",
    href: () => routes.instances(),
    open: async (page) => {
      await page.getByRole("button", { name: "Demo menu" }).click();
      await expect(page.getByRole("button", { name: "Fail a drive" })).toBeVisible();
    },
  },
  {
    words: "an instance to create",
    as: "tenantAdmin",
    href: () => routes.instances(),
    open: async (page) => {
      await page.getByRole("button", { name: "Create instance…" }).click();
      await expect(page.getByLabel("SKU")).toBeVisible();
    },
  },
  {
    words: "an instance to edit",
    as: "tenantAdmin",
    href: () => routes.instances(),
    open: async (page) => {
      const { name } = await findInstance("acme");
      await page.getByRole("button", { name, exact: true }).click();
      await page.getByRole("button", { name: `Edit… ${name}` }).click();
      await expect(page.getByRole("dialog", { name: `Edit ${name}` })).toBeVisible();
    },
  },
  {
    words: "a release to confirm",
    first: true,
    as: "tenantAdmin",
    href: () => routes.instances(),
    open: async (page) => {
      const { name } = await findInstance("acme");
      await page.getByRole("button", { name: new RegExp(`^Release.* ${name}$`) }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  {
    words: "an online repair to begin",
    as: "tenantAdmin",
    href: () => routes.instances(),
    open: async (page) => {
      const { name } = await findInstance("acme");
      await page.getByRole("button", { name, exact: true }).click();
      await page.getByRole("button", { name: `Begin online repair… ${name}` }).click();
      await expect(page.getByRole("dialog", { name: `Begin an online repair of ${name}?` })).toBeVisible();
    },
  },
  {
    words: "an instance with its story",
    as: "tenantAdmin",
    href: () => routes.instances(),
    open: async (page) => {
      const { name } = await findInstance("acme");
      await page.getByRole("button", { name, exact: true }).click();
      await expect(page.getByRole("button", { name: "Copy the instance's id" })).toBeVisible();
    },
  },
  {
    words: "ended instances",
    as: "otherTenantAdmin",
    href: () => routes.instances({ show: "ended" }),
    open: table("Instances"),
  },
  {
    words: "a page for others",
    as: "repairTenantAdmin",
    href: () => routes.hosts(),
    open: words("cannot open this page"),
  },
  {
    words: "clean steps, one open with a tie",
    as: "providerAdmin",
    href: () => routes.cleaning.steps(),
    open: async (page) => {
      await page.getByRole("button", { name: "deploy.erase_disks, where its priority comes from" }).click();
      await page.getByLabel(/^Priority at site/).fill("90");
      await expect(page.getByRole("main").getByRole("alert").first()).toBeVisible();
    },
  },
  {
    words: "clean steps of a host, of an auditor",
    as: "auditor",
    href: ({ failed }) => routes.cleaning.steps({ host: failed.name }),
    open: table("Clean steps"),
  },
  {
    words: "a manual cleaning of a failed host",
    as: "operator",
    href: ({ failed }) => routes.cleaning.manual({ hosts: [failed.name] }),
    open: async (page) => {
      await page.getByRole("button", { name: "Add deploy.erase_nvme" }).click();
      await page.getByRole("button", { name: "Add firmware.update" }).click();
      await page.getByRole("button", { name: "Add an entry to settings" }).click();
      await expect(page.getByRole("main").getByText("Ends in", { exact: true })).toBeVisible();
    },
  },
  {
    words: "a manual cleaning without hosts",
    as: "operator",
    href: () => routes.cleaning.manual(),
    open: words("Select hosts"),
  },
  {
    words: "many hosts to confirm",
    as: "operator",
    href: () => routes.cleaning.manual({ filter: "is:ready,failed" }),
    open: async (page) => {
      await page.getByRole("button", { name: "Add power.reboot" }).click();
      await page.getByRole("button", { name: /^Run 1 step on/ }).click();
      await expect(page.getByRole("list", { name: "Hosts that are left out" })).toBeVisible();
    },
  },
  { words: "runbooks", as: "auditor", href: () => routes.cleaning.runbooks(), open: title("Cleaning") },
  {
    words: "a new runbook",
    as: "operator",
    href: () => routes.cleaning.newRunbook(),
    open: words("No step yet"),
  },
  { words: "SKUs", as: "operator", href: () => routes.skus(), open: table("SKUs") },
  {
    words: "a SKU to make",
    as: "providerAdmin",
    href: () => routes.skus(),
    open: async (page) => {
      await page.getByRole("button", { name: "New SKU…" }).click();
      await page.getByRole("button", { name: "Edit as JSON" }).click();
      await page.getByLabel(/^Components and baseline/).fill("{}");
    },
  },
  {
    words: "a SKU",
    as: "auditor",
    href: () => routes.skus(),
    open: async (page) => {
      await page.getByRole("table", { name: "SKUs" }).getByRole("link").first().click();
      await expect(page.getByRole("heading", { name: "Components" })).toBeVisible();
    },
  },
  { words: "the queue", as: "operator", href: () => routes.cleaning.queue(), open: table("Limits of a") },
  {
    words: "limits to change",
    as: "providerAdmin",
    href: () => routes.cleaning.queue(),
    open: async (page) => {
      await page.getByRole("button", { name: "Change limits…" }).click();
      await page.getByLabel(/^Maximum hosts in progress \d/).fill("none");
      await expect(page.getByRole("button", { name: "Change the limits" })).toBeDisabled();
    },
  },
  {
    words: "agent images, none but the configured one",
    as: "auditor",
    href: () => routes.cleaning.images(),
    open: words("the server’s default"),
  },
  {
    words: "an agent image to add",
    as: "providerAdmin",
    href: () => routes.cleaning.images(),
    open: async (page) => {
      await page.getByRole("button", { name: "Add an image…" }).click();
      await page.getByLabel(/^Version/).fill("1.5.0");
    },
  },
  {
    words: "a run",
    as: "operator",
    whole: true,
    href: async ({ failed }) => routes.cleaning.run(await startRun([failed.id])),
    open: table("Hosts of the run"),
  },
  { words: "runs", as: "operator", href: () => routes.cleaning.runs(), open: title("Cleaning"), whole: true },
  {
    words: "failures, one open",
    as: "operator",
    href: () => routes.cleaning.failures(),
    open: async (page) => {
      await openFirstFailure(page);
      await expect(page.getByRole("button", { name: "Save note" })).toBeVisible();
    },
  },
  {
    words: "settings of a site",
    first: true,
    as: "providerAdmin",
    href: () => routes.settings.site(),
    open: words("attaches and detaches hosts"),
  },
  {
    words: "the policy, with a change to save",
    as: "providerAdmin",
    href: () => routes.settings.policy(),
    open: async (page) => {
      await page.getByLabel("Hold", { exact: true }).fill("5 h");
      await page.getByRole("button", { name: "Save settings…" }).click();
      await expect(page.getByRole("table", { name: "What will change" })).toBeVisible();
      await expect(page.getByRole("table", { name: "Effect on recorded reclamations" })).toBeVisible();
    },
  },
  {
    words: "the policy of an auditor",
    as: "auditor",
    href: () => routes.settings.policy(),
    open: words("how long a state or step may take"),
  },
  {
    words: "a new procedure",
    as: "providerAdmin",
    href: () => routes.settings.procedures({ begin: "drain" }),
    open: words("When it is due"),
  },
  {
    words: "an erase policy and what it would change",
    as: "providerAdmin",
    whole: true,
    href: () => routes.settings.erase(),
    open: async (page) => {
      await page.getByRole("button", { name: "NIST 800-88r1 Purge" }).click();
      await page.getByRole("button", { name: "Calculate the effect" }).click();
      await expect(page.getByRole("table", { name: "Known drives by model" })).toBeVisible();
    },
  },
  {
    words: "tenants",
    as: "operator",
    href: () => routes.settings.tenants(),
    open: table("Tenants"),
    whole: true,
  },
  {
    words: "health sources",
    as: "auditor",
    href: () => routes.settings.healthSources(),
    open: words(/No health source|Last report/),
  },
  {
    words: "repair systems",
    as: "auditor",
    href: () => routes.settings.repairSystems(),
    open: words(/^No repair system$/),
  },
  {
    words: "a tenant's webhook to add",
    as: "tenantAdmin",
    href: () => routes.settings.webhooks(),
    open: async (page) => {
      await title("Webhooks")(page);
      await page.getByRole("button", { name: "Add a webhook…" }).click();
      await expect(page.getByLabel("ticket.opened")).toBeVisible();
    },
  },
  {
    words: "a notice to announce",
    as: "operator",
    href: () => routes.tickets(),
    open: async (page) => {
      await page.getByRole("button", { name: "Announce…" }).click();
      await expect(page.getByLabel("Text for tenants")).toBeVisible();
    },
  },
  {
    words: "the history of settings",
    as: "auditor",
    href: () => routes.settings.history(),
    open: words(/No version yet|Compare versions/),
  },
  { words: "users", as: "auditor", href: () => routes.settings.users(), open: table("Users") },
  {
    words: "a user to create",
    as: "providerAdmin",
    href: () => routes.settings.users(),
    open: async (page) => {
      await page.getByRole("button", { name: "Create a user…" }).click();
      await page.getByLabel("Role").selectOption("tenant admin");
      await expect(page.getByLabel("Organization")).toBeVisible();
    },
  },
  {
    words: "tokens of all users",
    as: "providerAdmin",
    whole: true,
    href: () => routes.settings.tokens(),
    open: table("API tokens"),
  },
  {
    words: "sessions of all users",
    as: "auditor",
    whole: true,
    href: () => routes.settings.sessions(),
    open: table("Sessions"),
  },
  { words: "the own account", as: "tenantAdmin", href: () => routes.account(), open: table("Sessions") },
  {
    words: "a page of the docs",
    as: "auditor",
    href: () => routes.help("cleaning"),
    open: (page) => expect(page.getByRole("heading", { name: "Cleaning", level: 1 })).toBeVisible(),
  },
  {
    words: "the palette",
    first: true,
    as: "operator",
    href: () => routes.fleet(),
    open: async (page) => {
      await title("Fleet")(page);
      await page.keyboard.press("Control+k");
      await page.keyboard.type("gpu-a-001");
      await expect(page.getByRole("option", { name: /gpu-a-001/ }).first()).toBeVisible();
    },
  },
  {
    words: "the palette with what can be done to a host and what cannot",
    as: "operator",
    href: () => routes.fleet(),
    open: async (page) => {
      await title("Fleet")(page);
      await page.keyboard.press("Control+k");
      await page.keyboard.type("maintenance gpu-a-001");
      await expect(page.getByRole("option", { disabled: true }).first()).toBeVisible();
    },
  },
  {
    words: "the list of keys",
    as: "operator",
    whole: true,
    href: () => routes.fleet(),
    open: async (page) => {
      await title("Fleet")(page);
      await page.keyboard.press("?");
      await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
    },
  },
];

/** A theme changes colours only. */
async function inDark<T>(page: Page, look: () => Promise<T>): Promise<T> {
  const choose = (theme: string) =>
    page.evaluate((name) => void (document.documentElement.dataset.theme = name), theme);
  await choose("dark");
  const seen = await look();
  await choose("light");
  return seen;
}

/** By how much the page is wider than its window. Layout done by scripts adapts to a new width some frames later, so this waits. */
async function overflow(page: Page): Promise<number> {
  const read = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect
    .poll(read, { timeout: 5_000 })
    .toBe(0)
    .catch(() => undefined); // reported with the rest
  return read();
}

/** In the light theme all axe violations, in the dark theme contrast only. */
async function problemsAt(page: Page, width: number, axe: () => Promise<string[]>): Promise<string[]> {
  const tooWide = await overflow(page);
  return [
    ...(tooWide > 0 ? [`${tooWide} px wider than the window`] : []),
    ...(await cutText(page)).map((text) => `cut: ${text}`),
    ...(await axe()),
    ...(await inDark(page, () => contrastViolations(page))),
  ].map((problem) => `${width}: ${problem}`);
}

for (const view of views) {
  const tag = view.first === true ? [] : "@all";
  test(
    `${view.words}: nothing to find for axe, nothing too wide or cut`,
    { tag },
    async ({ browserErrors }) => {
      if (view.complaint !== undefined) browserErrors.expect(view.complaint);
      const href = await view.href({ failed: await failedHost(), ready: await readyHost() });
      const { page, close } = await windows.open(view.as, href, view.whole === true, browserErrors);
      await view.open(page);
      await expect(page).toHaveTitle(/\S/); // Next streams it, and axe requires one
      const problems = await problemsAt(page, wide.width, () => axeViolations(page));
      await page.setViewportSize(narrow);
      const again = async () => [
        ...(await axeViolations(page, ["color-contrast"])),
        ...(await contrastViolations(page)),
      ];
      problems.push(...(await problemsAt(page, narrow.width, again)));
      close();
      expect(problems).toEqual([]);
    },
  );
}
