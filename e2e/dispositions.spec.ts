// A replaced drive: its disposition is recorded and withdrawn on the host's page, by users who may.
import type { Page } from "@playwright/test";
import type { BrowserErrors } from "@/e2e/fixtures/browser-errors";
import { findInstance, reach, release } from "@/e2e/fixtures/fleet";
import { head } from "@/e2e/fixtures/host-page";
import { looksRight } from "@/e2e/fixtures/looks-right";
import { sendsNothingOffline } from "@/e2e/fixtures/offline";
import { replaceDrive, readHardware } from "@/e2e/fixtures/simulator";
import { loginOf } from "@/e2e/fixtures/system";
import { expect, test } from "@/e2e/fixtures/test";
import { routes } from "@/server/domain/console/routes";

test("the disposition of a missing drive is recorded, shown with who and why, and withdrawn", async ({
  openAs,
  browserErrors,
}) => {
  const instance = await findInstance("vela");
  const [drive] = (await readHardware(instance.host.serial)).drives;
  if (drive === undefined) throw new Error("the host has no drive");
  await replaceDrive(instance.host.serial, drive.serial);
  await release(instance);
  await reach(instance.host, "Failed/DeviceMissing");
  const page = await openAs("operator");
  await page.goto(routes.host(instance.host.name, { tab: "inventory" }));

  await page.getByRole("button", { name: "Record disposition…" }).click();
  const record = page.getByRole("dialog", { name: /^Record a drive's disposition/ });
  await record.getByLabel("Disposition").selectOption("misread");
  await expect(record.getByLabel(/^Slot that holds/)).toBeVisible();
  await looksRight(page);
  await record.getByLabel("Disposition").selectOption("removed-destroyed");
  await record.getByLabel(/^Reason/).fill("shredded, certificate 7");
  await record.getByRole("button", { name: "Record" }).click();
  await expect(record).toBeHidden();
  await expect(
    page.getByText(`Disposition of drive ${drive.serial} recorded; it waits for another person`, {
      exact: true,
    }),
  ).toBeVisible();
  await expect(head(page)).toContainText(`${drive.serial}: removed and destroyed`);
  const stated = page.getByRole("table", { name: "Dispositions" }).getByRole("row", { name: drive.serial });
  await expect(stated).toContainText("shredded, certificate 7");
  await expect(stated).toContainText("waits for another person's signature");

  const auditor = await openAs("auditor");
  await auditor.goto(routes.host(instance.host.name, { tab: "inventory" }));
  await expect(
    auditor.getByRole("table", { name: "Dispositions" }).getByRole("row", { name: drive.serial }),
  ).toBeVisible();
  await expect(auditor.getByRole("button", { name: /^Withdraw/ })).toHaveCount(0);

  await signWithPasskey(await openAs("providerAdmin"), browserErrors, `drive ${drive.serial}`);
  await expect(stated).toContainText(/signed by .*/);

  await stated.getByRole("button", { name: /^Withdraw/ }).click();
  const withdraw = page.getByRole("dialog", { name: `Withdraw the disposition of drive ${drive.serial}?` });
  await expect(withdraw).toContainText(`owes drive ${drive.serial} again`);
  await expect(withdraw.getByRole("button", { name: "Withdraw" })).toHaveAccessibleDescription(
    "Enter a reason",
  );
  await withdraw.getByLabel(/^Reason/).fill("it was in the next bay");
  await looksRight(page);
  await withdraw.getByRole("button", { name: "Withdraw" }).click();
  await expect(withdraw).toBeHidden();
  await expect(page.getByRole("table", { name: "Dispositions" })).toHaveCount(0);
  await expect(head(page)).not.toContainText("removed and destroyed");
});

/** Adds a passkey in Account, signs the pending request with it, and removes it again, because other tests sign in as this person too. */
async function signWithPasskey(page: Page, browserErrors: BrowserErrors, what: string): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("WebAuthn.enable");
  await devTools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  await page.goto(routes.account());
  await page.getByRole("button", { name: "Add a passkey…" }).click();
  const add = page.getByRole("dialog", { name: "Add a passkey" });
  await add.getByLabel(/^Name/).fill("laptop");
  await add.getByLabel("Your password").fill(loginOf("providerAdmin").password);
  await looksRight(page);
  await sendsNothingOffline(page, browserErrors, add, "Add passkey");
  await add.getByRole("button", { name: "Add passkey" }).click();
  const passkeys = page.getByRole("table", { name: "Passkeys" });
  await expect(passkeys.getByRole("row", { name: "laptop" })).toBeVisible();

  await page.goto(routes.assurance({ tab: "dispositions" }));
  await page.getByRole("button", { name: new RegExp(`^Sign… ${what}`) }).click();
  const sign = page.getByRole("dialog", { name: /^Sign off/ });
  await expect(sign.getByText("Your browser asks for your passkey.")).toBeVisible();
  await sendsNothingOffline(page, browserErrors, sign, "Sign off");
  await sign.getByRole("button", { name: "Sign off" }).click();
  await expect(sign).toBeHidden();
  // The lists of those that wait and those that stand are read one after the other, so for a moment it may be in both.
  const rows = page.getByRole("row", { name: new RegExp(what) });
  await expect(rows.filter({ hasText: /signed by .*, with a passkey/ })).toHaveCount(1);
  await expect(rows).toHaveCount(1);

  await page.goto(routes.account());
  await passkeys.getByRole("button", { name: "Remove laptop" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove passkey" }).click();
  await expect(page.getByText("The passkey laptop is removed.").first()).toBeVisible();
}
