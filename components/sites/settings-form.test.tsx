// @vitest-environment happy-dom
// Changing settings: what is sent, what is kept after a concurrent change, and tokens that are sent but never shown.
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { enter } from "@/components/testing/enter";
import { expectHeldBack, heldAnswer, someEffect } from "@/components/testing/held-back";
import { Refusal, show, type Answers } from "@/components/testing/rendered";
import { credentialSchema } from "@/components/sites/bmc-credentials";
import { tenantSchema } from "@/components/sites/tenants/tenants-page";
import { ControllerForm, controllerSchema } from "@/components/sites/site-page";
import { SettingsForm } from "@/components/sites/settings-form";
import { completed, siteDocument, tenantEntry } from "@/server/domain/sites/document";
import { policySections } from "@/server/domain/sites/setting-fields";
import type { SiteView } from "@/server/surfaces/trpc/types";

const view = (revision: string, parts: object = {}): SiteView => ({
  siteId: "s",
  site: "a",
  version: 3,
  revision,
  authorities: [],
  unreadable: [],
  document: siteDocument.parse(completed({ format: 1, site: "a", ...parts })),
});
const withState = (stateMs: number) => ({ policy: { times: { stateMs } } });
const change = { kind: "set", path: ["policy", "times", "stateMs"], before: 1_800_000, after: 60_000 };
const answer = { site: "a", created: false, applied: true, version: 4, revision: "r2", changes: [change] };
const form = (shown: SiteView, whyNot?: string) => (
  <SettingsForm view={shown} sections={policySections} changes={[]} whyNot={whyNot} />
);
const applying = (apply: (input: unknown) => unknown = () => answer): Answers => ({
  "site.apply": apply,
  "policy.preview": () => someEffect,
});
const field = () => screen.getByLabelText("State");
const save = () => screen.getByRole("button", { name: "Save settings…" });

it("sends the settings only after the effect was shown", async () => {
  const user = userEvent.setup();
  const { answer: held, give } = heldAnswer(someEffect);
  const { calls } = show(form(view("r1")), { answers: { ...applying(), "policy.preview": held } });
  await user.clear(field());
  await enter(user, field(), "1 min");
  await user.click(save());
  const dialog = within(await screen.findByRole("dialog"));
  const reason = dialog.getByRole("textbox", { name: /^Reason/ });
  await enter(user, reason, "ticket 7");
  const button = dialog.getByRole("button", { name: "Save settings" });
  await expectHeldBack(user, { button, field: reason, calls, give });
  expect(calls.at(-1)).toMatchObject({ path: "site.apply", input: { reason: "ticket 7" } });
});

it("says that a change waits for another person, and begins again with the site as it is", async () => {
  const user = userEvent.setup();
  const apply = (input: unknown) => {
    if (JSON.stringify(input).includes('"dryRun":true')) return { ...answer, applied: false, version: null };
    throw new Refusal("The change of site a waits for approval.", undefined, "awaitsApproval");
  };
  show(form(view("r1")), { answers: applying(apply) });
  await user.clear(field());
  await enter(user, field(), "1 min");
  await user.click(save());
  const dialog = within(await screen.findByRole("dialog"));
  await enter(user, dialog.getByRole("textbox", { name: /^Reason/ }), "ticket 7");
  await dialog.findByRole("table", { name: "Effect on recorded reclamations" });
  await user.click(dialog.getByRole("button", { name: "Save settings" }));
  await screen.findByText("The change of site a waits for approval.");
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(field()).toHaveValue("30 min");
});

it("shows what would change, asks for the reason, and sends the whole document with its revision", async () => {
  const user = userEvent.setup();
  const asked: unknown[] = [];
  const preview = (question: unknown) => (asked.push(question), someEffect);
  const { calls } = show(form(view("r1")), { answers: { ...applying(), "policy.preview": preview } });
  expect(save()).toHaveAccessibleDescription("No changes");
  await user.clear(field());
  await user.type(field(), "soon");
  expect(save()).toHaveAccessibleDescription(/State: enter a duration/);
  await user.clear(field());
  await enter(user, field(), "1 min");
  await user.click(save());
  const dialog = within(await screen.findByRole("dialog"));
  expect(await dialog.findByText("30 min")).toBeVisible();
  const told = await dialog.findByRole("table", { name: "Effect on recorded reclamations" });
  expect(told).toHaveTextContent(/Hosts in progress.*unknown.*not recorded/);
  expect(asked).toMatchObject([{ siteId: "s", policy: { times: { stateMs: 60_000 } }, priorities: {} }]);
  await enter(user, dialog.getByLabelText(/^Reason/), "ticket 4711");
  await user.click(dialog.getByRole("button", { name: "Save settings" }));
  await waitFor(() => expect(calls).toHaveLength(2));
  expect(calls).toMatchObject([
    { path: "site.apply", input: { dryRun: true, revision: "r1", create: false } },
    { path: "site.apply", input: { reason: "ticket 4711", revision: "r1", secrets: {} } },
  ]);
  const sent: unknown = JSON.parse(String(Reflect.get(Object(calls[1]?.input), "document")));
  expect(sent).toEqual(JSON.parse(JSON.stringify(view("r1", withState(60_000)).document)));
  // The page has not been refetched yet: leaving it now loses nothing, so nothing is asked.
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(save()).toHaveAccessibleDescription("No changes");
  expect(screen.queryByRole("button", { name: "Discard changes" })).toBeNull();
});

