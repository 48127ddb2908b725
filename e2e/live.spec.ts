// The event stream: when the server goes away, the page says so; once it is back, the page is live and up to date again.
import { mutate } from "@/e2e/fixtures/api";
import { readyHost } from "@/e2e/fixtures/fleet";
import { liveStatus } from "@/e2e/fixtures/frame";
import { answers } from "@/e2e/fixtures/fresh-server";
import { head, stateLine } from "@/e2e/fixtures/host-page";
import { sendsNothingOffline } from "@/e2e/fixtures/offline";
import { serverPid } from "@/e2e/fixtures/system";
import { expect, test } from "@/e2e/fixtures/test";
import { routes } from "@/server/domain/console/routes";

test("a page outlives a restart of the server, and then shows what has changed", async ({
  openAs,
  browserErrors,
}) => {
  browserErrors.expect(/net::ERR_|Failed to load resource/); // the browser's own messages about an unreachable server
  const host = await readyHost();
  const page = await openAs("operator");
  const list = await openAs("auditor");
  await page.goto(routes.host(host.name));
  await list.goto(routes.hosts({ q: host.name }));
  await expect(stateLine(page)).toContainText("Ready");
  for (const each of [page, list]) await expect(liveStatus(each)).toContainText("Live");
  const row = list.getByRole("row", { name: host.name });
  await expect(row).not.toContainText("maintenance");
  await page.evaluate(() => Object.assign(window, { loadedOnce: true }));

  const before = serverPid();
  process.kill(before, "SIGKILL");
  await expect(liveStatus(page)).toContainText(/^Reconnecting since \d\d:\d\d:\d\d; values are \d+ s old/);
  await expect(liveStatus(list)).toContainText("Reconnecting");
  await expect(stateLine(page)).toContainText("Ready"); // the last known data stays

  await expect.poll(answers, { timeout: 120_000 }).toBe(true);
  expect(serverPid()).not.toBe(before);
  expect(
    await mutate("operator", "host.setMaintenance", { hostId: host.id, reason: "the rack is being moved" }),
  ).toMatchObject({ code: "OK" });
  for (const each of [page, list]) await expect(liveStatus(each)).toContainText("Live", { timeout: 120_000 });
  await expect(head(page)).toContainText("the rack is being moved");
  await expect(row).toContainText("maintenance");
  expect(await mutate("operator", "host.clearMaintenance", { hostId: host.id })).toMatchObject({
    code: "OK",
  });
  await expect(head(page)).not.toContainText("the rack is being moved");
  await expect(row).not.toContainText("maintenance");
  expect(await page.evaluate(() => Reflect.get(window, "loadedOnce"))).toBe(true);
});

test("an act while offline is refused with a message, and not sent when the network is back", async ({
  openAs,
  browserErrors,
}) => {
  const host = await readyHost();
  const page = await openAs("operator");
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") sent.push(request.url());
  });
  await page.goto(routes.host(host.name));
  await expect(liveStatus(page)).toContainText("Live");
  await page.getByRole("button", { name: "Set maintenance…", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: /maintenance/i });
  await dialog.getByLabel("Reason").fill("the rack is being moved");
  const before = sent.length;
  await sendsNothingOffline(page, browserErrors, dialog, /maintenance/i);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(liveStatus(page)).toContainText("Live", { timeout: 60_000 });
  // What is read after the reconnection proves that nothing was sent late.
  await page.reload();
  await expect(liveStatus(page)).toContainText("Live");
  await expect(head(page)).not.toContainText("the rack is being moved");
  expect(sent.slice(before).filter((url) => url.includes("setMaintenance"))).toEqual([]);
});

test(
  "a second window of a person is as live as the first, and goes on when that is closed",
  { tag: "@all" },
  async ({ openAs }) => {
    const host = await readyHost();
    const first = await openAs("operator");
    await first.goto(routes.hosts());
    await expect(liveStatus(first)).toContainText("Live");
    const second = await first.context().newPage();
    await second.goto(routes.host(host.name));
    await expect(liveStatus(second)).toContainText("Live");
    await first.close();
    expect(
      await mutate("providerAdmin", "host.setMaintenance", { hostId: host.id, reason: "a cable is loose" }),
    ).toMatchObject({ code: "OK" });
    await expect(head(second)).toContainText("a cable is loose");
    expect(await mutate("providerAdmin", "host.clearMaintenance", { hostId: host.id })).toMatchObject({
      code: "OK",
    });
    await expect(head(second)).not.toContainText("a cable is loose");
  },
);
