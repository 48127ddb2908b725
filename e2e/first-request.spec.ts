// Whatever the first request to a new server process is, the console works afterwards. Pages and procedures are separate bundles in it.
import { findInstance, readyHost } from "@/e2e/fixtures/fleet";
import { restartServer } from "@/e2e/fixtures/fresh-server";
import { fillSignIn, personMenu } from "@/e2e/fixtures/frame";
import { arrived } from "@/e2e/fixtures/arrival";
import { baseUrl, loginOf } from "@/e2e/fixtures/system";
import { expect, test } from "@/e2e/fixtures/test";
import { routes } from "@/server/domain/console/routes";

test("a page is the first request: a tenant signs in there and releases an instance", async ({ openAs }) => {
  const instance = await findInstance("acme");
  await restartServer();
  const page = await openAs("nobody");
  await page.goto(routes.instances());
  await fillSignIn(page, loginOf("tenantAdmin"));
  await expect(personMenu(page)).toBeVisible();
  await arrived(page);
  const row = page.getByRole("row", { name: instance.name });
  await row.getByRole("button", { name: new RegExp(`^Release.* ${instance.name}$`) }).click();
  const dialog = page.getByRole("dialog", { name: `Release ${instance.name}?` });
  await dialog.getByLabel(`Type ${instance.name} to confirm`).fill(instance.name);
  await dialog.getByRole("button", { name: `Release ${instance.name}` }).click();
  await expect(page.getByText("Release of 1 instance accepted", { exact: true })).toBeVisible();
});

for (const first of [routes.hosts(), routes.cleaning.steps(), routes.signIn()]) {
  test(
    `${first} is the first request: what an operator orders is accepted`,
    { tag: "@all" },
    async ({ openAs }) => {
      const host = await readyHost();
      await restartServer();
      const page = await openAs("nobody");
      await page.goto(first);
      await fillSignIn(page, loginOf("operator"));
      await expect(personMenu(page)).toBeVisible();
      const { id: hostId, stateVersion } = host;
      const answer = await page.request.post("/api/trpc/host.act", {
        data: { json: { hostId, intent: "reboot", stateVersion } },
        headers: { origin: baseUrl },
      });
      expect(answer.status(), await answer.text()).toBe(200);
    },
  );
}
