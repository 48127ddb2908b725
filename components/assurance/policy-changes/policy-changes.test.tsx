// @vitest-environment happy-dom
// Site changes in the console: what would change, approval with the password, withdrawal by the requester, and the notice on settings pages.
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { enter } from "@/components/testing/enter";
import { AssurancePage } from "@/components/assurance/assurance-page";
import { changeTitle, changeStatus } from "@/components/assurance/policy-changes/policy-changes-tab";
import { WaitingChange } from "@/components/sites/settings-head";
import { expectHeldBack, heldAnswer, someEffect } from "@/components/testing/held-back";
import { admin, show, type Answers } from "@/components/testing/rendered";
import { testProcedure } from "@/server/domain/assurance/procedures/testing/procedures";
import { siteDifference } from "@/server/domain/sites/difference";
import { completed, siteDocument } from "@/server/domain/sites/document";
import type { PolicyChangeLine } from "@/server/surfaces/trpc/types";

const change = {
  kind: "set" as const,
  path: ["policy", "times", "stateMs"],
  before: 1_800_000,
  after: 60_000,
};
const waiting: PolicyChangeLine = {
  ...{ id: "c1", approvalId: "a1", evidence: "0".repeat(64), siteId: "s", site: "a", action: "site.apply" },
  ...{ changes: [change], askedBy: "Jonas", askedAt: new Date("2026-11-20T10:00:00Z"), reason: "ticket 7" },
  ...{ validUntil: new Date("2026-11-27T10:00:00Z"), version: null, decision: null, decidedBy: null },
  ...{
    decidedAt: null,
    decidedReason: null,
    decidedWith: null,
    voided: null,
    own: false,
    mayDecide: true,
    mayWithdraw: false,
  },
};
const own = { ...waiting, own: true, mayDecide: false, mayWithdraw: true };
const over = {
  ...waiting,
  id: "c0",
  decision: "approved" as const,
  decidedBy: "Ada",
  version: 8,
  mayDecide: false,
};
const empty = { items: [], nextCursor: null };

const open = (line: PolicyChangeLine, answers: Answers = {}) => ({
  ...show(<AssurancePage />, {
    search: "tab=changes",
    answers: {
      "procedures.due": () => empty,
      "approvals.list": () => empty,
      "passkeys.list": () => ({ items: [], confirmsWith: "password", refusal: null }),
      "approvals.decide": () => ({ decided: 1 }),
      "exceptions.list": () => empty,
      "policyChanges.list": (input) => ({
        items: JSON.stringify(input).includes('"over":true') ? [over] : [line],
        nextCursor: null,
      }),
      "policyChanges.get": () => ({
        ...line,
        document: siteDocument.parse(completed({ format: 1, site: "a" })),
      }),
      "policyChanges.withdraw": () => ({ withdrawn: true }),
      "policy.preview": () => someEffect,
      ...answers,
    },
  }),
  user: userEvent.setup(),
});

it("shows before and after and the effect, and approves with the password", async () => {
  const { user, calls } = open(waiting);
  expect(await screen.findByRole("link", { name: "Policy changes 1" })).toHaveAttribute(
    "aria-current",
    "page",
  );
  await user.click(
    await screen.findByRole("button", { name: "Approve… Settings: Time limits: state, site a" }),
  );
  const dialog = within(await screen.findByRole("dialog"));
  const table = dialog.getByRole("table", { name: "What it changes" });
  expect(table).toHaveTextContent(/30 min.*1 min/);
  expect(dialog.getByText("ticket 7")).toBeVisible();
  expect(await dialog.findByRole("table", { name: "Effect on recorded reclamations" })).toHaveTextContent(
    "not recorded",
  );
  await enter(user, await dialog.findByLabelText("Your password, again"), "secret");
  await user.click(dialog.getByRole("button", { name: "Approve" }));
  await screen.findByText(/^Approved: Settings/);
  expect(calls).toMatchObject([
    {
      path: "approvals.decide",
      input: { approvals: [{ id: "a1" }], decision: "approved", password: "secret" },
    },
  ]);
  expect(screen.getByText("approved by Ada, version 8")).toBeVisible();
});

