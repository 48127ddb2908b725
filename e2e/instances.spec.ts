// Two machines are handed out and come back: a tenant creates instances, names them, releases them; their hosts become Ready again.
import type { Page } from "@playwright/test";
import { mutate, query } from "@/e2e/fixtures/api";
import { readHost } from "@/e2e/fixtures/fleet";
import { expect, test } from "@/e2e/fixtures/test";
import { routes } from "@/server/domain/console/routes";
import { z } from "zod";

const sku = "lenovo-sr670-gpu";
const rows = z.object({
  rows: z.array(
    z.object({ id: z.string(), name: z.string(), host: z.object({ name: z.string() }).nullable() }),
  ),
});

async function create(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Create instance…" }).click();
  const dialog = page.getByRole("dialog", { name: "Create an instance" });
  // By its value: how many are free changes all the time.
  const option = dialog
    .getByLabel("SKU")
    .locator("option", { hasText: new RegExp(`^${sku}, site .*: \\d+ free$`) });
  await dialog.getByLabel("SKU").selectOption((await option.getAttribute("value")) ?? "");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Create instance" }).click();
  await expect(page.getByText(`${name} is being prepared`, { exact: true })).toBeVisible();
  await expect(dialog).toBeHidden();
}

async function beginRepair(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: `Begin online repair… ${name}` }).click();
  const dialog = page.getByRole("dialog", { name: `Begin an online repair of ${name}?` });
  await dialog.getByLabel("What is wrong").selectOption("Hardware");
  await dialog.getByLabel("Summary").fill("GPU 3 fails");
  await dialog.getByLabel("Details").fill("Xid 79 since Monday");
  await dialog.getByLabel(/^May the instance be deleted/).selectOption("no");
  for (const risk of [/corrupt data/, /gets access/, /may be lost/]) await dialog.getByLabel(risk).check();
  await dialog.getByRole("button", { name: "Begin online repair" }).click();
  await expect(page.getByText(`Online repair of ${name} begun`, { exact: true })).toBeVisible();
  await expect(dialog).toBeHidden();
}

/** An instance as the provider's people see it. */
async function held(name: string): Promise<{ readonly id: string; readonly host: string }> {
  const found = rows.parse((await query("operator", "instances.list", { filter: name, limit: 50 })).value);
  const [first] = found.rows;
  return { id: first?.id ?? "", host: first?.host?.name ?? "" };
}
/** The host under an instance, which only the provider's people see. */
const hostOf = async (name: string): Promise<string> => (await held(name)).host;

test("a tenant takes two machines, renames one, and gives both back", async ({ openAs }) => {
  const page = await openAs("otherTenantAdmin");
  await page.goto(routes.instances());
  const row = (name: string) =>
    page
      .getByRole("row")
      .filter({ has: page.getByRole("checkbox", { name: `Select ${name}`, exact: true }) });
  const names = ["e2e-first", "e2e-second"] as const;
  for (const name of names) await create(page, name);
  for (const name of names) await expect(row(name)).toContainText("Ready", { timeout: 120_000 });
  const hosts = [await hostOf(names[0]), await hostOf(names[1])];
  expect(new Set(hosts).size).toBe(2);
  for (const host of hosts) expect((await readHost(host)).state).toBe("Assigned/Ready");

  await test.step("renames and labels one", async () => {
    await page.getByRole("button", { name: names[0], exact: true }).click();
    await page.getByRole("button", { name: `Edit… ${names[0]}` }).click();
    const dialog = page.getByRole("dialog", { name: `Edit ${names[0]}` });
    await dialog.getByLabel("Name").fill("e2e-renamed");
    await dialog.getByLabel(/^Labels/).fill("team=vision");
    await dialog.getByRole("button", { name: "Save instance" }).click();
    await expect(row("e2e-renamed")).toBeVisible();
    await expect(page.getByText("team=vision")).toBeVisible();
  });

  await test.step("has the other repaired while it keeps it, which no release cuts short", async () => {
    const name = names[1];
    await page.getByRole("button", { name, exact: true }).click();
    await beginRepair(page, name);
    await expect(row(name)).toContainText("Repairing");
    await expect(row(name)).toContainText("TenantReportedIssue: GPU 3 fails");
    await expect(row(name).getByRole("button", { name: `Release… ${name}` })).toHaveAccessibleDescription(
      /clear online repair first/,
    );
    const { id } = await held(name);
    expect((await mutate("otherTenantAdmin", "instances.release", { ids: [id] })).value).toMatchObject([
      { ok: false, message: expect.stringMatching(/clear online repair first/) },
    ]);
    await page.getByRole("button", { name: `End online repair… ${name}` }).click();
    const dialog = page.getByRole("dialog", { name: `End the online repair of ${name}?` });
    await dialog.getByRole("button", { name: "End online repair" }).click();
    await expect(page.getByText(`Online repair of ${name} ended`, { exact: true })).toBeVisible();
    await expect(row(name)).toContainText("Ready");
  });

  await test.step("releases both, and their hosts come back", async () => {
    for (const name of ["e2e-renamed", names[1]]) await page.getByLabel(`Select ${name}`).check();
    await page.getByRole("button", { name: "Release 2 instances…" }).click();
    const dialog = page.getByRole("dialog", { name: "Release 2 instances?" });
    await dialog.getByLabel("Type release 2 to confirm").fill("release 2");
    await dialog.getByRole("button", { name: "Release 2 instances" }).click();
    await expect(page.getByText("Release of 2 instances accepted", { exact: true })).toBeVisible();
    for (const host of hosts)
      await expect
        .poll(async () => (await readHost(host)).state, { timeout: 240_000, intervals: [1000] })
        .toBe("Ready");
    await expect(row("e2e-renamed")).toHaveCount(0);
  });
});

