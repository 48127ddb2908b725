// Cleaning: priorities that must not tie, a list built by keyboard and run on one host and on many, and notes on failures.
import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { mutate } from "@/e2e/fixtures/api";
import { failedHost, reach, readHost, readHosts, readyHosts, type HostHead } from "@/e2e/fixtures/fleet";
import { openFirstFailure, pageLinks } from "@/e2e/fixtures/frame";
import { stateLine, stepRuns } from "@/e2e/fixtures/host-page";
import { expect, narrow, test } from "@/e2e/fixtures/test";
import { routes } from "@/server/domain/console/routes";

const main = (page: Page): Locator => page.getByRole("main");
const stepRow = (page: Page, name: string): Locator =>
  main(page)
    .getByRole("row")
    .filter({ has: page.getByRole("button", { name: `${name}, where its priority comes from` }) });
const options = (page: Page): Locator =>
  main(page).getByRole("listbox", { name: "Order" }).getByRole("option");
const findStep = (page: Page): Locator => main(page).getByRole("searchbox", { name: "Find a step" });
const runButton = (page: Page): Locator => main(page).getByRole("button", { name: /^Run .*on / });

/** Moves ready hosts to Manageable, taking those at the end of the list, which no other test uses. */
async function manageable(count: number): Promise<HostHead[]> {
  const rows = (await readyHosts(count)).slice(-count);
  const hosts = await Promise.all(rows.map(({ name }) => readHost(name)));
  for (const { id, stateVersion } of hosts)
    expect(
      await mutate("operator", "host.act", { hostId: id, intent: "manage", stateVersion }),
    ).toMatchObject({ code: "OK" });
  for (const host of hosts) await reach(host, "Manageable");
  return hosts;
}

/** Searches for a step and adds the first match. */
async function add(page: Page, words: string, count: number): Promise<void> {
  await findStep(page).fill(words);
  await findStep(page).press("Enter");
  await expect(options(page)).toHaveCount(count);
}

test(
  "a priority that makes a tie is not saved; another is, shows where it comes from, and is removed",
  { tag: "@all" },
  async ({ openAs }) => {
    const page = await openAs("providerAdmin");
    await page.goto(routes.cleaning.steps());
    const row = stepRow(page, "deploy.erase_disks");
    await expect(row).toContainText("86");
    await row.getByRole("button").click();
    const field = main(page).getByLabel(/^Priority at site/);
    const save = main(page).getByRole("button", { name: "Save priority" });
    await field.fill("90");
    const tie = main(page)
      .getByRole("alert")
      .filter({ hasText: "deploy.erase_nvme and deploy.erase_disks have the same priority 90" });
    await expect(tie).toHaveCount(1);
    await expect(save).toBeDisabled();
    await expect(save).toHaveAccessibleDescription(/same priority/);
    await field.fill("1001");
    await expect(save).toHaveAccessibleDescription("A whole number from 0 to 1000");
    await field.fill("99");
    await expect(tie).toHaveCount(0);
    await expect(main(page).getByText("deploy.erase_disks becomes step 1 of")).toBeVisible();
    await expect(
      main(page).getByRole("list", { name: "Resulting order" }).getByRole("listitem").first(),
    ).toContainText("deploy.erase_disks");
    await save.click();
    await expect(row).toContainText("99");
    await expect(row).toContainText("site");
    await expect(
      main(page).getByRole("region", { name: "Order" }).getByRole("listitem").first(),
    ).toContainText("deploy.erase_disks");

    await row.getByRole("button").click();
    await main(page)
      .getByRole("button", { name: /^Remove from site/ })
      .click();
    await expect(row).toContainText("86");
    await expect(row).toContainText("default");
  },
);

test(
  "an operator reads where priorities come from, and who changes them",
  { tag: "@all" },
  async ({ openAs }) => {
    const page = await openAs("operator");
    await page.goto(routes.cleaning.steps());
    await stepRow(page, "deploy.erase_nvme").getByRole("button").click();
    await expect(main(page).getByText("Only a provider admin can change priorities")).toBeVisible();
    await expect(main(page).getByRole("button", { name: "Save priority" })).toHaveCount(0);
    await expect(main(page).getByRole("button", { name: /^Switch off/ })).toBeDisabled();
  },
);