it.each(["policyChanges.get", "policy.preview"])("approves only when %s was answered", async (path) => {
  const document = siteDocument.parse(completed({ format: 1, site: "a" }));
  const { answer, give } = heldAnswer<unknown>(
    path === "policy.preview" ? someEffect : { ...waiting, document },
  );
  const { user, calls } = open(waiting, { [path]: answer });
  await user.click(await screen.findByRole("button", { name: /^Approve… Settings/ }));
  const dialog = within(await screen.findByRole("dialog"));
  const field = await dialog.findByLabelText("Your password, again");
  await enter(user, field, "secret");
  const button = dialog.getByRole("button", { name: "Approve" });
  await expectHeldBack(user, { button, field, calls, give });
});

it("shows all of a value, and which part of a long one differs", async () => {
  const answered = (end: string) => {
    const { policy, ...site } = siteDocument.parse(completed({ format: 1, site: "a" }));
    const checklist = [{ text: `${"a".repeat(250)} ${end}`, answer: "yes" as const }];
    return { ...site, policy: { ...policy, procedures: [testProcedure({ checklist })] } };
  };
  const changes = siteDifference(answered("drain twice"), answered("drain never"));
  expect(changes.map(({ path }) => path.join("."))).toEqual(["policy.procedures.full-ac-drain.checklist"]);
  const { user } = open({ ...waiting, changes: [...changes] });
  await user.click(await screen.findByRole("button", { name: /^Approve… Settings/ }));
  const table = within(await screen.findByRole("dialog")).getByRole("table", { name: "What it changes" });
  expect(table).toHaveTextContent("drain twice");
  expect(table).toHaveTextContent("drain never");
});

it("lets who asked withdraw, and not decide", async () => {
  const { user, calls } = open(own);
  const button = await screen.findByRole("button", { name: /^Withdraw… Settings/ });
  expect(screen.queryByRole("button", { name: /^Approve/ })).toBeNull();
  await user.click(button);
  const dialog = within(await screen.findByRole("dialog"));
  await enter(user, dialog.getByRole("textbox", { name: /^Reason/ }), "wrong number");
  await user.click(dialog.getByRole("button", { name: "Withdraw change" }));
  await screen.findByText(/^Withdrawn: Settings/);
  expect(calls).toMatchObject([
    { path: "policyChanges.withdraw", input: { id: "c1", reason: "wrong number" } },
  ]);
});

it.each([
  ["who may decide", waiting, "A change by Jonas of site a waits", "Review the change"],
  ["who asked", own, "Your change of site a waits", "Show the change"],
])("says on pages of settings that it waits, to %s", async (_who, line, words, link) => {
  show(<WaitingChange site="a" />, {
    me: admin,
    answers: { "policyChanges.list": () => ({ items: [line], nextCursor: null }) },
  });
  expect(await screen.findByRole("status")).toHaveTextContent(words);
  expect(screen.getByRole("link", { name: link })).toHaveAttribute("href", "/assurance?tab=changes");
});

it.each([
  [waiting, "waiting for a decision"],
  [own, "waiting for another provider admin"],
  [{ ...waiting, voided: "the policy has changed since" }, "void: the policy has changed since"],
  [
    { ...waiting, decision: "rejected" as const, decidedBy: "Ada", decidedReason: "no" },
    "rejected by Ada: no",
  ],
])("has words for each standing", (line, words) => {
  expect(changeStatus(line)).toBe(words);
});
it("names one setting, and counts several", () => {
  expect(changeTitle(waiting)).toBe("Settings: Time limits: state");
  expect(changeTitle({ ...waiting, action: "sku.change", changes: [change, change] })).toBe("SKU: 2 changes");
});