it("keeps what was typed when the site changed meanwhile, and says so", async () => {
  const user = userEvent.setup();
  const { rerender } = show(form(view("r1")), { answers: applying() });
  await user.clear(field());
  await enter(user, field(), "1 min");
  rerender(form(view("r2", { policy: { times: { holdMs: 60_000 } } })));
  expect(screen.getByRole("status")).toHaveTextContent("was changed while you were editing");
  expect(field()).toHaveValue("1 min");
  expect(screen.getByLabelText("Hold")).toHaveValue("4 h");
  await user.click(screen.getByRole("button", { name: "Load the current settings" }));
  expect(screen.getByLabelText("Hold")).toHaveValue("1 min");
  expect(field()).toHaveValue("1 min");
  expect(screen.queryByText(/was changed while you edit/)).toBeNull();
});

it("follows the site by itself while nothing was typed", () => {
  const { rerender } = show(form(view("r1")));
  rerender(form(view("r2", withState(60_000))));
  expect(field()).toHaveValue("1 min");
});

it("tells each fault by its setting, and offers the present settings after a conflict", async () => {
  const user = userEvent.setup();
  const refuse = () => {
    throw new Refusal("The site a is at revision r2, not at r1.", "revision");
  };
  show(form(view("r1")), { answers: applying(refuse) });
  await user.clear(field());
  await enter(user, field(), "1 min");
  await user.click(save());
  const dialog = within(await screen.findByRole("dialog"));
  expect(await dialog.findByText(/at revision r2/)).toBeVisible();
  expect(dialog.getByText(/Your changes on the page are kept/)).toBeVisible();
  expect(dialog.getByRole("button", { name: "Save settings" })).toHaveAccessibleDescription(/refused/);
  await user.click(dialog.getByRole("button", { name: "Reload the settings" }));
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(field()).toHaveValue("1 min");
});

it("cannot be used by who may not change settings", () => {
  show(form(view("r1"), "Only a provider admin can change settings"));
  expect(field()).toBeDisabled();
  expect(save()).toHaveAccessibleDescription("Only a provider admin can change settings");
});

it("draws a field for every setting of the sections", () => {
  show(form(view("r1")));
  for (const { fields } of policySections)
    for (const { label } of fields) expect(screen.getByLabelText(label)).toBeVisible();
});

it("by hand has a field for every member that the document has there", () => {
  const { networkController, bmcCredentials } = siteDocument.shape;
  const names = (shape: object) => Object.keys(shape).sort();
  expect(names(controllerSchema(view("r1").document).shape)).toEqual(
    [...names(networkController.unwrap().shape), "acknowledges"].sort(),
  );
  expect(names(tenantSchema([]).shape)).toEqual(names(tenantEntry.shape));
  expect(names(credentialSchema(undefined, []).shape)).toEqual(
    [...names(bmcCredentials.unwrap().valueType.shape), "name"].sort(),
  );
});

it("sends a token beside the document, and an empty field keeps the stored one", async () => {
  const user = userEvent.setup();
  const stored = { stored: true };
  const site = view("r1", { networkController: { url: "https://net.test", token: stored } });
  const { calls } = show(<ControllerForm view={site} whyNot={undefined} />, { answers: applying() });
  expect(screen.getByRole("button", { name: "Save network controller…" })).toHaveAccessibleDescription(
    "No changes",
  );
  await enter(user, screen.getByLabelText(/^Token sent by the controller/), "planted");
  await user.click(screen.getByLabelText(/^Acknowledges/));
  await user.click(screen.getByRole("button", { name: "Save network controller…" }));
  await waitFor(() => expect(calls).toHaveLength(1));
  const { document, secrets } = Object(calls[0]?.input) as { document: string; secrets: unknown };
  expect(secrets).toEqual({ "env:ACKNOWLEDGEMENT_TOKEN": "planted" });
  expect(document).not.toContain("planted");
  expect(JSON.parse(document)).toMatchObject({
    networkController: {
      url: "https://net.test",
      token: { stored: true },
      acknowledgementToken: { fromEnv: "ACKNOWLEDGEMENT_TOKEN" },
    },
  });
});
