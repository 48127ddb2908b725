// @vitest-environment happy-dom
// Acts on a host: run at once, confirmed with the consequence, with a reason, by typing the name, or refused with a reason.
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { enter } from "@/components/testing/enter";
import { HostActs } from "@/components/hosts/one/host-acts";
import { action, failedHost } from "@/components/testing/host";
import { admin, Refusal, show, type Answers } from "@/components/testing/rendered";
import { hostActions } from "@/server/domain/hosts/host-actions";

const ofHost = { hostId: failedHost.id, stateVersion: "7" };

function open(answers: Answers, host = failedHost, me = admin, search = "") {
  const done: number[] = [];
  const shown = show(<HostActs host={host} onDone={() => done.push(1)} />, { answers, me, search });
  return { ...shown, done, user: userEvent.setup() };
}

const accepted: Answers = {
  "host.act": () => ({}),
  "host.setMaintenance": () => ({}),
};
const button = (name: RegExp | string) => screen.getByRole("button", { name });

it("offers no replacement of a drive where a server of the last release does not say whether one is due", () => {
  const { advised: _, replaceDrive: __, ...old } = failedHost;
  show(<HostActs host={old} onDone={() => undefined} />, {});
  expect(screen.queryByRole("button", { name: /Replace drive/ })).toBeNull();
});

it("an act that takes nothing away is sent at once, with the state that the person saw", async () => {
  const { user, calls, done } = open(accepted);
  await user.click(button(/^Retry/));
  await screen.findByText(`${hostActions.retry.words}: requested on r1-h01`);
  expect(calls).toEqual([{ path: "host.act", input: { ...ofHost, intent: "retry" } }]);
  expect(done).toHaveLength(1);
});

it("its key does the same, but not while a dialog is open", async () => {
  const { user, calls } = open(accepted);
  await user.click(button(/maintenance/i));
  await user.keyboard("r");
  expect(calls).toEqual([]);
  await user.keyboard("{Escape}");
  await user.keyboard("r");
  await waitFor(() => expect(calls).toHaveLength(1));
});

