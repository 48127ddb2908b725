// @vitest-environment happy-dom
// The builder by keyboard: steps are added, moved and removed, and the estimate follows.
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Suspense } from "react";
import { beforeEach, expect, it } from "vitest";
import { ManualPage } from "@/components/cleaning/manual/manual-page";
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

beforeEach(() => sessionStorage.clear());

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

it("a step keeps its estimate while it moves, before the server has answered for the new order", async () => {
  let held = false;
  const { user } = await open(null, {
    "cleaning.estimate": (input) =>
      held ? new Promise(() => undefined) : estimateOf(asked.parse(input).steps),
  });
  await user.click(button("Add power.reboot"));
  await user.click(button("Add deploy.erase_nvme"));
  await waitFor(() => expect(screen.getAllByRole("option")[1]).toHaveTextContent("about 9 min"));
  held = true;
  await user.click(button("Move up"));
  const [first, second] = screen.getAllByRole("option");
  expect(first).toHaveTextContent(/erase_nvme.*about 9 min/);
  expect(second).toHaveTextContent(/reboot.*about 1 min/);
  await user.click(button("Add power.power_off"));
  expect(screen.getAllByRole("option")[2]).not.toHaveTextContent("about");
});

it("Enter adds the step that was named, and not one that comes before it", async () => {
  const longer = catalogue.steps.map((step) =>
    step.name === "deploy.erase_nvme"
      ? { ...step, interface: "power" as const, step: "reboot_twice", name: "power.reboot_twice" }
      : step,
  );
  const { user } = await open(null, { "cleaning.catalogue": () => ({ ...catalogue, steps: longer }) });
  await user.type(screen.getByRole("searchbox", { name: "Find a step" }), "reboot{Enter}");
  expect(screen.getByRole("option")).toHaveTextContent("power.rebootno arguments");
});

it("a list that was not run is there after a reload, and can be discarded", async () => {
  const first = await open();
  await first.user.click(button("Add power.reboot"));
  first.unmount();
  const { user } = await open();
  expect(await screen.findByRole("option")).toHaveTextContent("power.reboot");
  await user.click(button("Discard draft"));
  await waitFor(() => expect(screen.queryByRole("option")).toBeNull());
  expect(screen.queryByText(/your draft/)).toBeNull();
  expect(Object.keys(sessionStorage)).toEqual([]);
});

it("a list that was run leaves no draft", async () => {
  const { user, went } = await open();
  await user.click(button("Add power.reboot"));
  await screen.findByText("1 step, about 1 min");
  await user.click(button("Run 1 step on r1-h01…"));
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Run 1 step on r1-h01" }));
  await waitFor(() => expect(went).toEqual(["/hosts/r1-h01"]));
  expect(Object.keys(sessionStorage)).toEqual([]);
});

it("a host without the runbook's trait gets it from the notice", async () => {
  const { user, calls } = await open(
    { ...runbook, traits: ["CUSTOM_Z"] },
    { "cleaning.setTraits": () => ({ traits: [] }) },
  );
  await user.click(button("Add CUSTOM_Z…"));
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Add CUSTOM_Z" }));
  await waitFor(() =>
    expect(calls).toEqual([
      {
        path: "cleaning.setTraits",
        input: { hostId: catalogue.subject.id, traits: ["CUSTOM_A", "CUSTOM_Z"] },
      },
    ]),
  );
});
