// Settings: a change with its reason, two people editing at once, what an auditor sees, and restoring an earlier version.
import type { Page } from "@playwright/test";
import { z } from "zod";
import { mutate, query } from "@/e2e/fixtures/api";
import { signIn } from "@/e2e/fixtures/frame";
import { expect, test } from "@/e2e/fixtures/test";
import { routes } from "@/server/domain/console/routes";

const field = (page: Page) => page.getByLabel("Hold", { exact: true });
const save = (page: Page) => page.getByRole("button", { name: "Save settings…" });
const dialog = (page: Page) => page.getByRole("dialog");
const effect = (page: Page) => dialog(page).getByRole("table", { name: "Effect on recorded reclamations" });

async function change(page: Page, text: string, reason: string): Promise<void> {
  await field(page).fill(text);
  await save(page).click();
  await expect(dialog(page).getByRole("table", { name: "What will change" })).toContainText(text);
  await expect(effect(page)).toContainText(/Time limits: hold.*unknown/);
  await dialog(page)
    .getByLabel(/^Reason/)
    .fill(reason);
  await dialog(page).getByRole("button", { name: "Save settings" }).click();
}

test("a setting is changed with a reason, two people at once get a conflict, and a version is restored", async ({
  openAs,
  browserErrors,
}) => {
  browserErrors.expect(/status of 409/);
  const page = await openAs("providerAdmin");
  await page.goto(routes.settings.policy());
  const before = await field(page).inputValue();
  const other = await openAs("providerAdmin");
  await other.goto(routes.settings.policy());
  await field(other).fill("7 h");

  await change(page, "5 h", "ticket 4711");
  await expect(dialog(page)).toHaveCount(0);
  await expect(field(page)).toHaveValue("5 h");
  await expect(field(page)).toHaveAccessibleDescription(/Changed .* by .*, version \d+/);

  await save(other).click();
  await expect(dialog(other).getByRole("alert")).toContainText("somebody else has changed it");
  await dialog(other).getByRole("button", { name: "Reload the settings" }).click();
  await other.getByRole("button", { name: "Load the current settings" }).click();
  await expect(field(other)).toHaveValue("7 h");
  await expect(save(other)).toBeEnabled();

  await page.goto(routes.settings.history());
  const newest = page.getByRole("button", { name: /^Version / }).first();
  await newest.click();
  await expect(page.getByText("ticket 4711").first()).toBeVisible();
  await page.getByLabel("From").selectOption("1");
  await expect(page.getByRole("table", { name: "From version 1 to now" })).toContainText("Time limits: hold");
  await page.getByRole("button", { name: "Version 1", exact: true }).click();
  await page.getByRole("button", { name: "Restore version 1…" }).click();
  await expect(dialog(page).getByRole("table", { name: "What will change" })).toContainText(before);
  await dialog(page).getByRole("button", { name: "Save settings" }).click();
  await expect(dialog(page)).toHaveCount(0);
  await page.goto(routes.settings.policy());
  await expect(field(page)).toHaveValue(before);
});

test(
  "who may not change settings reads them, and the server refuses what a form would send",
  { tag: "@all" },
  async ({ openAs }) => {
    const page = await openAs("auditor");
    await page.goto(routes.settings.policy());
    await expect(field(page)).toBeDisabled();
    await expect(save(page)).toHaveAccessibleDescription("Only a provider admin can change settings");
    expect(
      await mutate("auditor", "site.apply", { document: "format: 1\nsite: a\n", reason: "e2e" }),
    ).toMatchObject({ code: "FORBIDDEN" });
    expect(await query("tenantAdmin", "site.versions", { site: "a" })).toMatchObject({ code: "FORBIDDEN" });
  },
);

/** Saves the setting that requires two people for changes. */
async function saveTwoPeople(page: Page, text: "on" | "off"): Promise<void> {
  await page.getByLabel("Changes need approval").selectOption(text);
  await save(page).click();
  await dialog(page)
    .getByLabel(/^Reason/)
    .fill("e2e");
  await dialog(page).getByRole("button", { name: "Save settings" }).click();
  await expect(dialog(page)).toHaveCount(0);
}

async function approve(page: Page, password: string): Promise<void> {
  await page.goto(routes.assurance({ tab: "changes" }));
  await page.getByRole("button", { name: /^Approve… Settings/ }).click();
  await expect(dialog(page).getByRole("table", { name: "What it changes" })).toBeVisible();
  await dialog(page).getByLabel("Your password, again").fill(password);
  await dialog(page).getByRole("button", { name: "Approve" }).click();
  await expect(dialog(page)).toHaveCount(0);
}

test(
  "with two people a change waits until another provider admin approves it",
  { tag: "@all" },
  async ({ openAs, browserErrors }) => {
    browserErrors.expect(/status of 409/);
    const login = { email: "second-admin@example.test", name: "Second Admin", role: "provider-admin" };
    const made = await mutate("providerAdmin", "people.create", login);
    const { password: first } = z.object({ password: z.string() }).parse(made.value);
    const second = await openAs("nobody");
    await signIn(second, { email: login.email, password: first });
    // Whoever knows an account's first password could act as the second person, so it has to be changed, which ends the session.
    const password = `${first}, changed`;
    const status = await second.evaluate(
      async (json) => {
        const headers = { "content-type": "application/json" };
        const body = JSON.stringify({ json });
        return (await fetch("/api/trpc/account.changePassword", { method: "POST", headers, body })).status;
      },
      { current: first, next: password },
    );
    expect(status).toBe(200);
    await signIn(second, { email: login.email, password });
    const page = await openAs("providerAdmin");
    await page.goto(routes.settings.policy());
    await saveTwoPeople(page, "on");

    const before = await field(page).inputValue();
    await change(page, "6 h", "ticket 4712");
    await expect(page.getByText(/^Your change of site a waits for approval/)).toBeVisible();
    await expect(field(page)).toHaveValue(before);
    await page.getByRole("link", { name: "Show the change" }).click();
    await expect(page.getByRole("button", { name: /^Withdraw… Settings/ })).toBeVisible();
    await expect(page.getByRole("button", { name: /^Approve…/ })).toHaveCount(0);
    await approve(second, password);
    await expect(
      second.getByText(/^approved by Second Admin, with a password, version \d+/).first(),
    ).toBeVisible();

    await page.goto(routes.settings.policy());
    await expect(field(page)).toHaveValue("6 h");
    await saveTwoPeople(page, "off");
    await approve(second, password);
    await page.goto(routes.settings.policy());
    await expect(page.getByLabel("Changes need approval")).toHaveValue("off");
  },
);
