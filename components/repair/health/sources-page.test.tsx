// @vitest-environment happy-dom
// Health sources: added with a token that is shown once, given a new token, removed, and read-only for users without the right.
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { enter } from "@/components/testing/enter";
import { admin, show } from "@/components/testing/rendered";
import { HealthSourcesPage } from "@/components/repair/health/sources-page";
import type { HealthSource } from "@/server/surfaces/trpc/types";

const source: HealthSource = {
  id: "s1",
  name: "bmc-health",
  site: "a",
  heartbeatSeconds: 60,
  createdAt: new Date("2026-11-20T11:00:00Z"),
  createdBy: "Ada",
  lastUsedAt: null,
  hosts: 3,
  silent: 1,
};
const answers = {
  "health.sources": () => [source],
  "cleaning.scopes": () => ({ sites: [{ id: "a", name: "a" }], skus: [] }),
  "health.addSource": () => ({ id: "s2", name: "thermal", token: "once-only" }),
  "health.replaceToken": () => ({ name: "bmc-health", token: "another-one" }),
  "health.removeSource": () => ({ name: "bmc-health" }),
};
const dialog = async () => within(await screen.findByRole("dialog"));

it("adds one, whose token is shown once", async () => {
  const user = userEvent.setup();
  const { calls } = show(<HealthSourcesPage />, { answers });
  expect(await screen.findByText("1 host silent")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Add a source…" }));
  const form = await dialog();
  await enter(user, form.getByLabelText("Name"), "thermal");
  await user.type(form.getByLabelText(/^Heartbeat/), "60");
  await user.click(form.getByRole("button", { name: "Add source" }));
  expect(await screen.findByText("once-only")).toBeVisible();
  expect(calls).toEqual([
    { path: "health.addSource", input: { name: "thermal", site: null, heartbeatSeconds: 60 } },
  ]);
  await user.click(screen.getByRole("button", { name: "Close" }));
  expect(screen.queryByText("once-only")).toBeNull();
});

it("replaces a token and removes a source after saying what that means", async () => {
  const user = userEvent.setup();
  const { calls } = show(<HealthSourcesPage />, { answers });
  await user.click(await screen.findByRole("button", { name: "Replace the token of bmc-health" }));
  const replacing = await dialog();
  expect(replacing.getByText(/stops working at once/)).toBeVisible();
  await user.click(replacing.getByRole("button", { name: "Replace token" }));
  expect(await screen.findByText("another-one")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Close" }));
  await user.click(screen.getByRole("button", { name: "Remove bmc-health" }));
  const removing = await dialog();
  expect(removing.getByText(/reports stay on 3 hosts/)).toBeVisible();
  await user.click(removing.getByRole("button", { name: "Remove source" }));
  await waitFor(() =>
    expect(calls).toEqual([
      { path: "health.replaceToken", input: { name: "bmc-health" } },
      { path: "health.removeSource", input: { name: "bmc-health" } },
    ]),
  );
});

it("is only read by an auditor", async () => {
  show(<HealthSourcesPage />, { answers, me: { ...admin, role: "auditor" } });
  for (const name of ["Add a source…", "Replace the token of bmc-health", "Remove bmc-health"])
    expect(await screen.findByRole("button", { name })).toHaveAttribute("aria-disabled", "true");
});
