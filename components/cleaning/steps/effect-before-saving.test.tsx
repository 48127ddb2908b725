// @vitest-environment happy-dom
// What cleaning a site does is changed only after its effect was shown.
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { AutomatedClean } from "@/components/cleaning/steps/automated-clean";
import { OverrideEditor } from "@/components/cleaning/steps/override-editor";
import { catalogue, scopes } from "@/components/testing/cleaning";
import { expectHeldBack, heldAnswer, someEffect } from "@/components/testing/held-back";
import { Refusal, show, type Answers } from "@/components/testing/rendered";
import { leftOutMeaning } from "@/server/domain/assurance/standing";
import type { OverridePreview } from "@/server/surfaces/trpc/types";

const siteId = "00000000-0000-4000-8000-0000000000b1";
const [step] = catalogue.steps;
if (step === undefined) throw new Error("the catalogue is empty");

const order: OverridePreview = { before: [], after: [], ties: [], unproven: [], hosts: 3, effect: null };

const edit = (answers: Answers) => ({
  ...show(
    <OverrideEditor
      step={step}
      at={{ scope: "site", scopeId: siteId, words: "site a" }}
      onClose={() => undefined}
    />,
    { answers: { "cleaning.saveOverride": () => ({ priority: 99 }), ...answers } },
  ),
  user: userEvent.setup(),
});
const field = () => screen.getByLabelText(/^Priority at site a/);
const save = () => screen.getByRole("button", { name: "Save priority" });

it("switches automated cleaning of a site on", async () => {
  const user = userEvent.setup();
  const { answer, give } = heldAnswer(someEffect);
  const site = { id: siteId, name: "a", hosts: 9, automatedClean: false, policyVersion: 3 };
  const subject = { ...catalogue.subject, kind: "site" as const, id: siteId, name: "a" };
  const { calls } = show(
    <AutomatedClean
      catalogue={{ ...catalogue, subject, host: null }}
      scopes={{ ...scopes, sites: [site] }}
    />,
    { answers: { "policy.preview": answer, "cleaning.setSiteAutomatedClean": () => ({}) } },
  );
  await user.click(screen.getByRole("button", { name: "Switch on…" }));
  const dialog = within(await screen.findByRole("dialog"));
  const button = dialog.getByRole("button", { name: "Switch on" });
  await expectHeldBack(user, { button, field: null, calls, give });
  expect(calls).toMatchObject([{ path: "cleaning.setSiteAutomatedClean", input: { automatedClean: true } }]);
});

it.each([
  ["site", "Switch off…"],
  ["host", "Switch off for this host…"],
] as const)(
  "says before cleaning of a %s is switched off that its hosts are not sanitized",
  async (kind, words) => {
    const user = userEvent.setup();
    const site = { id: siteId, name: "a", hosts: 9, automatedClean: true, policyVersion: 3 };
    const subject = { ...catalogue.subject, kind, ...(kind === "site" ? { id: siteId, name: "a" } : {}) };
    show(
      <AutomatedClean
        catalogue={{
          ...catalogue,
          subject: { ...subject, site: { id: siteId, name: "a" } },
          host: kind === "site" ? null : catalogue.host,
        }}
        scopes={{ ...scopes, sites: [site] }}
      />,
      { answers: { "policy.preview": () => someEffect } },
    );
    await user.click(screen.getByRole("button", { name: words }));
    expect(await screen.findByRole("dialog")).toHaveTextContent(leftOutMeaning);
  },
);

it("says before an erase is switched off that hosts are not sanitized", async () => {
  const { user } = edit({ "policy.preview": () => someEffect, "cleaning.previewOverride": () => order });
  await user.clear(field());
  await user.type(field(), "0");
  expect(await screen.findByText(new RegExp(leftOutMeaning))).toBeVisible();
});

it.each([
  ["the effect on recorded reclamations", "policy.preview", someEffect],
  ["the new order", "cleaning.previewOverride", order],
])("changes a priority only with %s", async (_what, path, value) => {
  const { answer, give } = heldAnswer<unknown>(value);
  const { user, calls } = edit({
    "policy.preview": () => someEffect,
    "cleaning.previewOverride": () => order,
    [path]: answer,
  });
  await user.clear(field());
  await user.type(field(), "99");
  await expectHeldBack(user, { button: save(), field: field(), calls, give });
  expect(calls).toMatchObject([{ path: "cleaning.saveOverride", input: { priority: 99 } }]);
});

it("lets a priority be saved whose new order cannot be calculated, and says so", async () => {
  const { user, calls } = edit({
    "policy.preview": () => someEffect,
    "cleaning.previewOverride": () => {
      throw new Refusal("The site's policy cannot be read");
    },
  });
  await user.clear(field());
  await user.type(field(), "99");
  expect(await screen.findByText(/could not be calculated\. The site's policy cannot/)).toBeVisible();
  await screen.findByRole("table", { name: "Effect on recorded reclamations" });
  await user.click(save());
  await screen.findByText(/priority 99 at site a/);
  expect(calls).toMatchObject([{ path: "cleaning.saveOverride", input: { priority: 99 } }]);
});