it("what the server refuses is said, and the page is read again", async () => {
  const { user, done } = open({
    "host.act": () => {
      throw new Refusal("The host was changed meanwhile.");
    },
  });
  await user.click(button(/^Retry/));
  const dialog = await screen.findByRole("dialog", { name: `${hostActions.retry.words}: failed` });
  expect(dialog).toHaveTextContent("The host was changed meanwhile.");
  expect(done).toHaveLength(1);
  await user.click(within(dialog).getByRole("button", { name: "Close" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("maintenance says its consequence and asks for a reason", async () => {
  const { user, calls } = open(accepted);
  await user.click(button(/maintenance/i));
  const dialog = screen.getByRole("dialog");
  expect(dialog).toHaveTextContent(hostActions.setMaintenance.consequence);
  const confirm = within(dialog).getByRole("button", { name: hostActions.setMaintenance.words });
  expect(confirm).toHaveAccessibleDescription("Enter a reason");
  await user.type(within(dialog).getByLabelText("Reason"), " fan {Enter}");
  await user.click(confirm);
  await waitFor(() =>
    expect(calls).toEqual([{ path: "host.setMaintenance", input: { hostId: failedHost.id, reason: "fan" } }]),
  );
});

it("what takes the host for good asks to type its name", async () => {
  const { user, calls } = open(accepted);
  await user.click(button("More actions"));
  await user.click(await screen.findByRole("menuitem", { name: /^Delete|^Force/ }));
  const dialog = await screen.findByRole("dialog");
  const confirm = within(dialog).getByRole("button", { name: hostActions.forceDelete.words });
  expect(confirm).toHaveAccessibleDescription("Type r1-h01 to confirm");
  await user.click(confirm);
  expect(calls).toEqual([]);
  await enter(user, within(dialog).getByLabelText("Type r1-h01 to confirm"), "r1-h01");
  await user.click(confirm);
  await waitFor(() =>
    expect(calls).toEqual([{ path: "host.act", input: { ...ofHost, intent: "forceDelete" } }]),
  );
});

it("an act that is not possible stands in the menu with its reason, and does nothing", async () => {
  const { user, calls } = open(accepted, {
    ...failedHost,
    actions: [action("retry"), action("provide", "It has failed")],
  });
  await user.click(button("More actions"));
  const item = await screen.findByRole("menuitem", { name: new RegExp(hostActions.provide.words) });
  expect(item).toHaveTextContent("It has failed");
  await user.click(item);
  expect(calls).toEqual([]);
  expect(screen.queryByRole("dialog")).toBeNull();
});

it.each(["softPowerOff", "softReboot", "injectNmi", "inspectByAgent"] as const)(
  "%s stands in the menu only, says its consequence and is sent after a yes",
  async (intent) => {
    const { user, calls } = open(accepted, { ...failedHost, actions: [action(intent)] });
    const { words, consequence } = hostActions[intent];
    expect(screen.queryByRole("button", { name: `${words}…` })).toBeNull();
    await user.click(button("More actions"));
    await user.click(await screen.findByRole("menuitem", { name: `${words}…` }));
    const dialog = await screen.findByRole("dialog", { name: `${words}: r1-h01?` });
    expect(dialog).toHaveTextContent(consequence);
    expect(calls).toEqual([]);
    await user.click(within(dialog).getByRole("button", { name: words }));
    await waitFor(() => expect(calls).toEqual([{ path: "host.act", input: { ...ofHost, intent } }]));
  },
);

it.each(["softPowerOff", "injectNmi", "inspectByAgent", "setBoot"] as const)(
  "%s is off with its reason where the BMC or the state does not take it",
  async (intent) => {
    const reason = "the BMC does not offer it";
    const { user, calls } = open(accepted, { ...failedHost, actions: [action(intent, reason)] });
    await user.click(button("More actions"));
    const item = await screen.findByRole("menuitem", { name: new RegExp(hostActions[intent].words) });
    expect(item).toHaveTextContent(reason);
    await user.click(item);
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(calls).toEqual([]);
  },
);

it("setting the boot opens its own form", async () => {
  const { user, calls } = open(accepted, { ...failedHost, actions: [action("setBoot")] });
  await user.click(button("More actions"));
  await user.click(await screen.findByRole("menuitem", { name: "Set boot…" }));
  expect(await screen.findByLabelText("Boot device")).toBeVisible();
  expect(calls).toEqual([]);
});

it("who may not act sees no buttons, and no key does anything", async () => {
  const { user, calls } = open(accepted, failedHost, { ...admin, role: "auditor", mayWriteHosts: false });
  expect(screen.queryAllByRole("button")).toEqual([]);
  await user.keyboard("r");
  expect(calls).toEqual([]);
});

it("an act of the address opens its dialog with the consequence, and is sent only when confirmed", async () => {
  const { user, calls } = open(accepted, failedHost, admin, "tab=gates&act=retry");
  const dialog = await screen.findByRole("dialog", { name: `${hostActions.retry.words}: r1-h01?` });
  expect(dialog).toHaveTextContent("continues at the failed step");
  expect(location.search).toBe("?tab=gates");
  expect(calls).toEqual([]);
  await user.click(within(dialog).getByRole("button", { name: hostActions.retry.words }));
  await waitFor(() => expect(calls).toEqual([{ path: "host.act", input: { ...ofHost, intent: "retry" } }]));
});

it("an act of the address that is not possible now says why; one that the person may not do says nothing", async () => {
  const host = { ...failedHost, actions: [action("retry", "it is not stopped")] };
  const { calls } = open(accepted, host, admin, "act=retry");
  await screen.findByText(`${hostActions.retry.words}: it is not stopped`);
  open(accepted, failedHost, { ...admin, mayWriteHosts: false }, "act=retry");
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(calls).toEqual([]);
});