test("a list is built by keys alone, says all that is wrong, and runs on one host", async ({ openAs }) => {
  const [host] = await manageable(1);
  if (host === undefined) throw new Error("no host");
  const page = await openAs("operator");
  await page.goto(routes.cleaning.manual({ hosts: [host.name] }));
  await expect(runButton(page)).toHaveAccessibleDescription("Add a step first");
  await page.keyboard.press("a");
  await expect(findStep(page)).toBeFocused();
  await page.keyboard.type("power.power_on");
  await page.keyboard.press("Enter");
  await expect(options(page)).toHaveCount(1);
  await page.keyboard.type("power.wait");
  await page.keyboard.press("Enter");
  await expect(options(page)).toHaveCount(2);
  await page.keyboard.type("firmware.update");
  await page.keyboard.press("Enter");
  await expect(options(page)).toHaveCount(3);

  // Every fault at once, at its step and its field.
  await expect(options(page).nth(1)).toContainText("seconds is required");
  await expect(options(page).nth(2)).toContainText("settings is required");
  await expect(runButton(page)).toBeDisabled();
  await expect(runButton(page)).toHaveAccessibleDescription(/Steps 2 and 3 are not complete: 2 arguments/);

  await options(page).nth(2).focus();
  await page.keyboard.press("Delete");
  await expect(options(page)).toHaveCount(2);
  await expect(options(page).nth(1)).toBeFocused();
  await page.keyboard.press("Alt+ArrowUp");
  await expect(options(page).first()).toContainText("power.wait");
  await expect(options(page).first()).toBeFocused();

  const seconds = main(page).getByLabel(/^seconds/);
  await seconds.fill("soon");
  await expect(seconds).toHaveAttribute("aria-invalid", "true");
  await seconds.fill("1");
  await expect(seconds).not.toHaveAttribute("aria-invalid", "true");
  await expect(main(page).getByText("Manageable, with this run in the host's history")).toBeVisible();
  await expect(runButton(page)).toBeEnabled();
  await runButton(page).click();
  await page
    .getByRole("dialog", { name: `Run 2 steps on ${host.name}?` })
    .getByRole("button", { name: `Run 2 steps on ${host.name}` })
    .click();

  await expect(page).toHaveURL(routes.host(host.name));
  await expect(stepRuns(page)).toContainText("power.wait");
  await expect(stepRuns(page)).toContainText("power.power_on");
  await expect
    .poll(
      async () =>
        (await readHost(host.name)).stateVersion !== host.stateVersion && (await readHost(host.name)).state,
      { timeout: 120_000 },
    )
    .toBe("Manageable");
  await expect(stateLine(page)).toContainText("Manageable");
});

test(
  "many hosts by filter: who can and who cannot, then a result for each, also as a file; a hold is resumed for all of them",
  { tag: "@all" },
  async ({ openAs }) => {
    const hosts = await manageable(3);
    const page = await openAs("operator");
    const before = (await readHosts("state:Manageable")).rows.length;
    expect(before).toBeGreaterThanOrEqual(hosts.length);
    await page.goto(routes.cleaning.manual({ filter: "state:Manageable" }));
    await add(page, "power.wait", 1);
    await main(page)
      .getByLabel(/^seconds/)
      .fill("1");
    await add(page, "power.hold", 2);
    await expect(runButton(page)).toBeEnabled();
    await runButton(page).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText(`${before} of ${before} selected hosts will change`);
    await dialog.getByRole("button", { name: `Run 2 steps on ${before} hosts` }).click();

    await expect(page).toHaveURL(/\/cleaning\/runs\/[0-9a-f-]{36}$/);
    const table = main(page).getByRole("table", { name: "Hosts of the run" });
    for (const host of hosts)
      await expect(table.getByRole("row", { name: new RegExp(host.name) })).toContainText("running");
    for (const host of hosts) await reach(host, "ManualCleaning/OnHold");

    const others = await openAs("operator");
    await others.goto(routes.hosts({ sort: "name", q: "state:ManualCleaning/OnHold" }));
    await others.getByRole("checkbox", { name: /^Select the \d+ hosts loaded$/ }).check();
    await others
      .getByRole("toolbar", { name: "Selected hosts" })
      .getByRole("button", { name: "More acts on the selected hosts" })
      .click();
    await others.getByRole("menuitem", { name: "Resume" }).click();
    await others
      .getByRole("dialog")
      .getByRole("button", { name: /^Resume on \d+ hosts?$/ })
      .click();
    await expect(others).toHaveURL(/\/cleaning\/runs\/[0-9a-f-]{36}$/);

    await expect(main(page).getByText("All hosts have finished.")).toBeVisible({
      timeout: 120_000,
    });
    for (const host of hosts)
      await expect(table.getByRole("row", { name: new RegExp(host.name) })).toContainText("done");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Export CSV" }).click(),
    ]);
    const lines = readFileSync(await download.path(), "utf8")
      .trim()
      .split(/\r?\n/);
    expect(lines).toHaveLength(before + 1);
    for (const host of hosts) {
      expect(lines.some((line) => line.includes(host.name) && line.includes("ended"))).toBe(true);
      await reach(host, "Manageable");
    }
  },
);