test("a tenant escalates an online repair that failed: the machine is cleaned and waits for its repair", async ({
  openAs,
}) => {
  const page = await openAs("otherTenantAdmin");
  await page.goto(routes.instances());
  const name = "e2e-escalated";
  await create(page, name);
  const row = page.getByRole("row").filter({ has: page.getByRole("checkbox", { name: `Select ${name}` }) });
  await expect(row).toContainText("Ready", { timeout: 120_000 });
  const { host } = await held(name);
  await page.getByRole("button", { name, exact: true }).click();
  await beginRepair(page, name);
  await page.getByRole("button", { name: `Escalate… ${name}` }).click();
  const dialog = page.getByRole("dialog", { name: `Escalate ${name} to a full repair?` });
  await expect(dialog.getByLabel("Summary")).toHaveValue("GPU 3 fails");
  await dialog.getByLabel(/^Why the online repair failed/).fill("a new GPU did not help");
  await dialog.getByLabel(`Type ${name} to confirm`).fill(name);
  await dialog.getByRole("button", { name: `Release ${name}` }).click();
  await expect(page.getByText(`Release of ${name} accepted`, { exact: true })).toBeVisible();
  const state = (wanted: string) =>
    expect
      .poll(async () => (await readHost(host)).state, { timeout: 240_000, intervals: [1000] })
      .toBe(wanted);
  await state("ReturnToAllocation/AwaitingRepair");
  const hostId = (await readHost(host)).id;
  const done = { hostId, source: "tenant-reported-issue", reason: "GPU replaced" };
  expect(await mutate("operator", "health.remove", done)).toMatchObject({ code: "OK" });
  await state("Ready");
});

test("only a tenant's own admin creates", async ({ openAs }) => {
  const operator = await openAs("operator");
  await operator.goto(routes.instances());
  await expect(operator.getByRole("button", { name: /Release/ }).first()).toBeVisible();
  await expect(operator.getByRole("button", { name: /Create instance/ })).toHaveCount(0);
  const anywhere = { name: "e2e-not", wanted: { hostId: (await readHost(await anyHost())).id } };
  for (const person of ["operator", "providerAdmin", "auditor", "otherTenantAdmin"] as const)
    expect(await mutate(person, "instances.create", anywhere)).toMatchObject({ status: 403 });
});

async function anyHost(): Promise<string> {
  const hosts = z.object({ rows: z.array(z.object({ name: z.string() })) });
  const { value } = await query("operator", "hosts.list", {
    filter: "state:Ready",
    sort: "name",
    descending: false,
    limit: 1,
  });
  return hosts.parse(value).rows[0]?.name ?? "";
}
