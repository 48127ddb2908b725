// @vitest-environment happy-dom
// Exceptions in the console: approve, reject and withdraw on Assurance, request on a host, and the expiry calendar.
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { enter } from "@/components/testing/enter";
import { AssurancePage } from "@/components/assurance/assurance-page";
import { HostExceptions } from "@/components/assurance/exceptions/host-exceptions";
import { formatExceptionStanding } from "@/components/assurance/exceptions/exception-text";
import { admin, Refusal, show } from "@/components/testing/rendered";
import type { AskableException, EndingLine, ExceptionLine } from "@/server/surfaces/trpc/types";

const waiting: ExceptionLine = {
  ...{ id: "x1", host: { id: "h1", name: "gpu-1" }, site: "a", reclamationId: "r1" },
  ...{ gate: "storageSanitized", drive: "S1", standing: "waits", reason: "a replacement is ordered" },
  ...{ measure: "the row is locked", risk: "data on S1 is readable", found: "the drive rejects every erase" },
  ...{
    validUntil: new Date("2026-12-24T00:00:00Z"),
    askedBy: "Mercy",
    askedAt: new Date("2026-11-20T10:00:00Z"),
  },
  ...{
    decidedBy: null,
    decidedAt: null,
    decidedReason: null,
    decidedWith: null,
    voided: null,
    supersededAt: null,
  },
  ...{ approvalId: "a1", evidence: "0".repeat(64), own: false, mayDecide: true, mayWithdraw: true },
};
const standing: ExceptionLine = {
  ...waiting,
  ...{ id: "x2", gate: "memoryOverwritten", drive: null, standing: "approved", decidedBy: "Jonas" },
  ...{ approvalId: "a2", mayDecide: false },
};
const over: ExceptionLine = {
  ...standing,
  ...{ id: "x3", standing: "void", voided: "the gate says something else", mayWithdraw: false },
};
const ending: readonly EndingLine[] = [
  {
    ...{ id: "e1", kind: "exception", subject: "memoryOverwritten", host: waiting.host, site: "a" },
    endsAt: new Date("2026-11-22T10:00:00Z"),
  },
  {
    ...{
      id: "e2",
      kind: "procedure",
      subject: "full-ac-drain, version 3",
      host: { id: "h2", name: "gpu-2" },
    },
    ...{ site: "a", endsAt: new Date("2026-12-01T10:00:00Z") },
  },
];
const empty = { items: [], nextCursor: null };
const isOver = (input: unknown): boolean => JSON.stringify(input).includes('"over":true');

const open = (
  tab: string,
  {
    lines = [waiting, standing],
    ends = ending,
    decide = () => ({ decided: 1 }),
  }: {
    readonly lines?: readonly ExceptionLine[];
    readonly ends?: readonly EndingLine[];
    readonly decide?: () => unknown;
  } = {},
) => ({
  ...show(<AssurancePage />, {
    search: `tab=${tab}`,
    answers: {
      "procedures.due": () => empty,
      "policyChanges.list": () => empty,
      "approvals.list": () => empty,
      "approvals.ending": () => ({ items: ends, nextCursor: null }),
      "approvals.decide": decide,
      "passkeys.list": () => ({ items: [], confirmsWith: "password", refusal: null }),
      "exceptions.list": (input) => ({
        items: isOver(input) ? (lines.length === 0 ? [] : [over]) : lines,
        nextCursor: null,
      }),
      "exceptions.withdraw": () => ({ accepted: true }),
    },
  }),
  user: userEvent.setup(),
});

it("approves with the password, after everything that was said of it", async () => {
  const { user, calls } = open("exceptions");
  expect(await screen.findByRole("link", { name: "Exceptions 2" })).toHaveAttribute("aria-current", "page");
  await user.click(
    await screen.findByRole("button", { name: "Approve… storageSanitized, drive S1 on gpu-1" }),
  );
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText("the row is locked")).toBeVisible();
  expect(dialog.getByText("data on S1 is readable")).toBeVisible();
  expect(dialog.getByText(/When the exception expires, the host leaves allocation/)).toBeVisible();
  await enter(user, await dialog.findByLabelText("Your password, again"), "secret");
  await user.click(dialog.getByRole("button", { name: "Approve" }));
  await screen.findByText(/^Approved: storageSanitized, drive S1 on gpu-1/);
  expect(calls).toMatchObject([
    {
      path: "approvals.decide",
      input: {
        approvals: [{ id: "a1", evidence: waiting.evidence }],
        decision: "approved",
        password: "secret",
      },
    },
  ]);
});

