// @vitest-environment happy-dom
// Repair systems: added with a token that is shown once, given a new token, removed, and read-only for users without the right.
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { enter } from "@/components/testing/enter";
import { RepairSystemsPage } from "@/components/repair/leases/systems-page";
import { admin, show } from "@/components/testing/rendered";
import type { RepairSystem } from "@/server/surfaces/trpc/types";

const busy: RepairSystem = {
  id: "s1",
  name: "fixit",
  site: "a",
  createdAt: new Date("2026-11-20T11:00:00Z"),
  createdBy: "Ada",
  lastUsedAt: null,
  hosts: 3,
  overdue: 1,
};
const idle: RepairSystem = { ...busy, id: "s2", name: "spare", site: null, hosts: 0, overdue: 0 };
const answers = {
  "leases.systems": () => [busy, idle],
  "cleaning.scopes": () => ({ sites: [{ id: "a", name: "a" }], skus: [] }),
  "leases.addSystem": () => ({ id: "s3", name: "bench", token: "once-only" }),
  "leases.renewSystem": () => ({ id: "s1", name: "fixit", token: "another-one" }),
  "leases.removeSystem": () => ({ name: "spare" }),
};
const dialog = async () => within(await screen.findByRole("dialog"));

it("says what each has, and leads to the hosts", async () => {
  show(<RepairSystemsPage />, { answers });
  const row = within(await screen.findByRole("row", { name: /fixit/ }));
  expect(row.getByText("3 hosts")).toBeVisible();
  expect(row.getByText("1 host overdue")).toHaveAttribute("data-tone", "attention");
  expect(screen.getByRole("link", { name: "3 hosts in repair" })).toHaveAttribute(
    "href",
    "/hosts?q=owner%3Arepair-system",
  );
  expect(screen.getByRole("link", { name: "1 overdue" })).toHaveAttribute("href", "/hosts?q=owner%3Aoverdue");
});

it("adds one, whose token is shown once", async () => {
  const user = userEvent.setup();
  const { calls } = show(<RepairSystemsPage />, { answers });
  await user.click(await screen.findByRole("button", { name: "Add a system…" }));
  const form = await dialog();
  await enter(user, form.getByLabelText("Name"), "bench");
  await user.click(form.getByRole("button", { name: "Add system" }));
  expect(await screen.findByText("once-only")).toBeVisible();
  expect(calls).toEqual([{ path: "leases.addSystem", input: { name: "bench", site: null } }]);
  await user.click(screen.getByRole("button", { name: "Close" }));
  expect(screen.queryByText("once-only")).toBeNull();
});

it("replaces a token and removes a system after saying what that means", async () => {
  const user = userEvent.setup();
  const { calls } = show(<RepairSystemsPage />, { answers });
  await user.click(await screen.findByRole("button", { name: "Replace the token of fixit" }));
  const replacing = await dialog();
  expect(replacing.getByText(/stops working at once.*keeps 3 hosts/)).toBeVisible();
  await user.click(replacing.getByRole("button", { name: "Replace token" }));
  expect(await screen.findByText("another-one")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Close" }));
  await user.click(screen.getByRole("button", { name: "Remove spare" }));
  const removing = await dialog();
  expect(removing.getByText(/no host can be handed over/)).toBeVisible();
  await user.click(removing.getByRole("button", { name: "Remove system" }));
  await waitFor(() =>
    expect(calls).toEqual([
      { path: "leases.renewSystem", input: { name: "fixit" } },
      { path: "leases.removeSystem", input: { name: "spare" } },
    ]),
  );
});

it("does not remove one that has a host, and says the way on", async () => {
  show(<RepairSystemsPage />, { answers });
  expect(await screen.findByRole("button", { name: "Remove fixit" })).toHaveAccessibleDescription(
    /It has 3 hosts: .* break their leases first/,
  );
});

it.each(["operator", "auditor"] as const)("is only read by an %s", async (role) => {
  show(<RepairSystemsPage />, { answers, me: { ...admin, role } });
  for (const name of ["Add a system…", "Replace the token of fixit", "Remove spare"])
    expect(await screen.findByRole("button", { name })).toHaveAttribute("aria-disabled", "true");
});
