// The hosts page: a view from its URL, filter errors, sorting, endless scrolling, shortcuts, and CSV export.
import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { mutate } from "@/e2e/fixtures/api";
import { readHosts, readyHost } from "@/e2e/fixtures/fleet";
import { stateLine } from "@/e2e/fixtures/host-page";
import { narrow, expect, test } from "@/e2e/fixtures/test";
import { routes } from "@/server/domain/console/routes";

const table = (page: Page): Locator => page.getByRole("table", { name: "Hosts" });
const rows = (page: Page): Locator => table(page).locator("tbody tr[aria-rowindex]");
const filter = (page: Page): Locator => page.getByRole("searchbox", { name: "Filter hosts" });
const names = (page: Page): Promise<string[]> => table(page).locator("[data-open]").allInnerTexts();
/** "100 of 120 hosts loaded". */
const loaded = (page: Page): Locator =>
  page.getByRole("main").getByRole("status").filter({ hasText: "hosts loaded" });
/** The row selected by keyboard. */
const at = (page: Page): Locator => table(page).locator("tr[aria-current]");

/** More than fit on one page of the table: what is missing is enrolled and left alone, which costs next to nothing. */
test.beforeAll(async () => {
  const { total, rows: known } = await readHosts("");
  const missing = 110 - (total ?? known.length);
  if (missing <= 0) return;
  const hosts = Array.from({ length: missing }, (_, number) => ({
    name: `spare-${String(number).padStart(3, "0")}`,
    bmcAddress: `http://spare-${number}.localhost:9`,
  }));
  const credential = { username: "root", password: "calvin-and-hobbes" };
  const answer = await mutate("providerAdmin", "enrolment.enroll", {
    site: "a",
    goal: "enrolled",
    hosts,
    credential,
  });
  expect(answer).toMatchObject({ code: "OK", value: { enrolled: missing } });
});

test("an address holds the filter, and what is typed goes into the address", async ({ openAs }) => {
  const ready = await readHosts("state:Ready site:a");
  expect(ready.rows.length).toBeGreaterThan(0);
  const page = await openAs("operator");
  await page.goto(routes.hosts({ q: "state:Ready site:a" }));
  await expect(filter(page)).toHaveValue("state:Ready site:a");
  await expect(loaded(page)).toHaveText(`${ready.rows.length} of ${ready.total} hosts loaded`);
  await expect(rows(page).first()).toContainText("Ready");
  await expect(rows(page).filter({ hasNotText: "Ready" })).toHaveCount(0);

  const [one] = ready.rows;
  if (one === undefined) throw new Error("no host is ready");
  await filter(page).fill(`state:Ready ${one.name}`);
  await expect(page).toHaveURL((url) => url.searchParams.get("q") === `state:Ready ${one.name}`);
  await expect(loaded(page)).toHaveText("1 of 1 hosts loaded");
  await expect.poll(() => names(page)).toEqual([one.name]);

  await filter(page).fill(`-state:Ready ${one.name}`);
  await expect(page.getByRole("main").getByText("No host matches this filter")).toBeVisible();
  await page.getByRole("button", { name: "Show all hosts" }).click();
  await expect(page).toHaveURL((url) => url.searchParams.get("q") === "");
  await expect(loaded(page)).toHaveText(/^100 of \d+ hosts loaded$/);
});

test(
  "a filter that is not understood says what is wrong, and what there is",
  { tag: "@all" },
  async ({ openAs }) => {
    const page = await openAs("operator");
    for (const [text, problem] of [
      ["colour:red", /There is no filter colour:\. There are state: cause: .*site:/],
      ["state:Reddy", "There is no state Reddy."],
      ["sla:never", "sla: takes over, within; not never."],
      ['"open', "This quote is not closed."],
    ] as const) {
      await page.goto(routes.hosts({ q: text }));
      await expect(page.getByRole("main").getByRole("alert")).toContainText(problem);
      await expect(filter(page)).toHaveAccessibleDescription(problem);
      await expect(rows(page)).toHaveCount(0);
    }
    await filter(page).fill("state:Ready");
    await expect(page.getByRole("main").getByRole("alert")).toHaveCount(0);
    await expect(rows(page).first()).toContainText("Ready");
  },
);

test(
  "what is typed while a filter is applied stays, also a space at its end",
  { tag: "@all" },
  async ({ openAs }) => {
    const page = await openAs("operator");
    await page.goto(routes.hosts({ q: "" }));
    await filter(page).pressSequentially("state:Ready ");
    await expect(page).toHaveURL((url) => url.searchParams.get("q") === "state:Ready");
    await expect(loaded(page)).toHaveText(/^\d+ of \d+ hosts loaded$/);
    await filter(page).pressSequentially("site:a");
    await expect(page).toHaveURL((url) => url.searchParams.get("q") === "state:Ready site:a");
    await expect(filter(page)).toHaveValue("state:Ready site:a");
  },
);