it("a rejection needs a reason, and what the server refuses stays to be read", async () => {
  const { user, calls } = open("exceptions", {
    decide: () => {
      throw new Refusal("This request is void.");
    },
  });
  await user.click(await screen.findByRole("button", { name: /^Reject… storageSanitized/ }));
  const dialog = within(await screen.findByRole("dialog"));
  await enter(user, await dialog.findByLabelText("Your password, again"), "secret");
  expect(dialog.getByRole("button", { name: "Reject" })).toHaveAttribute("aria-disabled", "true");
  await enter(user, dialog.getByRole("textbox", { name: /^Reason/ }), "erase it");
  await user.click(dialog.getByRole("button", { name: "Reject" }));
  expect(await dialog.findByText(/This request is void/)).toBeVisible();
  expect(calls).toMatchObject([{ input: { decision: "rejected", reason: "erase it" } }]);
});

it("withdraws one that counts, and says what follows; one that is over has its reason and no act", async () => {
  const { user, calls } = open("exceptions");
  await user.click(await screen.findByRole("button", { name: "Withdraw… memoryOverwritten on gpu-1" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText(/leaves allocation and is cleaned again/)).toBeVisible();
  await enter(user, dialog.getByRole("textbox", { name: /^Reason/ }), "no more");
  await user.click(dialog.getByRole("button", { name: "Withdraw exception" }));
  await screen.findByText(/^Withdrawn: memoryOverwritten on gpu-1/);
  expect(calls).toMatchObject([{ path: "exceptions.withdraw", input: { id: "x2", reason: "no more" } }]);
  const ended = within(screen.getByRole("table", { name: "Closed exceptions" }));
  expect(ended.getByText("void: the gate says something else")).toBeVisible();
  expect(ended.queryByRole("button", { name: /Withdraw|Approve|Reject/ })).toBeNull();
});

it("opens a row by keys: j to it, Enter to see what was said", async () => {
  const { user } = open("exceptions");
  await screen.findByRole("button", { name: /^storageSanitized/ });
  await user.keyboard("j{Enter}");
  expect(await screen.findByText("the row is locked")).toBeVisible();
});

it("empty tabs say how something comes there", async () => {
  const { unmount } = open("exceptions", { lines: [] });
  expect(await screen.findByText("No open exceptions")).toBeVisible();
  expect(await screen.findByText("None yet.")).toBeVisible();
  unmount();
  open("calendar", { ends: [] });
  expect(await screen.findByText("Nothing expires")).toBeVisible();
});

it("shows by week what runs out, with the tab of the host that shows it; Enter goes there", async () => {
  const { user } = open("calendar");
  const table = within(await screen.findByRole("table", { name: "Expiring, by week" }));
  expect(await table.findByText(/^This week, 16 Nov to 22 Nov/)).toBeVisible();
  expect(table.getByText(/^30 Nov to 6 Dec/)).toBeVisible();
  expect(table.getByRole("link", { name: "gpu-1" })).toHaveAttribute("href", "/hosts/gpu-1?tab=gates");
  const second = table.getByRole("link", { name: "gpu-2" });
  expect(second).toHaveAttribute("href", "/hosts/gpu-2?tab=assurance");
  const clicked = vi.fn();
  second.addEventListener("click", clicked);
  await user.keyboard("jj{Enter}");
  expect(clicked).toHaveBeenCalledOnce();
});

const host = { id: "00000000-0000-4000-8000-00000000000a", name: "gpu-1" };
const askable: readonly AskableException[] = [
  { gate: "storageSanitized", drive: { serial: "S1", model: "M" }, found: "the drive rejects every erase" },
  { gate: "storageSanitized", drive: { serial: "S2", model: "M" }, found: "no result" },
];
const openHost = (lines: readonly ExceptionLine[], role = admin.role, ask: () => unknown = () => ({})) => ({
  ...show(<HostExceptions host={host} quiet />, {
    me: { ...admin, role },
    answers: {
      "exceptions.list": () => ({ items: lines, nextCursor: null }),
      "exceptions.askable": () => askable,
      "exceptions.ask": ask,
    },
  }),
  user: userEvent.setup(),
});

it("asks for a drive that stopped the host, and says what follows; not again for what waits", async () => {
  const { user, calls } = openHost([waiting]);
  expect(await screen.findByText("1 open; 1 can be asked for")).toBeVisible();
  await user.click(screen.getByRole("button", { name: /^Ask for an exception…/ }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText("Found: no result")).toBeVisible();
  expect(dialog.getByText(/you cannot/)).toBeVisible();
  await user.type(dialog.getByRole("textbox", { name: /^Reason/ }), "r");
  await user.type(dialog.getByRole("textbox", { name: /^Compensating control/ }), "m");
  await user.type(dialog.getByRole("textbox", { name: /^Residual risk/ }), "k");
  const send = dialog.getByRole("button", { name: "Ask for exception" });
  expect(send).toHaveAttribute("aria-disabled", "true");
  await enter(user, dialog.getByLabelText(/^Expires/), "2026-12-24T10:00");
  await user.click(send);
  await screen.findByText(/^Requested: storageSanitized, drive S2 on gpu-1/);
  expect(calls).toMatchObject([
    {
      path: "exceptions.ask",
      input: {
        ...{ hostId: host.id, gate: "storageSanitized", drive: "S2", reason: "r", measure: "m", risk: "k" },
        validUntil: new Date("2026-12-24T10:00"),
      },
    },
  ]);
});

it("shows an end that the server refuses at its field", async () => {
  const { user } = openHost([waiting], admin.role, () => {
    throw new Refusal("An exception is valid for a year at most.", "validUntil");
  });
  await user.click(await screen.findByRole("button", { name: /^Ask for an exception…/ }));
  const dialog = within(await screen.findByRole("dialog"));
  for (const label of [/^Reason/, /^Compensating control/, /^Residual risk/])
    await user.type(dialog.getByRole("textbox", { name: label }), "x");
  await enter(user, dialog.getByLabelText(/^Expires/), "2028-12-24T10:00");
  await user.click(dialog.getByRole("button", { name: "Ask for exception" }));
  expect(await dialog.findByText("An exception is valid for a year at most.")).toBeVisible();
  expect(dialog.getByLabelText(/^Expires/)).toHaveAttribute("aria-invalid", "true");
});

it("offers an auditor nothing to ask, and reads nothing for a tenant", async () => {
  const { unmount } = openHost([standing], "auditor");
  expect(await screen.findByText(/approved by Jonas, until/)).toBeVisible();
  expect(screen.queryByRole("button", { name: /^Ask for an exception/ })).toBeNull();
  unmount();
  openHost([standing], "tenant-admin");
  expect(screen.queryByRole("heading", { name: "Exceptions" })).toBeNull();
});

it.each([
  [{ standing: "waits", own: true }, "pending: another person decides"],
  [{ standing: "rejected", decidedBy: "Jonas", decidedReason: "no" }, "rejected by Jonas: no"],
  [{ standing: "approved", decidedBy: "Jonas", decidedWith: "passkey" }, "approved by Jonas, with a passkey"],
  [{ standing: "ended", decidedBy: null }, "expired before a decision"],
  [{ standing: "superseded" }, "no longer needed: the host became Ready without it"],
  [{ standing: "ended", decidedBy: "Jonas" }, "expired; approved by Jonas"],
] as const)("%j reads %s", (facts, words) =>
  expect(formatExceptionStanding({ ...waiting, ...facts })).toBe(words),
);

it.each([
  ["memoryOverwritten", /^Once approved, retry the host/],
  ["assuranceSigned", /continues by itself/],
] as const)("says how a host goes on after an exception for %s", async (gate, words) => {
  const { user } = open("exceptions", { lines: [{ ...waiting, gate, drive: null }] });
  await user.click(await screen.findByRole("button", { name: `Approve… ${gate} on gpu-1` }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText(words)).toBeVisible();
});

it.each([
  ["exceptions", "Exceptions as CSV", "/api/assurance.csv?list=exceptions"],
  ["calendar", "Calendar as CSV", "/api/assurance.csv?list=ending"],
])("gives %s as a file", async (tab, name, href) => {
  open(tab);
  expect(await screen.findByRole("link", { name })).toHaveAttribute("href", href);
});