test("a list is saved as a runbook, opened, changed and deleted", { tag: "@all" }, async ({ openAs }) => {
  const page = await openAs("operator");
  await page.goto(routes.cleaning.newRunbook());
  await add(page, "power.reboot", 1);
  const save = main(page).getByRole("button", { name: "Save runbook" });
  await expect(save).toHaveAccessibleDescription("Enter a name");
  await main(page).getByLabel("Name", { exact: true }).fill("Blink");
  await expect(save).toHaveAccessibleDescription(/Enter at least one trait/);
  await main(page)
    .getByLabel(/^Traits/)
    .fill("CUSTOM_BLINK");
  await save.click();
  await expect(page).toHaveURL(/\/cleaning\/runbooks\/[0-9a-f-]{36}$/);
  await add(page, "power.power_off", 2);
  await main(page).getByRole("button", { name: "Save changes" }).click();
  await expect(main(page).getByText("runbook Blink, version 2")).toBeVisible();
  await page.goto(routes.cleaning.runbooks());
  await expect(main(page).getByRole("row", { name: /Blink/ })).toContainText(
    "2 steps: power.reboot, power.power_off",
  );
  await main(page).getByRole("link", { name: "Blink" }).click();
  await main(page).getByRole("button", { name: "Delete runbook…" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete runbook Blink?" });
  await dialog.getByLabel("Type Blink to confirm").fill("Blink");
  await dialog.getByRole("button", { name: "Delete Blink" }).click();
  await expect(page).toHaveURL(/\/cleaning\/runbooks$/);
  await expect(main(page).getByRole("link", { name: "Blink" })).toHaveCount(0);
});

test(
  "a runbook that is not saved is not lost by a link or by going back",
  { tag: "@all" },
  async ({ openAs }) => {
    const page = await openAs("operator");
    await page.goto(routes.cleaning.runbooks());
    await main(page).getByRole("link", { name: "New runbook…" }).first().click();
    const name = main(page).getByLabel("Name", { exact: true });
    await name.fill("Blink");
    const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
    await pageLinks(page).filter({ hasText: "Hosts" }).click();
    await dialog.getByRole("button", { name: "Stay on this page" }).click();
    await expect(name).toHaveValue("Blink");
    await page.evaluate(() => history.back());
    await dialog.getByRole("button", { name: "Discard changes" }).click();
    await expect(page).toHaveURL(/\/cleaning\/runbooks$/);
  },
);

test(
  "a group of failures has an owner and a note, which others read",
  { tag: "@all" },
  async ({ openAs }) => {
    const failed = await failedHost();
    const page = await openAs("operator");
    await page.goto(routes.cleaning.failures());
    await openFirstFailure(page);
    await expect(main(page).getByRole("link", { name: failed.name })).toBeVisible();
    await main(page).getByLabel("Owner", { exact: true }).selectOption({ index: 1 });
    await main(page).getByLabel(/^Note/).fill("The firmware of these drives is known to do this.");
    await main(page).getByRole("button", { name: "Save note" }).click();
    await expect(main(page).getByRole("button", { name: "Save note" })).toHaveAccessibleDescription(
      "No changes",
    );
    const auditor = await openAs("auditor");
    await auditor.goto(routes.cleaning.failures());
    await openFirstFailure(auditor);
    await expect(main(auditor).getByText("The firmware of these drives is known to do this.")).toBeVisible();
    await expect(main(auditor).getByRole("button", { name: "Save note" })).toHaveCount(0);
  },
);

test("a host gets a trait, and loses it again", { tag: "@all" }, async ({ openAs }) => {
  const [row] = (await readHosts("state:Ready")).rows.slice(-1);
  if (row === undefined) throw new Error("no host is ready");
  const page = await openAs("operator");
  await page.goto(routes.cleaning.steps({ host: row.name }));
  for (const [typed, shown] of [
    ["CUSTOM_SPARE", "CUSTOM_SPARE"],
    ["", "none, so no runbook can run on it"],
  ] as const) {
    await main(page).getByRole("button", { name: "Change traits…" }).click();
    const dialog = page.getByRole("dialog", { name: `Traits of ${row.name}` });
    await dialog.getByLabel(/^Traits, separated/).fill(typed);
    await dialog.getByRole("button", { name: "Save traits" }).click();
    await expect(dialog).toBeHidden();
    await expect(main(page).getByText(shown, { exact: true })).toBeVisible();
  }
});

test("on a phone a step is added, moved and removed by buttons", { tag: "@all" }, async ({ openAs }) => {
  const [row] = (await readHosts("state:Ready")).rows;
  if (row === undefined) throw new Error("no host is ready");
  const page = await openAs("operator", { viewport: narrow });
  await page.goto(routes.cleaning.manual({ hosts: [row.name] }));
  await main(page).getByRole("button", { name: "Add power.reboot" }).click();
  await main(page).getByRole("button", { name: "Add power.power_off" }).click();
  await expect(options(page)).toHaveCount(2);
  await main(page).getByRole("button", { name: "Move up" }).click();
  await expect(options(page).first()).toContainText("power.power_off");
  await main(page).getByRole("button", { name: "Remove step 1" }).click();
  await expect(options(page)).toHaveCount(1);
  await expect(runButton(page)).toBeDisabled();
  await expect(runButton(page)).toHaveAccessibleDescription(/only a Manageable host/i);
});