test("the saved views filter, and count what they show", { tag: "@all" }, async ({ openAs }) => {
  const page = await openAs("operator");
  await page.goto(routes.hosts());
  const views = page.getByRole("navigation", { name: "Views" });
  const inUse = views.getByRole("link", { name: /^In use/ });
  await inUse.click();
  await expect(inUse).toHaveAttribute("aria-current", "page");
  const count = (await readHosts("is:inUse")).total;
  await expect(inUse).toContainText(String(count));
  await expect(loaded(page)).toHaveText(`${count} of ${count} hosts loaded`);
});

test(
  "hosts are sorted by what the address or a click on the head says",
  { tag: "@all" },
  async ({ openAs }) => {
    const byName = (await readHosts("")).rows.map(({ name }) => name);
    const page = await openAs("operator");
    await page.goto(routes.hosts({ sort: "name" }));
    const head = table(page).getByRole("columnheader", { name: "Host", exact: true });
    await expect(head).toHaveAttribute("aria-sort", "ascending");
    await expect.poll(async () => (await names(page)).slice(0, 10)).toEqual(byName.slice(0, 10));
    await head.getByRole("button").click();
    await expect(head).toHaveAttribute("aria-sort", "descending");
    await expect(page).toHaveURL((url) => url.searchParams.get("sort") === "-name");
    await expect.poll(async () => (await names(page)).slice(0, 10)).toEqual(byName.toReversed().slice(0, 10));
  },
);

test("only rows in sight are drawn, and the next page comes when it is scrolled to", async ({ openAs }) => {
  const { rows: known } = await readHosts("");
  const page = await openAs("operator");
  await page.goto(routes.hosts({ sort: "name" }));
  await expect(loaded(page)).toHaveText(`100 of ${known.length} hosts loaded`);
  await expect.poll(() => rows(page).count()).toBeLessThan(80);
  await expect(table(page)).toHaveAttribute("aria-rowcount", String(known.length + 1));
  await page.mouse.move(700, 500);
  await expect(async () => {
    await page.mouse.wheel(0, 2000);
    await expect(table(page).getByRole("link", { name: known.at(-1)?.name ?? "" })).toBeVisible({
      timeout: 2_000,
    });
  }).toPass({ timeout: 60_000 });
  await expect(loaded(page)).toHaveText(`${known.length} of ${known.length} hosts loaded`);
  await expect.poll(() => rows(page).count()).toBeLessThan(80);
});

test("a table is read by keys alone: / filters, j and k move, x selects, enter opens", async ({ openAs }) => {
  const ready = await readHosts("state:Ready");
  const [first, second] = ready.rows;
  if (first === undefined || second === undefined) throw new Error("there are not two ready hosts");
  const page = await openAs("operator");
  await page.goto(routes.hosts({ sort: "name" }));
  await expect(rows(page).first()).toBeVisible();
  await page.keyboard.press("/");
  await expect(filter(page)).toBeFocused();
  await page.keyboard.type("state:Ready");
  await page.keyboard.press("Enter");
  await expect(loaded(page)).toHaveText(`${Math.min(100, ready.rows.length)} of ${ready.total} hosts loaded`);
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await expect(at(page)).toContainText(first.name);
  await page.keyboard.press("j");
  await expect(at(page)).toContainText(second.name);
  await page.keyboard.press("x");
  await expect(page.getByRole("checkbox", { name: `Select ${second.name}` })).toBeChecked();
  await expect(page.getByRole("toolbar", { name: "Selected hosts" })).toContainText("1 selected");
  await page.keyboard.press("x");
  await expect(page.getByRole("toolbar", { name: "Selected hosts" })).toBeHidden();
  await page.keyboard.press("k");
  await expect(at(page)).toContainText(first.name);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(routes.host(first.name));
  await expect(stateLine(page)).toContainText("Ready");
  await page.keyboard.press("g");
  await page.keyboard.press("h");
  // With hosts that need attention, which other tests may have left, the page begins with those.
  await expect(page).toHaveURL(/\/hosts(\?q=is%3AneedPerson)?$/);
});

