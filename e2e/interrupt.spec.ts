// Interrupting the cleaning of one host: a hold in force, a hold that waits for the running step, and an abort.
import type { Page } from "@playwright/test";
import { mutate } from "@/e2e/fixtures/api";
import { reach, readHost, readyHosts, type HostHead } from "@/e2e/fixtures/fleet";
import { head, stateLine, stepRuns } from "@/e2e/fixtures/host-page";
import { expect, test } from "@/e2e/fixtures/test";
import { routes } from "@/server/domain/console/routes";

const act = (page: Page, name: string | RegExp) => page.getByRole("main").getByRole("button", { name });

/** Starts a cleaning on a host of the provider; each test uses another. */
async function clean(
  index: number,
  steps: readonly { interface: string; step: string; args?: Record<string, unknown> }[],
): Promise<HostHead> {
  const ready = await readHost((await readyHosts(Math.abs(index))).at(index)?.name ?? "");
  expect(
    await mutate("operator", "host.act", {
      hostId: ready.id,
      intent: "manage",
      stateVersion: ready.stateVersion,
    }),
  ).toMatchObject({ code: "OK" });
  await reach(ready, "Manageable$");
  expect(await mutate("operator", "cleaning.start", { hostId: ready.id, steps })).toMatchObject({
    code: "OK",
  });
  return ready;
}

test("a hold says who, why and until when; it is changed, and the cleaning goes on when it is resumed", async ({
  openAs,
}) => {
  const host = await clean(-10, [
    { interface: "power", step: "hold", args: { reason: "look at bay 3" } },
    { interface: "power", step: "wait", args: { seconds: 1 } },
  ]);
  await reach(host, "ManualCleaning/OnHold");
  const page = await openAs("operator");
  await page.goto(routes.host(host.name));
  await expect(stateLine(page)).toContainText("ManualCleaning / OnHold");
  await expect(head(page)).toContainText("On hold");
  await expect(head(page)).toContainText("look at bay 3");
  await expect(head(page)).toContainText("paused since");
  await expect(page.getByRole("main").getByText(/^Manual cleaning R-\d+, requested by/)).toBeVisible();

  await act(page, /^Change hold/).click();
  const dialog = page.getByRole("dialog", { name: `Change hold: ${host.name}?` });
  const reason = dialog.getByLabel(/^Reason/);
  await reason.fill("");
  await expect(dialog.getByRole("button", { name: "Change hold" })).toHaveAccessibleDescription(
    "Enter a reason",
  );
  await reason.fill("wait for the new drive");
  await dialog.getByLabel("Hold expires after").selectOption("4 hours");
  await dialog.getByRole("button", { name: "Change hold" }).click();
  await expect(dialog).toBeHidden();
  await expect(head(page)).toContainText(/wait for the new drive.*It expires at/);

  await act(page, "Resume").click();
  await expect(stateLine(page)).toContainText(/^Manageable/, { timeout: 120_000 });
  await expect(head(page)).not.toContainText("On hold");
  await expect(stepRuns(page)).toContainText("with seconds: 1");
});

test(
  "a hold that waits for the running step is withdrawn; an abort ends the cleaning",
  { tag: "@all" },
  async ({ openAs }) => {
    const host = await clean(-11, [
      { interface: "power", step: "wait", args: { seconds: 3600 } },
      { interface: "power", step: "power_on" },
    ]);
    await reach(host, "ManualCleaning/RunningStep");
    const page = await openAs("operator");
    await page.goto(routes.host(host.name));
    await expect(stepRuns(page).getByRole("row", { name: "power.wait" }).first()).toContainText(
      "in progress",
    );

    await page.keyboard.press("h");
    const hold = page.getByRole("dialog", { name: `Hold before next step: ${host.name}?` });
    await expect(hold).toContainText("power.wait ends first");
    await hold.getByLabel(/^Reason/).fill("somebody is at the rack");
    await hold.getByRole("button", { name: "Hold before next step" }).click();
    await expect(head(page)).toContainText(
      /Hold requested.*somebody is at the rack.*Waiting for power\.wait to end/,
    );
    await act(page, "Resume").click();
    await expect(head(page)).not.toContainText("Hold requested");
    await expect(stateLine(page)).toContainText("ManualCleaning / RunningStep");

    await act(page, /^Abort/).click();
    const abort = page.getByRole("dialog", { name: `Abort: ${host.name}?` });
    await abort.getByRole("button", { name: "Cancel" }).click();
    await expect(abort).toBeHidden();
    await act(page, /^Abort/).click();
    await abort.getByRole("button", { name: "Abort" }).click();
    await expect(stateLine(page)).toContainText(/^Failed/, { timeout: 120_000 });
    await page.getByRole("main").getByRole("button", { name: "More actions" }).click();
    await expect(page.getByRole("menuitem", { name: /^Hold before next step/ }).locator(".why")).toHaveText(
      "the cleaning has already stopped and is waiting for a retry",
    );
    await expect(page.getByRole("menuitem", { name: /^Clean manually/ })).toBeEnabled();
  },
);
