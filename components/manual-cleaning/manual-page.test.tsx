// @vitest-environment happy-dom
// The builder by keys: steps are added, moved and removed, and what the list takes follows.
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Suspense } from "react";
import { expect, it } from "vitest";
import { ManualPage } from "@/components/manual-cleaning/manual-page";
import { catalogue, estimateOf, runbook, scopes } from "@/components/testing/cleaning";
import { show, type Answers } from "@/components/testing/rendered";
import { manualSteps } from "@/server/domain/cleaning/plan/manual";
import { z } from "zod";

const asked = z.object({ steps: manualSteps });
const answers: Answers = {
  "cleaning.scopes": () => scopes,
  "cleaning.catalogue": () => catalogue,
  "cleaning.estimate": (input) => estimateOf(asked.parse(input).steps),
  "cleaning.start": () => ({}),
};

async function open(opened: typeof runbook | null = null, more: Answers = {}) {
  const shown = show(
    <Suspense>
      <ManualPage target={{ kind: "one", host: "r1-h01" }} host="r1-h01" count={1} runbook={opened} />
    </Suspense>,
    { answers: { ...answers, ...more } },
  );
  await screen.findByRole("region", { name: "Order and what it takes" });
  return { ...shown, user: userEvent.setup() };
}

const button = (name: string | RegExp) => screen.getByRole("button", { name });
const names = () =>
  within(screen.getByRole("listbox", { name: "Order" }))
    .getAllByRole("option")
    .map((option) => /(deploy|power)\.[a-z_]+?(?=about|$)/.exec(option.textContent)?.[0]);

it("moves and removes steps by keys, with the focus on the step", async () => {
  const { user } = await open();
  await user.click(button("Add power.reboot"));
  await user.click(button("Add power.power_off"));
  screen.getByRole("option", { selected: true }).focus();
  await user.keyboard("{Alt>}{ArrowUp}{/Alt}");
  const first = screen.getAllByRole("option")[0];
  expect(first).toHaveTextContent("power.power_off");
  expect(first).toHaveFocus();
  await user.keyboard("{ArrowDown}{Delete}");
  await waitFor(() => expect(screen.getAllByRole("option")).toHaveLength(1));
  expect(screen.getByRole("option")).toHaveTextContent("power.power_off");
  expect(screen.getByRole("option")).toHaveFocus();
});

it("what it takes follows the list and its order", async () => {
  const { user } = await open();
  await user.click(button("Add power.reboot"));
  expect(await screen.findByText("1 step, about 1 min")).toBeVisible();
  await user.click(button("Add deploy.erase_nvme"));
  expect(await screen.findByText("2 steps, about 10 min")).toBeVisible();
  expect(screen.getAllByRole("option")[1]).toHaveTextContent("about 9 min");
  await user.click(button("Move up"));
  await waitFor(() => expect(screen.getAllByRole("option")[0]).toHaveTextContent("about 9 min"));
  expect(names()).toEqual(["deploy.erase_nvme", "power.reboot"]);
  expect(screen.getByText(/because step 1 erases/)).toBeVisible();
});

it("runs a runbook as itself until its list is changed", async () => {
  const { user, calls, went } = await open(runbook);
  expect(await screen.findByText("runbook Blink: 2 steps, about 2 min")).toBeVisible();
  await user.click(button("Run 2 steps on r1-h01…"));
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Run 2 steps on r1-h01" }));
  await waitFor(() => expect(went).toEqual(["/hosts/r1-h01"]));
  expect(calls).toEqual([
    {
      path: "cleaning.start",
      input: { hostId: catalogue.subject.id, stateVersion: "4", runbookId: runbook.id },
    },
  ]);
  await user.click(button("Move down"));
  expect(await screen.findByText("2 steps, about 2 min")).toBeVisible();
});

it("a runbook of other traits is refused before it is asked for", async () => {
  await open({ ...runbook, traits: ["CUSTOM_Z"] });
  expect(button(/^Run 2 steps/)).toHaveAccessibleDescription(
    "The host shares no trait with the runbook Blink, which is for CUSTOM_Z.",
  );
});