test("with many hosts selected, an act says on how many it is possible and why not on the others", async ({
  openAs,
}) => {
  const [ready] = (await readHosts("state:Ready")).rows;
  const [used] = (await readHosts("is:inUse")).rows;
  if (ready === undefined || used === undefined) throw new Error("the fleet has no ready and used hosts");
  const page = await openAs("operator");
  await page.goto(routes.hosts({ sort: "name", q: "state:Ready,Assigned/Ready" }));
  for (const { name } of [ready, used]) {
    await filter(page).fill(name);
    await page.getByRole("checkbox", { name: `Select ${name}` }).check();
  }
  const acts = page.getByRole("toolbar", { name: "Selected hosts" });
  await expect(acts).toContainText("2 selected");
  await expect(acts.getByRole("button", { name: /^Retry step/ })).toBeDisabled();
  await expect(acts.getByRole("button", { name: /^Retry step/ })).toHaveAccessibleDescription(/\S/);
  await acts.getByRole("button", { name: "Manage on 1" }).click();
  const dialog = page.getByRole("dialog", { name: "Manage on 1 host?" });
  await expect(dialog).toContainText("The host leaves allocation");
  await expect(dialog).toContainText(new RegExp(`One is left out:\\s*${used.name}: \\S+`));
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
  await acts.getByRole("button", { name: "Clear the selection" }).click();
  await expect(acts).toBeHidden();
});

test("the palette finds a host by its serial", { tag: "@all" }, async ({ openAs }) => {
  const host = await readyHost();
  const page = await openAs("operator");
  await page.goto(routes.fleet());
  await page.keyboard.press("Control+k");
  await page.keyboard.type(host.serial.toLowerCase());
  await expect(page.getByRole("option", { name: host.name })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(routes.host(host.name));
});

test(
  "the menu of a host is scrolled where it is longer than the window, and what is possible comes first",
  { tag: "@all" },
  async ({ openAs }) => {
    const page = await openAs("operator");
    await page.goto(routes.host((await readyHost()).name));
    await page.getByRole("button", { name: "More actions" }).click();
    const items = page.getByRole("menu").getByRole("menuitem");
    await expect(items.first()).toBeEnabled();
    await items.last().scrollIntoViewIfNeeded();
    await expect(items.last()).toBeInViewport({ ratio: 1 });
    await page.getByRole("menuitem", { name: /^Decommission/ }).click();
    await expect(page.getByRole("dialog")).toContainText("Keep the BMC account");
  },
);

test("a serial is copied by a button", { tag: "@all" }, async ({ openAs }) => {
  const host = await readyHost();
  const page = await openAs("operator", { permissions: ["clipboard-read", "clipboard-write"] });
  await page.goto(routes.host(host.name, { tab: "inventory" })); // also a deep link to a tab
  await expect(page.getByRole("table", { name: "Storage devices" })).toBeVisible();
  await page.getByRole("button", { name: `Copy serial ${host.serial}` }).click();
  await expect(page.getByText("Copied", { exact: true })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(host.serial);
});

test("columns are hidden by the menu, and by an address", { tag: "@all" }, async ({ openAs }) => {
  const page = await openAs("operator");
  await page.goto(routes.hosts({ q: "" }));
  const tenant = table(page).getByRole("columnheader", { name: "Tenant" });
  await expect(tenant).toBeVisible();
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Tenant" }).click();
  await expect(tenant).toHaveCount(0);
  await page.goto(page.url());
  await expect(rows(page).first()).toBeVisible();
  await expect(tenant).toHaveCount(0);
});

test("the list is a file with every host of the filter", { tag: "@all" }, async ({ openAs }) => {
  const inUse = await readHosts("is:inUse");
  const page = await openAs("auditor");
  await page.goto(routes.hosts({ sort: "name", q: "is:inUse" }));
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export CSV" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("hosts.csv");
  const [head, ...lines] = readFileSync(await download.path(), "utf8")
    .trim()
    .split(/\r?\n/);
  expect(head?.split(",").length).toBeGreaterThan(5);
  expect(lines).toHaveLength(inUse.rows.length);
  for (const [index, { name }] of inUse.rows.entries()) expect(lines[index]).toContain(name);
});

test("on a phone a row opens its host", async ({ openAs }) => {
  const host = await readyHost();
  const page = await openAs("operator", { viewport: narrow });
  await page.goto(routes.hosts({ q: host.name }));
  await page.getByRole("link", { name: host.name }).click();
  await expect(stateLine(page)).toContainText("Ready");
});

for (const width of [narrow.width, 820])
  test(`rows are selected by touch at a width of ${width} px`, { tag: "@all" }, async ({ openAs }) => {
    const host = await readyHost();
    const page = await openAs("operator");
    await page.setViewportSize({ width, height: 844 });
    await page.goto(routes.hosts({ q: host.name }));
    await page.getByRole("checkbox", { name: `Select ${host.name}` }).click();
    await expect(page.getByRole("toolbar", { name: "Selected hosts" })).toContainText("1 selected");
  });
