// @vitest-environment happy-dom
// The page of a runbook: missing fields, server refusals at their field, and no loss of unsaved changes by leaving.
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import Link from "next/link";
import { Suspense } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { enter } from "@/components/testing/enter";
import { RunbookPage } from "@/components/cleaning/runbooks/runbook-page";
import { catalogue, runbook, scopes } from "@/components/testing/cleaning";
import { Refusal, show, type Answers } from "@/components/testing/rendered";

const answers: Answers = {
  "cleaning.scopes": () => scopes,
  "cleaning.catalogue": () => catalogue,
  "cleaning.runbook": () => runbook,
};

beforeEach(() => sessionStorage.clear());

async function open(id: string | null, more: Answers = {}) {
  const shown = show(
    <Suspense>
      <Link href="/hosts">Hosts</Link>
      <RunbookPage id={id} hardwareType="redfish" />
    </Suspense>,
    { answers: { ...answers, ...more } },
  );
  await screen.findByRole("region", { name: "Order and what it takes" });
  return { ...shown, user: userEvent.setup() };
}

const name = () => screen.getByLabelText("Name");
const button = (words: string) => screen.getByRole("button", { name: words });

it("a new runbook says what is missing, in order, and is saved with its steps", async () => {
  const { user, calls, went } = await open(null, {
    "cleaning.saveRunbook": () => ({ id: runbook.id, version: 1 }),
  });
  const save = button("Save runbook");
  expect(save).toHaveAccessibleDescription("Add a step first");
  await user.click(button("Add power.reboot"));
  expect(save).toHaveAccessibleDescription("Enter a name");
  await enter(user, name(), " Blink ");
  await enter(user, screen.getByLabelText(/^Traits/), "white/space");
  expect(save).toHaveAccessibleDescription(/^white\/space is not a trait/);
  await user.clear(screen.getByLabelText(/^Traits/));
  await user.click(button("Add the trait CUSTOM_B"));
  await user.click(save);
  await waitFor(() => expect(went).toEqual([`/cleaning/runbooks/${runbook.id}`]));
  expect(calls).toEqual([
    {
      path: "cleaning.saveRunbook",
      input: {
        id: null,
        name: "Blink",
        description: "",
        traits: ["CUSTOM_B"],
        steps: [{ interface: "power", step: "reboot", args: {} }],
      },
    },
  ]);
});

it("a name that is taken is refused at its field", async () => {
  const { user } = await open(runbook.id, {
    "cleaning.saveRunbook": () => {
      throw new Refusal("There is a runbook Wipe already.", "name");
    },
  });
  expect(button("Save changes")).toHaveAccessibleDescription("No changes");
  await user.clear(name());
  await user.type(name(), "Wipe");
  await user.click(button("Save changes"));
  await waitFor(() => expect(name()).toHaveAccessibleDescription("There is a runbook Wipe already."));
  expect(name()).toHaveValue("Wipe");
});

it("leaving by a link or a key asks first while something is not saved", async () => {
  const { user, went } = await open(runbook.id);
  await user.type(name(), "er");
  await user.click(screen.getByRole("link", { name: "Hosts" }));
  const dialog = await screen.findByRole("dialog", { name: "Leave without saving?" });
  expect(dialog).toHaveTextContent("The changes to runbook Blink are not saved.");
  await user.click(button("Stay on this page"));
  expect(went).toEqual([]);
  expect(name()).toHaveValue("Blinker");
  await user.click(button("Move down"));
  await user.keyboard("gh");
  await user.click(await screen.findByRole("button", { name: "Discard changes" }));
  expect(went).toEqual(["/hosts"]);
});

it("leaving by the browser's button stays on the page, and goes when the person says so", async () => {
  const traverseTo = vi.fn();
  const navigation = Object.assign(new EventTarget(), { traverseTo });
  vi.stubGlobal("navigation", navigation);
  const back = () =>
    Object.assign(new Event("navigate", { cancelable: true }), {
      navigationType: "traverse",
      destination: { key: "before" },
    });
  const { user } = await open(runbook.id);
  const unchanged = back();
  navigation.dispatchEvent(unchanged);
  expect(unchanged.defaultPrevented).toBe(false);
  await user.click(button("Move down"));
  const changed = back();
  navigation.dispatchEvent(changed);
  expect(changed.defaultPrevented).toBe(true);
  await user.click(await screen.findByRole("button", { name: "Discard changes" }));
  expect(traverseTo).toHaveBeenCalledWith("before");
});

it("closing the tab asks only while something is not saved", async () => {
  const { user } = await open(runbook.id);
  const closing = () => {
    const event = new Event("beforeunload", { cancelable: true });
    dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(closing()).toBe(false);
  await user.click(button("Move down"));
  expect(closing()).toBe(true);
  await user.click(button("Move up"));
  expect(closing()).toBe(false);
});

it("what was typed and not saved is there after a reload, and is gone once it was discarded on leaving", async () => {
  const first = await open(runbook.id);
  await first.user.type(name(), "er");
  await first.user.click(button("Move down"));
  first.unmount();
  const second = await open(runbook.id);
  expect(await screen.findByText(/your draft/)).toBeVisible();
  expect(name()).toHaveValue("Blinker");
  expect(screen.getAllByRole("option")[0]).toHaveTextContent("power.power_off");
  await second.user.click(screen.getByRole("link", { name: "Hosts" }));
  await second.user.click(await screen.findByRole("button", { name: "Discard changes" }));
  second.unmount();
  await open(runbook.id);
  expect(name()).toHaveValue("Blink");
});

it("a runbook that no host can run says what would change that", async () => {
  await open(runbook.id, { "cleaning.runbook": () => ({ ...runbook, hosts: 0 }) });
  expect(screen.getByText(/No host has CUSTOM_A, so this runbook cannot run anywhere yet/)).toBeVisible();
  expect(screen.getByRole("link", { name: "Choose a host…" })).toHaveAttribute(
    "href",
    `/cleaning/manual?runbook=${runbook.id}`,
  );
});
