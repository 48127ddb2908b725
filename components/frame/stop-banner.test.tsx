// @vitest-environment happy-dom
// The banner while allocation is stopped: who may end the stop, with which consequences, and what to type.
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { StopBanner } from "@/components/frame/stop-banner";
import { admin, show } from "@/components/testing/rendered";

const stopped = {
  ...admin,
  allocationStopped: "A backup may have been restored.",
  stopActs: ["afterRestore", "isCurrent"] as const,
};

it("is not there while hosts are allocated", () => {
  show(<StopBanner />, { answers: { "session.me": () => admin } });
  expect(screen.queryByRole("alert")).toBeNull();
});

it("says what happened to those who may not end it, without a button", () => {
  const me = { ...stopped, stopActs: [] };
  show(<StopBanner />, { me, answers: { "session.me": () => me } });
  expect(screen.getByRole("alert")).toHaveTextContent(
    "Allocation is stopped. A backup may have been restored.",
  );
  expect(screen.queryByRole("button")).toBeNull();
});

it("is ended by a reason and a typed word, after the consequence was read", async () => {
  const answers = { "session.me": () => stopped, "database.afterRestore": () => ({}) };
  const { calls } = show(<StopBanner />, { me: stopped, answers });
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: "A backup was restored…" }));
  const dialog = screen.getByRole("dialog", { name: "End the stop after a restore?" });
  expect(dialog).toHaveTextContent("Every host gets a sanitization debt for all of its drives.");
  const confirm = within(dialog).getByRole("button", { name: "End the stop" });
  await user.type(within(dialog).getByLabelText("Reason"), "ab");
  expect(confirm).toHaveAccessibleDescription("Enter a reason");
  await user.type(within(dialog).getByLabelText("Reason"), "c");
  expect(confirm).toHaveAccessibleDescription("Type after-restore to confirm");
  await user.type(within(dialog).getByLabelText("Type after-restore to confirm"), "after-restore{Enter}");
  await waitFor(() => expect(calls).toEqual([{ path: "database.afterRestore", input: { reason: "abc" } }]));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});
