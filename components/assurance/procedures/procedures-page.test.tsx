// @vitest-environment happy-dom
// A site's procedures: the empty list leads to a form that starts with a drain, shows the effect, and saves it.
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Suspense } from "react";
import { expect, it } from "vitest";
import { enter } from "@/components/testing/enter";
import { ProceduresPage } from "@/components/assurance/procedures/procedures-page";
import { scopes } from "@/components/testing/cleaning";
import { expectHeldBack, heldAnswer } from "@/components/testing/held-back";
import { admin, show } from "@/components/testing/rendered";
import { testProcedure, testWhen } from "@/server/domain/assurance/procedures/testing/procedures";
import type { Procedure } from "@/server/domain/assurance/procedures/procedure";

const siteId = "00000000-0000-4000-8000-0000000000e1";
const site = { id: siteId, name: "a", hosts: 9, automatedClean: true, policyVersion: 3 };

const preview = { hosts: 9, due: 4, ofSkus: 4, ofTenants: 0, inRepair: 0, inReclamation: 2 };

const open = (
  search: string,
  procedures: readonly Procedure[] = [],
  me = admin,
  previewed: () => unknown = () => preview,
) => ({
  ...show(
    <Suspense>
      <ProceduresPage />
    </Suspense>,
    {
      me,
      search,
      answers: {
        "cleaning.scopes": () => ({ ...scopes, sites: [site] }),
        "procedures.list": () => [{ siteId, site: "a", policyVersion: 3, required: true, procedures }],
        "procedures.preview": previewed,
        "procedures.history": () => [
          { policyVersion: 3, at: new Date(), byName: "Ada", procedure: procedures[0] ?? null },
        ],
        "procedures.save": () => ({ policyVersion: 4 }),
      },
    },
  ),
  user: userEvent.setup(),
});
const button = (words: string | RegExp) => screen.getByRole("button", { name: words });

it("without procedures says what they are, and offers a drain to start from", async () => {
  const { user, went } = open("");
  expect(await screen.findByText(/A procedure is a manual task at a machine/)).toBeVisible();
  await user.click(button("Start with an AC power drain…"));
  expect(went).toEqual(["/settings/procedures?site=a&begin=drain"]);
});

it("shows an auditor the list and no way to change it", async () => {
  open("", [testProcedure()], { ...admin, role: "auditor" });
  expect(await screen.findByRole("table", { name: "Procedures of site a" })).toHaveTextContent("always");
  expect(button("New procedure…")).toHaveAttribute("aria-disabled", "true");
});

it("saves a procedure only after its effect was shown", async () => {
  const { answer, give } = heldAnswer(preview);
  const { user, calls } = open("begin=drain", [], admin, answer);
  await user.type(await screen.findByRole("textbox", { name: /^SKUs/ }), "R760");
  await user.click(button("Preview and save…"));
  const dialog = within(await screen.findByRole("dialog"));
  const field = dialog.getByRole("textbox", { name: "Reason" });
  await enter(user, field, "memory");
  await expectHeldBack(user, {
    button: dialog.getByRole("button", { name: "Save procedure" }),
    field,
    calls,
    give,
  });
});

it("saves a drain after it said on how many hosts it would be due", async () => {
  const { user, calls, went } = open("begin=drain");
  await user.type(await screen.findByRole("textbox", { name: /^SKUs/ }), "R760");
  await user.click(button("Add a point"));
  await enter(user, screen.getByRole("textbox", { name: "Point 5" }), "Seals whole");
  await user.click(button("Preview and save…"));
  const dialog = await screen.findByRole("dialog");
  expect(await within(dialog).findByText(/due in the next reclamation of 4 of 9 hosts/)).toBeVisible();
  await enter(user, within(dialog).getByRole("textbox", { name: "Reason" }), "memory");
  await user.click(within(dialog).getByRole("button", { name: "Save procedure" }));
  await screen.findByText("The policy of site a is at version 4.");
  expect(calls).toMatchObject([
    {
      path: "procedures.save",
      input: {
        ...{ siteId, policyVersion: 3, reason: "memory" },
        procedure: {
          name: "full-ac-drain",
          evidence: ["photo"],
          reusableDays: null,
          when: { skus: ["R760"] },
        },
      },
    },
  ]);
  expect(went.at(-1)).toBe("/settings/procedures?site=a&open=full-ac-drain");
});

it("does not replace a procedure that is there by a new one, and names what differs", async () => {
  const known = testProcedure({ when: testWhen({ skus: ["A"] }) });
  const { unmount } = open("begin=drain", [known]);
  expect(await screen.findByRole("button", { name: "Preview and save…" })).toHaveAttribute(
    "aria-disabled",
    "true",
  );
  unmount();
  const { user } = open("open=full-ac-drain", [known]);
  await user.type(await screen.findByRole("textbox", { name: /^Days/ }), "30");
  await user.click(button("Preview and save…"));
  const changes = await screen.findByRole("table", { name: "What changes" });
  expect(changes).toHaveTextContent(/A record counts for.*its own reclamation.*30 days/);
});
