// The main job as both sides see it: a tenant releases an instance, and an operator watches the host come back to Ready.
import { gateNames } from "@/server/domain/reclamations/gates/gate-names";
import { findInstance } from "@/e2e/fixtures/fleet";
import { signIn } from "@/e2e/fixtures/frame";
import { head, recordSights, stateLine, stepRuns, tab } from "@/e2e/fixtures/host-page";
import { clearFaults, hangErases, leaveTenantData, readHardware } from "@/e2e/fixtures/simulator";
import { loginOf } from "@/e2e/fixtures/system";
import { expect, test } from "@/e2e/fixtures/test";

test("a tenant releases an instance, and an operator sees its host come back to Ready, proven", async ({
  openAs,
}) => {
  const instance = await findInstance("acme");
  const { host } = instance;
  const left = await leaveTenantData(host.serial);
  expect(left.holdsTenantData).toBe(true);
  // Simulated hardware is fast: without this, the cleaning could end before a slow browser has rendered it.
  await hangErases(host.serial, left.drives[0]?.serial ?? "");
  const tenant = await openAs("nobody");
  const operator = await openAs("nobody");
  await signIn(tenant, loginOf("tenantAdmin"));
  await signIn(operator, loginOf("operator"));

  for (const page of [tenant, operator])
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Instances" }).click();
  await operator.getByRole("row", { name: instance.name }).getByRole("link", { name: host.name }).click();
  await expect(stateLine(operator)).toContainText("Assigned / Ready");
  const sights = await recordSights(operator);

  const row = tenant.getByRole("row", { name: instance.name });
  await test.step("the tenant is told the consequences and confirms", async () => {
    await expect(row).toContainText("Ready");
    await row.getByRole("button", { name: new RegExp(`^Release.* ${instance.name}$`) }).click();
    const dialog = tenant.getByRole("dialog", { name: `Release ${instance.name}?` });
    await expect(dialog).toContainText("everything on its drives is erased. This cannot be undone.");
    const confirm = dialog.getByRole("button", { name: `Release ${instance.name}` });
    await expect(confirm).toHaveAccessibleDescription(`Type ${instance.name} to confirm`);
    await expect(confirm).toBeDisabled();
    await dialog.getByLabel(`Type ${instance.name} to confirm`).fill(instance.name);
    await confirm.click();
    await expect(tenant.getByText("Release of 1 instance accepted", { exact: true })).toBeVisible();
    await expect(dialog).toBeHidden();
  });

  await test.step("the page of the host goes by live, to Ready", async () => {
    await expect(stateLine(operator)).toContainText("WaitingForCleanup / HostCleanup", { timeout: 120_000 });
    await expect(
      stepRuns(operator).getByRole("row", { name: "deploy.verify_mem_overwrite" }).first(),
    ).toContainText("planned");
    await clearFaults(host.serial);
    await expect(stateLine(operator)).toHaveText(/^Ready/, { timeout: 120_000 });
    await expect(stepRuns(operator).getByRole("row", { name: "deploy.erase_nvme" }).first()).toContainText(
      "sanitized",
    );
    const seen = await sights.read(); // throws if the page was reloaded
    const states = seen.map((sight) => sight.split("\n")[0] ?? "");
    expect(new Set(states).size, states.join(", ")).toBeGreaterThanOrEqual(4);
    const at = (found: (sight: string) => boolean) => seen.findIndex(found);
    const begun = at((sight) => sight.startsWith("Assigned / Ready"));
    const cleaning = at((sight) => sight.startsWith("WaitingForCleanup / HostCleanup"));
    const planned = at((sight) => sight.includes("deploy.verify_mem_overwrite: planned"));
    const succeeded = seen.findLastIndex(
      (sight) =>
        sight.includes("deploy.verify_mem_overwrite: ") &&
        !sight.includes("deploy.verify_mem_overwrite: succeeded"),
    );
    expect(begun).toBe(0);
    expect(cleaning).toBeGreaterThan(begun);
    expect(planned, "the plan appeared before it was done").toBeGreaterThan(begun);
    expect(succeeded).toBeLessThan(seen.length - 1);
    expect(states.at(-1)).toBe("Ready");
  });

  await test.step("every drive has a verified result, and its bytes are gone", async () => {
    const hardware = await readHardware(host.serial);
    expect(hardware.holdsTenantData).toBe(false);
    expect(hardware.drives.length).toBeGreaterThan(0);
    for (const drive of hardware.drives) {
      const result = stepRuns(operator).getByRole("row").filter({ hasText: drive.serial });
      await expect(result).toContainText(/markers gone/);
      await expect(result).toContainText("purge");
    }
  });

  await test.step("every gate, each with its evidence", async () => {
    await tab(operator, "Gates").click();
    const gates = operator.getByRole("table", { name: "Gates" });
    for (const gate of gateNames) {
      const line = gates.getByRole("row", { name: gate });
      await expect(line).toContainText(/satisfied|not required|not checked/);
      await expect(line).not.toContainText("unsatisfied");
      await line.getByRole("button", { name: `Show the evidence of ${gate}` }).click();
      await expect(operator.getByLabel(`Evidence of ${gate}`, { exact: true })).toContainText("{");
    }
    const evidence = operator.getByLabel("Evidence of storageSanitized", { exact: true });
    for (const { serial } of (await readHardware(host.serial)).drives)
      await expect(evidence).toContainText(serial);
  });

  await test.step("the history has every state, without a gap", async () => {
    await tab(operator, "History").click();
    const states = operator.getByRole("table", { name: "States" });
    await expect(states.getByRole("row").nth(1)).toContainText("Ready");
    const older = operator.getByRole("button", { name: "Show older states" });
    while (await older.isVisible()) {
      const before = await states.getByRole("row").count();
      await older.click();
      await expect.poll(() => states.getByRole("row").count()).toBeGreaterThan(before);
    }
    const versions = (await states.locator("tbody tr > :first-child").allInnerTexts()).map(Number);
    expect(versions).toEqual(versions.map((_, index) => versions.length - index));
    expect(versions.at(-1)).toBe(1);
    await expect(states).toContainText("the release was accepted");
    await expect(
      operator.getByRole("table", { name: "Reclamations" }).getByRole("row", { name: "release" }),
    ).toContainText("Acme");
  });

  await test.step("the tenant does not hold it any more, and reads where it went", async () => {
    await expect(row).toBeHidden();
    await tenant
      .getByRole("navigation", { name: "Instances" })
      .getByRole("link", { name: /^Released/ })
      .click();
    await expect(row).toContainText(/returned to allocation.*Erased.*Verified/);
    await expect(row).not.toContainText("/");
    await expect(head(operator)).toContainText("available for allocation");
  });
});
