// A drive that fails its erase: the page names it, says what to check next, and a retry brings the host back once the drive works.
import { readHost, release, findInstance, reach } from "@/e2e/fixtures/fleet";
import { head, recordSights, stateLine, stepRuns } from "@/e2e/fixtures/host-page";
import { clearFaults, failErases, leaveTenantData, readHardware } from "@/e2e/fixtures/simulator";
import { expect, test } from "@/e2e/fixtures/test";
import { routes } from "@/server/domain/console/routes";

test("a host with a failing drive stops, names the drive, and goes on after a retry", async ({ openAs }) => {
  const instance = await findInstance("acme");
  const { host } = instance;
  const [drive] = (await leaveTenantData(host.serial)).drives;
  if (drive === undefined) throw new Error("the host has no drive");
  await failErases(host.serial, drive.serial);
  const page = await openAs("operator");
  await page.goto(routes.host(host.name));
  await expect(stateLine(page)).toContainText("Assigned / Ready");
  const sights = await recordSights(page);
  await release(instance);

  await test.step("the page says what failed and what to do", async () => {
    await expect(stateLine(page)).toContainText("Failed / NVMECleanFailed", { timeout: 120_000 });
    await expect(head(page)).toContainText(drive.serial);
    await expect(head(page)).toContainText(/What to check next\s*\S+/);
    await expect(head(page)).toContainText(/Maintenance.*set by th/);
    await expect(head(page)).toContainText(/Debt.*drive.* of Acme/);
    const failed = stepRuns(page).getByRole("row").filter({ hasText: drive.serial });
    await expect(failed.getByRole("img", { name: "failed" })).toBeVisible();
  });

  await test.step("the drive has a page, found by a part of its serial number, that says what was tried", async () => {
    const other = await openAs("auditor");
    await other.goto(routes.drives.list());
    await other.getByRole("searchbox", { name: "Find drives" }).fill(drive.serial.slice(2).toLowerCase());
    const found = other.getByRole("table", { name: "Drives" }).getByRole("row", { name: drive.serial });
    await expect(found).toContainText(host.name);
    await found.getByRole("link", { name: drive.serial }).click();
    await expect(other.getByRole("table", { name: "Hosts of this drive" })).toContainText(host.name);
    await expect(other.getByRole("table", { name: "Failures" })).toContainText("Failed/NVMECleanFailed");
    const [newest] = await other.getByRole("table", { name: "Erases" }).getByRole("button").all();
    await newest?.click();
    await expect(other.getByRole("button", { name: "Copy the output" }).first()).toBeVisible();
    await other.close();
  });

  await test.step("the host is powered on, kept out and still in debt", async () => {
    const stopped = await readHost(host.name);
    expect(stopped).toMatchObject({ allocatable: false, powerState: "on", maintenance: { by: "failure" } });
    expect((await readHardware(host.serial)).holdsTenantData).toBe(true);
  });

  await test.step("a retry after the drive works again ends at Ready", async () => {
    await clearFaults(host.serial);
    await page.getByRole("button", { name: "Retry step" }).click();
    await expect(stateLine(page)).toHaveText(/^Ready/, { timeout: 120_000 });
    await expect(head(page)).toContainText("available for allocation");
    await expect(head(page)).not.toContainText("Debt");
    await expect(stepRuns(page).getByRole("row").filter({ hasText: drive.serial }).first()).toContainText(
      "markers gone",
    );
    expect((await readHardware(host.serial)).holdsTenantData).toBe(false);
    const states = (await sights.read()).map((sight) => sight.split("\n")[0]); // throws when the page was loaded anew
    expect(states).toContain("Failed / NVMECleanFailed");
    expect(states.at(-1)).toBe("Ready");
    await reach(host, "Ready$");
  });
});
