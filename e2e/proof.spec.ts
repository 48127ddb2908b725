// The three walks of docs/assurance/proof.md: was a drive erased, everything of a tenant in a month, and prove it offline.
import { spawnSync } from "node:child_process";
import type { Download } from "@playwright/test";
import { z } from "zod";
import { query } from "@/e2e/fixtures/api";
import { findInstance, reach, release } from "@/e2e/fixtures/fleet";
import { readHardware } from "@/e2e/fixtures/simulator";
import { expect, test } from "@/e2e/fixtures/test";
import { routes } from "@/server/domain/console/routes";

const keys = z.array(z.object({ key: z.string() }));

/** Checks a download with the command, as an auditor does, with a key that came over another channel. */
async function verify(
  download: Download,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const file = test.info().outputPath(download.suggestedFilename());
  await download.saveAs(file);
  const answer = await query("auditor", "audit.keys");
  const trusted = keys.parse(answer.value).flatMap(({ key }) => ["--key", key]);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["dist/reclaim.js", "verify", file, ...trusted],
    { encoding: "utf8" },
  );
  return { code: status, output: `${stdout}${stderr}` };
}

/** What holds but is of a demo: docs/cli.md#exit-codes. */
const ofDemo = 11;

test("an auditor finds whether a drive was erased, everything of a tenant in a month, and proves it offline", async ({
  openAs,
}) => {
  const held = await findInstance("acme");
  const [drive] = (await readHardware(held.host.serial)).drives;
  if (drive === undefined) throw new Error("the host has no drive");
  await release(held);
  await reach(held.host, "Ready");
  const page = await openAs("auditor");

  await test.step("was the drive erased, when, how, and who approved what was not", async () => {
    await page.goto(routes.proof());
    await page.keyboard.press("/");
    await page.keyboard.type(drive.serial);
    const row = page.getByRole("table", { name: "Returns" }).getByRole("row", { name: held.name });
    await expect(row.getByRole("link", { name: /^PDF of C-/ })).toBeVisible({ timeout: 30_000 });
    await row.getByRole("button").first().click();
    const panel = page.getByRole("complementary", { name: "Return" });
    await expect(panel).toContainText(drive.serial);
    await expect(panel).toContainText("erased and verified");
    await expect(panel.getByRole("region", { name: "Timeline" })).toContainText("Instance released");
  });

  await test.step("everything of a tenant in a month, as a pack that proves itself", async () => {
    const month = new Date().toISOString().slice(0, 7);
    await page.goto(routes.proof({ tenant: "acme", month }));
    await expect(page.getByRole("status").filter({ hasText: "return" }).first()).toContainText(
      /\d+ returns?/,
    );
    await page.getByRole("button", { name: "Pack for an auditor…" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: /^Make the pack/ }).click();
    const { code, output } = await verify(await download);
    expect({ code, output }).toEqual({ code: ofDemo, output: expect.stringMatching(/\d+ of \d+ hold/) });
  });

  await test.step("prove one of them offline", async () => {
    await page.goto(routes.proof({ text: held.id }));
    const row = page.getByRole("table", { name: "Returns" }).getByRole("row", { name: held.name });
    const download = page.waitForEvent("download");
    await row.getByRole("link", { name: /^JSON of C-/ }).click();
    expect(await verify(await download)).toMatchObject({
      code: ofDemo,
      output: expect.stringContaining(held.host.serial),
    });
  });
});
