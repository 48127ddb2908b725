// A user is created, signs in, makes a token, and is disabled, which stops session and token at once. Users without the right are refused.
import { request } from "@playwright/test";
import { mutate, query } from "@/e2e/fixtures/api";
import { fillSignIn } from "@/e2e/fixtures/frame";
import { baseUrl } from "@/e2e/fixtures/system";
import { expect, test } from "@/e2e/fixtures/test";
import { routes } from "@/server/domain/console/routes";

test("a user is created, signs in, makes a token, and is disabled: both stop at once", async ({
  openAs,
  browserErrors,
}) => {
  browserErrors.expect(/status of 401/);
  const email = "e2e-user@example.test";
  const page = await openAs("providerAdmin");
  await page.goto(routes.settings.users());
  await page.getByRole("button", { name: "Create a user…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByLabel("Name").fill("Eve Tester");
  await dialog.getByLabel("Role").selectOption("auditor");
  await dialog.getByRole("button", { name: "Create user" }).click();
  const shown = page.getByRole("dialog", { name: `Password of ${email}` });
  const password = await shown.locator("code").innerText();
  await shown.getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("row", { name: /Eve Tester/ })).toContainText("auditor");

  const theirs = await openAs("nobody");
  await theirs.goto(routes.signIn());
  await fillSignIn(theirs, { email, password });
  await expect(theirs.getByRole("heading", { level: 1 })).toHaveText("Next");
  await theirs.goto(routes.account());
  await theirs.getByRole("button", { name: "Create a token…" }).click();
  await theirs.getByRole("dialog").getByLabel("Name").fill("script");
  await theirs.getByRole("dialog").getByRole("button", { name: "Create token" }).click();
  const created = theirs.getByRole("dialog", { name: "Token created" });
  const token = await created.locator("code").innerText();
  await created.getByRole("button", { name: "Close" }).click();
  await expect(theirs.getByRole("table", { name: "API tokens" })).toContainText("script");
  await expect(theirs.getByRole("table", { name: "Sessions" })).toContainText("This session");
  await expect(theirs.getByText(token)).toHaveCount(0);

  const program = await request.newContext({ extraHTTPHeaders: { authorization: `Bearer ${token}` } });
  const me = `${baseUrl}/api/trpc/session.me`;
  expect((await program.get(me)).status()).toBe(200);
  await page.getByRole("button", { name: "More acts on Eve Tester" }).click();
  await page.getByRole("menuitem", { name: "Disable…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
  await expect(page.getByRole("row", { name: /Eve Tester/ })).toContainText("disabled");
  expect((await program.get(me)).status()).toBe(401);
  await program.dispose();
  await theirs.goto(routes.fleet());
  await expect(theirs.getByRole("heading", { level: 1 })).toHaveText("Sign in");
});

test("who does not manage users reads them or does not see them, and the server refuses the rest", async ({
  openAs,
}) => {
  const auditor = await openAs("auditor");
  await auditor.goto(routes.settings.users());
  await expect(auditor.getByRole("button", { name: "Create a user…" })).toHaveAccessibleDescription(
    "Only a provider admin can change users",
  );
  const operator = await openAs("operator");
  await operator.goto(routes.settings.users());
  await expect(operator.getByText(/cannot open this page/)).toBeVisible();
  await operator.goto(routes.settings.site());
  await expect(
    operator.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Users" }),
  ).toHaveCount(0);
  const person = { email: "x@example.test", name: "X", role: "provider-admin" };
  for (const name of ["auditor", "operator", "tenantAdmin"] as const)
    expect(await mutate(name, "people.create", person)).toMatchObject({ code: "FORBIDDEN" });
  expect(await query("tenantAdmin", "people.list")).toMatchObject({ code: "FORBIDDEN" });
});
