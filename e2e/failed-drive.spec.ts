// A drive that fails its erase: the page names it and says what to check next, and a retry brings the host back once the drive works. While it does not,
// an exception lets the host be Ready, until the exception expires.
import { readHost, release, findInstance, reach } from "@/e2e/fixtures/fleet";
import { head, recordSights, stateLine, stepRuns, tab } from "@/e2e/fixtures/host-page";
import { looksRight } from "@/e2e/fixtures/looks-right";
import { clearFaults, failErases, leaveTenantData, readHardware } from "@/e2e/fixtures/simulator";
import { loginOf } from "@/e2e/fixtures/system";
import { expect, narrow, test } from "@/e2e/fixtures/test";
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
    // While the list narrows, a row may move away under the pointer.
    await expect(other.getByText("1 drive", { exact: true })).toBeVisible();
    await found.getByRole("link", { name: drive.serial }).click();
    await expect(other.getByRole("table", { name: "Hosts of this drive" })).toContainText(host.name);
    await expect(other.getByRole("table", { name: "Failures" })).toContainText("Failed/NVMECleanFailed");
    const erases = other.getByRole("table", { name: "Erases" });
    await erases.getByRole("button", { name: "attempt" }).first().click();
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
    const states = (await sights.read()).map((sight) => sight.split("\n")[0]); // throws if the page was reloaded
    expect(states).toContain("Failed / NVMECleanFailed");
    expect(states.at(-1)).toBe("Ready");
    await reach(host, "Ready$");
  });
});

/** Several times what becoming Ready takes; the test then waits for the rest of it. */
const validMs = 120_000;

test(
  "an exception lets a host become Ready until it expires; then the host is cleaned again",
  { tag: "@all" },
  async ({ openAs }) => {
    const instance = await findInstance("vela");
    const { host } = instance;
    const [drive] = (await readHardware(host.serial)).drives;
    if (drive === undefined) throw new Error("the host has no drive");
    await failErases(host.serial, drive.serial);
    await release(instance);
    await reach(host, "Failed/NVMECleanFailed");
    const page = await openAs("operator");
    const what = `storageSanitized, drive ${drive.serial}`;

    await test.step("the operator asks on the host that stopped, and cannot approve it", async () => {
      await page.goto(routes.host(host.name, { tab: "gates" }));
      await page.getByRole("button", { name: `Ask for an exception… ${what}` }).click();
      const ask = page.getByRole("dialog", { name: /^Ask for an exception/ });
      await ask.getByLabel(/^Reason/).fill("the drive rejects every erase; a replacement is ordered");
      await ask.getByLabel(/^Compensating control/).fill("the host stays in the locked row");
      await ask.getByLabel(/^Residual risk/).fill("the data of the last tenant is readable on this drive");
      await looksRight(page);
      await ask.getByLabel(/^Expires/).fill(new Date(Date.now() + validMs).toISOString().slice(0, 19));
      await ask.getByRole("button", { name: "Ask for exception" }).click();
      await expect(ask).toBeHidden();
      const open = page
        .getByRole("list", { name: "Exceptions" })
        .getByRole("listitem")
        .filter({ hasText: what });
      await expect(open).toContainText("pending: another person decides");
      await expect(page.getByRole("button", { name: /^Approve…/ })).toHaveCount(0);
    });

    await test.step("a provider admin approves it with the password, on a phone", async () => {
      const admin = await openAs("providerAdmin", { viewport: narrow });
      await admin.goto(routes.assurance({ tab: "exceptions" }));
      await admin.getByRole("button", { name: `Approve… ${what} on ${host.name}` }).click();
      const approve = admin.getByRole("dialog", { name: /^Approve/ });
      await expect(approve).toContainText("the host stays in the locked row");
      await approve.getByLabel("Your password, again").fill(loginOf("providerAdmin").password);
      await approve.getByRole("button", { name: "Approve", exact: true }).click();
      await expect(approve).toBeHidden();
      const approved = admin.getByRole("table", { name: "Open exceptions" }).getByRole("row", { name: what });
      await expect(approved).toContainText(/approved by/);
      await admin.close();
    });

    await test.step("after a retry the host is Ready, and says until when", async () => {
      await page.getByRole("button", { name: "Retry step" }).click();
      await expect(stateLine(page)).toHaveText(/^Ready/, { timeout: validMs });
      await expect(head(page)).toContainText(/Exception.*until.*cleaned again/);
      await clearFaults(host.serial);
    });

    await test.step("its certificate lists the exception, and the drive as not sanitized", async () => {
      const auditor = await openAs("auditor");
      await auditor.goto(routes.reclamations());
      const newest = auditor
        .getByRole("table", { name: "Certificates" })
        .getByRole("row")
        .filter({ hasText: host.name })
        .filter({ has: auditor.getByRole("button", { name: "Demo, certifies nothing" }) })
        .first();
      await expect(newest).not.toContainText("pending");
      await newest.getByRole("button", { name: "Demo, certifies nothing" }).click();
      const panel = auditor.getByRole("complementary", { name: "Certificate" });
      await expect(panel).toContainText(`${drive.serial}: the drive rejects every erase`);
      await expect(panel).toContainText(/not sanitized/);
      await auditor.goto(routes.assurance({ tab: "exceptions" }));
      await looksRight(auditor);
      await auditor.close();
    });

    await test.step("when it expires the host leaves allocation, is cleaned, and is Ready without it", async () => {
      await expect(head(page)).not.toContainText("Exception", { timeout: 2 * validMs });
      await expect(stateLine(page)).toHaveText(/^Ready/, { timeout: validMs });
      await tab(page, "History").click();
      const states = page.getByRole("table", { name: "States" }).locator("tbody tr > :nth-child(2)");
      await expect(states.nth(1)).toBeVisible();
      const names = await states.allInnerTexts();
      const before = names.findIndex((name, index) => index > 0 && name === "Ready");
      expect(names.slice(1, before).some((name) => name.startsWith("WaitingForCleanup"))).toBe(true);
      await page.goto(routes.assurance({ tab: "exceptions" }));
      const closed = page.getByRole("table", { name: "Closed exceptions" }).getByRole("row", { name: what });
      await expect(closed).toContainText("expired; approved by");
    });
  },
);
