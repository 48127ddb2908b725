// After the restore of a backup, every page says that allocation is stopped, and a provider admin ends the stop there.
// Every host fails afterwards, so this file runs after all that need one: Playwright runs files in alphabetical order.
import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { readHosts } from "@/e2e/fixtures/fleet";
import { answers } from "@/e2e/fixtures/fresh-server";
import { looksRight } from "@/e2e/fixtures/looks-right";
import { markFile, runningServerPid, serverPid } from "@/e2e/fixtures/system";
import { expect, test } from "@/e2e/fixtures/test";
import { routes } from "@/server/domain/console/routes";

const marks = z.record(z.string(), z.object({ epoch: z.int(), sequence: z.int() }));

/** Makes the server see an older database: its high-water mark is ahead, as if a backup had been restored while it was down. */
async function restoreBackup(): Promise<void> {
  const before = serverPid();
  process.kill(before, "SIGSTOP");
  const ahead = Object.entries(marks.parse(JSON.parse(readFileSync(markFile, "utf8")))).map(
    ([lineage, { epoch, sequence }]) => [lineage, { epoch, sequence: sequence + 1_000 }],
  );
  writeFileSync(markFile, JSON.stringify(Object.fromEntries(ahead)));
  process.kill(before, "SIGKILL");
  await expect
    .poll(async () => ![before, undefined].includes(runningServerPid()) && (await answers()), {
      timeout: 120_000,
    })
    .toBe(true);
}

test("a restored backup is said on every page, and a provider admin ends the stop", async ({ openAs }) => {
  await restoreBackup();
  const operator = await openAs("operator");
  const banner = (page: typeof operator) =>
    page
      .getByRole("main")
      .getByRole("alert")
      .filter({ hasText: /^(Allocation is stopped|No host can be allocated)/ });
  for (const path of [routes.fleet(), routes.hosts()]) {
    await operator.goto(path);
    await expect(banner(operator)).toContainText("a backup was restored");
  }
  await expect(banner(operator).getByRole("button")).toHaveCount(0);
  const tenant = await openAs("tenantAdmin");
  await tenant.goto(routes.instances());
  await expect(banner(tenant)).toContainText("the provider is checking the database");
  await expect(banner(tenant)).not.toContainText("backup");

  const admin = await openAs("providerAdmin");
  await admin.goto(routes.hosts());
  await banner(admin).getByRole("button", { name: "A backup was restored…" }).click();
  await expect(banner(admin).getByRole("button", { name: /^No backup/ })).toHaveCount(0);
  const dialog = admin.getByRole("dialog", { name: "End the stop after a restore?" });
  await expect(dialog).toContainText("Every host gets a sanitization debt");
  await looksRight(admin);
  await dialog.getByLabel(/^Reason/).fill("restored the backup of last night");
  await expect(dialog.getByRole("button", { name: "End the stop" })).toHaveAccessibleDescription(
    "Type after-restore to confirm",
  );
  await dialog.getByLabel("Type after-restore to confirm").fill("after-restore");
  await dialog.getByRole("button", { name: "End the stop" }).click();
  await expect(dialog).toBeHidden();
  await expect(banner(admin)).toHaveCount(0);
  // A page that stayed open learns of it by itself.
  await expect(banner(operator)).toHaveCount(0);
  await expect
    .poll(async () => (await readHosts("state:Failed/DatabaseRestored")).rows.length)
    .toBeGreaterThan(0);
  await expect.poll(async () => (await readHosts("state:Ready")).rows.length).toBe(0);
});
