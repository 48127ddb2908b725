// The demo menu of a simulated site: a drill, and the tour from a release to a proven host.
import { z } from "zod";
import { mutate, query } from "@/e2e/fixtures/api";
import { readInstance } from "@/e2e/fixtures/fleet";
import { expect, test } from "@/e2e/fixtures/test";
import { routes } from "@/server/domain/console/routes";

const offer = z.object({ kinds: z.array(z.object({ skuId: z.string(), sku: z.string() })) });
const made = z.object({ id: z.string(), hostId: z.string() });

/** Creates an instance; the tour takes it because it is the newest. */
async function newestInstance(name: string): Promise<string> {
  const { kinds } = offer.parse((await query("otherTenantAdmin", "instances.offer")).value);
  const skuId = kinds.find(({ sku }) => sku === "lenovo-sr670-gpu")?.skuId;
  const { id } = made.parse(
    (await mutate("otherTenantAdmin", "instances.create", { name, wanted: { skuId } })).value,
  );
  await expect
    .poll(async () => (await readInstance(id)).status, { timeout: 120_000, intervals: [500] })
    .toBe("Ready");
  return id;
}

test("an operator orders a drill, and follows the tour to a host that is Ready again", async ({ openAs }) => {
  const name = "e2e-tour";
  const id = await newestInstance(name);
  const host = (await readInstance(id)).host?.name ?? "";
  const page = await openAs("operator");
  await page.goto(routes.host(host));
  await page.getByRole("button", { name: "Demo menu" }).click();
  const menu = page.getByRole("dialog", { name: "Demo" });
  await expect(menu).toContainText("Living demo: off");
  await expect(menu.getByLabel("Host")).toHaveValue(host);
  await menu.getByRole("button", { name: "Forge a report" }).click();
  await expect(menu).toContainText("the server answered 401");
  await expect(page.getByText("Assigned / Ready").first()).toBeVisible();

  await menu.getByRole("button", { name: "Start the tour" }).click();
  const tour = page.getByRole("region", { name: "Tour" });
  await expect(tour).toContainText("step 1 of 3");
  await expect(tour).toContainText(name);
  await tour.getByRole("link", { name: "Instances" }).click();
  await page.getByRole("button", { name: `Release… ${name}` }).click();
  const dialog = page.getByRole("dialog", { name: `Release ${name}?` });
  await dialog.getByLabel(`Type ${name} to confirm`).fill(name);
  await dialog.getByRole("button", { name: `Release ${name}` }).click();
  await expect(tour).toContainText("step 2 of 3");
  await tour.getByRole("link", { name: host }).click();
  await expect(tour).toContainText("step 3 of 3", { timeout: 180_000 });
  await tour.getByRole("link", { name: "gate" }).click();
  await expect(page.getByRole("button", { name: /^Show the evidence of/ }).first()).toBeVisible();
  await tour.getByRole("button", { name: "Finish the tour" }).click();
  await expect(tour).toBeHidden();
});

test("others have no demo menu", async ({ openAs }) => {
  for (const person of ["tenantAdmin", "auditor"] as const) {
    const page = await openAs(person);
    await page.goto(routes.instances());
    await expect(page.getByRole("heading", { name: "Instances" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Demo menu" })).toHaveCount(0);
  }
});
