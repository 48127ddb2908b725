// The three walks of docs/assurance/proof.md: was a drive erased, everything of a tenant in a month, and prove it offline.
import { z } from "zod";
import { query } from "@/e2e/fixtures/api";
import { findInstance, reach, release } from "@/e2e/fixtures/fleet";
import { readHardware } from "@/e2e/fixtures/simulator";
import { expect, test } from "@/e2e/fixtures/test";
import { parseKey } from "@/server/domain/audit-log/note";
import { policyOfKeys } from "@/server/domain/audit-log/policy";
import { verifyBundle } from "@/server/domain/certificates/verify";
import { routes } from "@/server/domain/console/routes";
import { verifyPack } from "@/server/domain/proof/pack/verify-pack";

const keys = z.array(z.object({ key: z.string() }));

/** The keys that an auditor got over another channel. */
async function trusted() {
  const answer = await query("auditor", "audit.keys");
  return policyOfKeys(keys.parse(answer.value).flatMap(({ key }) => parseKey(key) ?? []));
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

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
    await expect(page.getByRole("status").filter({ hasText: "return" })).toContainText(/\d+ returns?/);
    await page.getByRole("button", { name: "Pack for an auditor…" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Make the pack" }).click();
    const chunks: Uint8Array[] = [];
    for await (const chunk of await (await download).createReadStream()) chunks.push(Buffer.from(chunk));
    const verified = await verifyPack(once(Buffer.concat(chunks)), await trusted());
    expect(verified.faults).toEqual([]);
    expect(verified.index?.returns.some(({ instance }) => instance === held.name)).toBe(true);
  });

  await test.step("prove one of them offline", async () => {
    await page.goto(routes.proof({ text: held.id }));
    const row = page.getByRole("table", { name: "Returns" }).getByRole("row", { name: held.name });
    const download = page.waitForEvent("download");
    await row.getByRole("link", { name: /^JSON of C-/ }).click();
    const chunks: Uint8Array[] = [];
    for await (const chunk of await (await download).createReadStream()) chunks.push(Buffer.from(chunk));
    const verified = await verifyBundle(Buffer.concat(chunks).toString("utf8"), await trusted(), null);
    expect(verified.faults).toEqual([]);
    expect(verified.signer).not.toBeNull();
  });
});
