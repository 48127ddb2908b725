// @vitest-environment happy-dom
// The erase policy: a preset fills the form, its effect is calculated before it can be saved, and invalid input is reported.
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Suspense } from "react";
import { expect, it } from "vitest";
import { enter } from "@/components/testing/enter";
import { ErasePolicyPage } from "@/components/cleaning/policy/erase-policy-page";
import { scopes } from "@/components/testing/cleaning";
import { admin, show } from "@/components/testing/rendered";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { presets } from "@/server/domain/cleaning/policy/presets";
import type { PolicyEffects, SitePolicyView } from "@/server/surfaces/trpc/types";

const site = {
  id: "00000000-0000-4000-8000-0000000000e1",
  name: "a",
  hosts: 1,
  automatedClean: true,
  policyVersion: 3,
};
const view: SitePolicyView = {
  siteId: site.id,
  site: site.name,
  version: 3,
  createdAt: new Date(),
  createdByName: null,
  policy: defaultPolicy(),
};
const told: PolicyEffects = {
  siteId: view.siteId,
  site: view.site,
  policyVersion: 3,
  since: new Date("2026-08-24T00:00:00Z"),
  truncated: false,
  erase: true,
  models: [
    {
      ...{ model: "P5520", media: "nvme", drives: 8, meets: 0, cannot: 5, unknown: 3, cannotNow: 0 },
      basis: { policy: 0, recorded: 3, reported: 2, model: 0 },
      reason: "it refused every technique of the policy",
    },
  ],
  reclamations: { total: 9, stop: 2, pass: 1, unknown: 3, same: 3, withoutErase: 0 },
  otherwise: [
    {
      id: "00000000-0000-4000-8000-0000000000c1",
      number: "7",
      host: "gpu-1",
      startedAt: new Date(),
      outcome: "ready",
      would: "stop",
      reason: "P5520: it refused every technique",
    },
  ],
  effects: [],
  notes: [],
};

const open = (me = admin) => ({
  ...show(
    <Suspense>
      <ErasePolicyPage />
    </Suspense>,
    {
      me,
      answers: {
        "cleaning.scopes": () => ({ ...scopes, sites: [site] }),
        "cleaning.sitePolicy": () => view,
        "policy.preview": () => told,
        "policy.setErase": () => ({ policyVersion: 4 }),
      },
    },
  ),
  user: userEvent.setup(),
});

const button = (words: string | RegExp) => screen.getByRole("button", { name: words });

it("a preset fills the form; its effect is shown, then it is saved with a reason", async () => {
  const { user, calls } = open();
  await user.click(await screen.findByRole("button", { name: "NIST 800-88r1 Purge" }));
  expect(screen.getByText("the policy below matches NIST 800-88r1 Purge")).toBeVisible();
  expect(screen.getByLabelText(/^Techniques in order, NVMe/)).toHaveValue("nvme-format-user-data");
  expect(screen.queryByRole("button", { name: "Save policy…" })).toBeNull();
  await user.click(button("Calculate the effect"));
  expect(await screen.findByRole("table", { name: "Known drives by model" })).toHaveTextContent(
    /P5520.*recorded results \(3\), reported capabilities \(2\)/,
  );
  expect(screen.getByText(/5 known drives cannot meet it/)).toHaveTextContent(
    /unknown for 3 drives.*9 reclamations.*2 would have stopped, 1 would have passed.*3 are unknown/,
  );
  await user.click(button("Save policy…"));
  const dialog = await screen.findByRole("dialog");
  await enter(user, within(dialog).getByLabelText("Reason"), "ticket 7");
  await user.click(within(dialog).getByRole("button", { name: "Save policy" }));
  const { standard, minimum, techniques } = presets["sp-800-88r1-purge"];
  await waitFor(() =>
    expect(calls).toEqual([
      {
        path: "policy.setErase",
        input: {
          siteId: view.siteId,
          policyVersion: 3,
          erase: { standard, minimum, techniques, fallback: true },
          reason: "ticket 7",
        },
      },
    ]),
  );
});

it("what is wrong with a list is said, and what does not count", async () => {
  const { user } = open();
  const list = await screen.findByLabelText(/^Techniques in order, NVMe/);
  await user.clear(list);
  await enter(user, list, "nvme-format-user-data");
  expect(list).toHaveAccessibleDescription(/Below the minimum level.*nvme-format-user-data/);
  await enter(user, list, " hammer");
  await user.tab();
  expect(list).toHaveAccessibleDescription(/hammer is not a technique/);
  expect(button("Calculate the effect")).toHaveAccessibleDescription("hammer is not a technique");
});

it("a form that was changed is calculated again before it is saved", async () => {
  const { user } = open();
  await user.click(await screen.findByRole("button", { name: "Calculate the effect" }));
  expect(await screen.findByRole("button", { name: "Save policy…" })).toBeEnabled();
  await user.click(button("Clear"));
  expect(button("Save policy…")).toHaveAccessibleDescription(
    "The form was changed: calculate the effect again",
  );
});

it("an auditor sees the effect and cannot save", async () => {
  const { user } = open({ ...admin, role: "auditor" });
  await user.click(await screen.findByRole("button", { name: "Calculate the effect" }));
  expect(await screen.findByRole("button", { name: "Save policy…" })).toHaveAccessibleDescription(
    "Only a provider admin can change the policy",
  );
});
