// Machines are handed out and come back: a tenant creates, renames and releases instances, and their hosts become Ready again, one of them after a repair.
import type { Page } from "@playwright/test";
import { mutate, query } from "@/e2e/fixtures/api";
import { readHost } from "@/e2e/fixtures/fleet";
import { looksRight } from "@/e2e/fixtures/looks-right";
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
  // Selected by value, because the number of free hosts in the label keeps changing.
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
  await expect(page.getByText(`Online repair of ${name} started`, { exact: true })).toBeVisible();
  await expect(dialog).toBeHidden();
}

/** An instance as provider users see it. */
async function held(name: string): Promise<{ readonly id: string; readonly host: string }> {
  const found = rows.parse((await query("operator", "instances.list", { filter: name, limit: 50 })).value);
  const [first] = found.rows;
  return { id: first?.id ?? "", host: first?.host?.name ?? "" };
}
/** The host of an instance, which only provider users see. */
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

/** The repair tenant claims the host from the queue. */
async function claim(page: Page, host: string): Promise<void> {
  const row = page.getByRole("table", { name: "Queue" }).getByRole("row").filter({ hasText: host });
  await expect(row).toContainText("Hardware: GPU 3 fails");
  await row.getByRole("button", { name: host, exact: true }).click();
  const panel = page.getByRole("complementary", { name: host });
  await expect(panel.getByText("Xid 79 since Monday")).toBeVisible();
  await looksRight(page);
  await row.getByRole("button", { name: `Claim… ${host}` }).click();
  const dialog = page.getByRole("dialog", { name: `Claim ${host} for repair?` });
  await dialog.getByRole("button", { name: `Claim ${host}` }).click();
  await expect(page.getByText(`${host} is claimed`, { exact: true })).toBeVisible();
  await expect(row).toHaveCount(0);
}

/** The repair tenant notes that the repair is completed, and releases the host. */
async function complete(page: Page, host: string): Promise<void> {
  await page.getByRole("link", { name: /^Held by us/ }).click();
  const row = page.getByRole("table", { name: "Held by us" }).getByRole("row").filter({ hasText: host });
  await expect(row).toContainText("InProgress");
  await row.getByRole("button", { name: `Set outcome… ${host}` }).click();
  const outcome = page.getByRole("dialog", { name: `Outcome of ${host}` });
  await outcome.getByLabel("Outcome").selectOption("Completed");
  await outcome.getByLabel(/^Summary/).fill("GPU 3 replaced");
  await outcome.getByRole("button", { name: "Set outcome" }).click();
  await expect(row).toContainText("Completed");
  const release = row.getByRole("button", { name: `Release… ${host}` });
  await expect(release).not.toHaveAttribute("aria-disabled", "true", { timeout: 120_000 });
  await release.click();
  const dialog = page.getByRole("dialog", { name: `Release ${host} from repair?` });
  await expect(dialog).toContainText("The alerts that requested the repair are removed");
  await dialog.getByLabel(`Type repair-${host} to confirm`).fill(`repair-${host}`);
  await dialog.getByRole("button", { name: `Release ${host}` }).click();
  await expect(page.getByText(`Release of ${host} accepted`, { exact: true })).toBeVisible();
}

test(
  "a tenant escalates an online repair that failed, and a repair tenant repairs the machine",
  { tag: "@all" },
  async ({ openAs, browserErrors }) => {
    // The panel of the host just released refetches at the same time, and its tenant no longer knows the host.
    browserErrors.expect(/ 404 .*(repair\.host|procedures\.ofHost)/);
    const page = await openAs("otherTenantAdmin");
    await page.goto(routes.instances());
    const name = "e2e-escalated";
    await create(page, name);
    const row = page.getByRole("row").filter({ has: page.getByRole("checkbox", { name: `Select ${name}` }) });
    await expect(row).toContainText("Ready", { timeout: 120_000 });
    const { host } = await held(name);
    await page.getByRole("button", { name, exact: true }).click();
    await beginRepair(page, name);
    const operator = await openAs("operator");
    await operator.goto(routes.host(host, { tab: "repair" }));
    await expect(operator.getByText(/It is repaired online since/)).toBeVisible();
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
    const asked = { hostId, template: "request-repair", message: "please look at GPU 3" };
    expect(await mutate("operator", "health.apply", asked)).toMatchObject({ code: "OK" });

    await test.step("no page for the tenant, nothing to claim for an auditor", async () => {
      await page.goto(routes.repair());
      await expect(page.getByText("cannot open this page")).toBeVisible();
      const auditor = await openAs("auditor");
      await auditor.goto(routes.repair());
      const asks = auditor.getByRole("table", { name: "Queue" }).getByRole("row").filter({ hasText: host });
      await expect(asks).toContainText("can be claimed");
      await expect(auditor.getByRole("button", { name: /^Claim…/ })).toHaveCount(0);
    });

    await test.step("the repair tenant claims, notes the outcome and releases", async () => {
      const fixer = await openAs("repairTenantAdmin");
      await fixer.goto(routes.repair());
      await claim(fixer, host);
      await complete(fixer, host);
    });

    await test.step("the operator reads the outcome, and the host goes back", async () => {
      await operator.goto(routes.repair({ tab: "outcomes" }));
      const line = operator
        .getByRole("table", { name: "Repairs" })
        .getByRole("row")
        .filter({ hasText: host });
      await expect(line).toContainText("Completed");
      await expect(line).toContainText("GPU 3 replaced");
      await looksRight(operator);
      await state("Ready");
    });
  },
);

test("only a tenant's own admin creates", { tag: "@all" }, async ({ openAs }) => {
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
