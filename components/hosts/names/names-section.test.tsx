// @vitest-environment happy-dom
// The section Names of a host: what each source calls the machine, and the way to confirm that it is the same one.
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { Names } from "@/components/hosts/names/names-section";
import { enter } from "@/components/testing/enter";
import { action, failedHost } from "@/components/testing/host";
import { show } from "@/components/testing/rendered";
import { confirmText, withdrawText } from "@/server/domain/hosts/names/names";
import type { HostNamesView } from "@/server/surfaces/trpc/types";

const at = new Date("2026-11-30T07:00:00Z");
const told = { firstSeenAt: at, lastSeenAt: at, confirmed: null };
const view: HostNamesView = {
  names: [
    ...(["host", "list"] as const).map((source) => ({
      ...{ source, kind: "serial" as const, value: "BOARD-1", standing: "own" as const },
      ...{ firstSeenAt: null, lastSeenAt: null, confirmed: null },
    })),
    { ...told, source: "bmc", kind: "serial", value: "BOARD-1", standing: "own" },
    { ...told, source: "agent", kind: "serial", value: "CHASSIS-7", standing: "differs" },
  ],
  pending: [
    {
      source: "agent",
      names: [{ kind: "serial", value: "CHASSIS-7" }],
      agrees: [{ kind: "mac", value: "02:00:00:00:00:01" }],
    },
  ],
  refusal: null,
  evidence: "a".repeat(64),
};
const names = (shown: HostNamesView, may = true) => (
  <Names
    host={{ ...failedHost, actions: may ? [action("disposeDrive")] : [] }}
    view={shown}
    onDone={() => undefined}
  />
);
const section = (shown: HostNamesView, may = true) =>
  show(names(shown, may), { answers: { "names.confirm": () => ({ confirmed: [] }) } });

it("shows what each source says, side by side, and what the act means", () => {
  section(view);
  expect(screen.getAllByText("BOARD-1")).toHaveLength(3);
  expect(screen.getByText("CHASSIS-7")).toBeVisible();
  fireEvent.click(screen.getByRole("button", { name: "This is the same machine…" }));
  expect(screen.getByRole("dialog")).toHaveTextContent(confirmText);
});

it("offers nothing to those who may not, nor what is refused, and says why", () => {
  section(view, false);
  expect(screen.queryByRole("button", { name: /same machine/ })).toBeNull();
  section({ ...view, refusal: "CHASSIS-7 is a name of host b." });
  expect(screen.queryByRole("button", { name: /same machine/ })).toBeNull();
  expect(screen.getByText(/is a name of host b/)).toBeVisible();
});

it("withdraws a confirmed name, and offers it to those who may and of no other name", async () => {
  const user = userEvent.setup();
  const confirmed = { at, by: "Olga", reason: "RMA 4711" };
  const shown: HostNamesView = {
    ...view,
    pending: [],
    names: [
      ...view.names.slice(0, 3),
      { ...told, source: "agent", kind: "serial", value: "CHASSIS-7", standing: "confirmed", confirmed },
    ],
  };
  const { unmount } = section(shown, false);
  expect(screen.queryByRole("button", { name: /Withdraw/ })).toBeNull();
  unmount();
  const { calls } = show(names(shown), { answers: { "names.withdraw": () => ({ withdrawn: [] }) } });
  await user.click(screen.getByRole("button", { name: "Withdraw…" }));
  const dialog = screen.getByRole("dialog");
  expect(dialog).toHaveTextContent(withdrawText);
  await enter(user, within(dialog).getByLabelText("Reason"), "wrong machine");
  await user.click(within(dialog).getByRole("button", { name: "Withdraw name" }));
  await waitFor(() =>
    expect(calls).toEqual([
      {
        path: "names.withdraw",
        input: { hostId: failedHost.id, kind: "serial", value: "CHASSIS-7", reason: "wrong machine" },
      },
    ]),
  );
});

it("confirms the names that the dialog opened with, whatever is told meanwhile", async () => {
  const user = userEvent.setup();
  const { calls, rerender } = section(view);
  await user.click(screen.getByRole("button", { name: "This is the same machine…" }));
  const [was] = view.pending;
  rerender(
    names({
      ...{ ...view, evidence: "b".repeat(64) },
      pending: was === undefined ? [] : [{ ...was, names: [{ kind: "serial", value: "STRANGER-8" }] }],
    }),
  );
  const dialog = screen.getByRole("dialog");
  expect(dialog).toHaveTextContent("CHASSIS-7");
  expect(dialog).not.toHaveTextContent("STRANGER-8");
  await enter(user, within(dialog).getByLabelText("Reason"), "RMA 4711");
  await user.click(within(dialog).getByRole("button", { name: "Confirm names" }));
  await waitFor(() =>
    expect(calls).toEqual([
      {
        path: "names.confirm",
        input: { hostId: failedHost.id, evidence: view.evidence, reason: "RMA 4711" },
      },
    ]),
  );
});
