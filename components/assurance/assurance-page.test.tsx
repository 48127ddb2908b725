// @vitest-environment happy-dom
// The Assurance page: one procedure recorded on several hosts independently, dispositions signed, and long lists marked as truncated.
import { screen, within } from "@testing-library/react";
import { onlineManager } from "@tanstack/react-query";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it } from "vitest";
import { enter } from "@/components/testing/enter";
import { AssurancePage } from "@/components/assurance/assurance-page";
import { scannedHosts } from "@/components/assurance/due-tab";
import { beginAnswer, browserWithPasskey, signed } from "@/components/testing/passkey";
import { admin, Refusal, show } from "@/components/testing/rendered";
import type { ConfirmMethod } from "@/server/domain/access/passkeys";
import { testProcedure } from "@/server/domain/assurance/procedures/testing/procedures";
import type { ApprovalLine, DueLine } from "@/server/surfaces/trpc/types";

const due = (name: string, procedure = testProcedure(), overLimit = false): DueLine => ({
  host: { id: `00000000-0000-4000-8000-00000000000${name.at(-1) ?? ""}`, name },
  ...{ serial: `SN-${name}`, site: "a", place: null, state: "ReturnToAllocation/AwaitingProcedure" },
  ...{
    since: new Date("2026-11-20T10:00:00Z"),
    limitAt: null,
    overLimit,
    procedure,
    reason: "every reclamation",
  },
  ...{ status: "due", words: "due" },
});
const stated: ApprovalLine = {
  ...{ id: "d1", kind: "disposition", subjectId: "s1", subject: "drive S1: removed-destroyed", site: "a" },
  ...{ host: { id: "h1", name: "gpu-1" }, evidence: "0".repeat(64), askedBy: "Mercy", askedAt: new Date() },
  ...{ reason: "shredded", validUntil: null, decision: null, decidedBy: null, decidedAt: null },
  ...{ decidedReason: null, decidedWith: null, voided: null, own: false, mayDecide: true },
};

const open = (
  search: string,
  record: (input: unknown) => unknown = () => ({ records: [] }),
  me = admin,
  confirmsWith: ConfirmMethod = "password",
) => ({
  ...show(<AssurancePage />, {
    me,
    search,
    answers: {
      "exceptions.list": () => ({ items: [], nextCursor: null }),
      "policyChanges.list": () => ({ items: [], nextCursor: null }),
      "procedures.due": (input) => ({
        items: [due("gpu-1", undefined, true), due("gpu-2"), due("gpu-3")].filter(
          ({ overLimit }) => overLimit || !JSON.stringify(input).includes("overLimit"),
        ),
        nextCursor: "more",
      }),
      "approvals.list": (input) =>
        JSON.stringify(input).includes("disposition")
          ? { items: JSON.stringify(input).includes("decided") ? [] : [stated], nextCursor: null }
          : { items: [], nextCursor: null },
      "approvals.decide": () => ({ decided: 1 }),
      "passkeys.list": () => ({ items: [], confirmsWith, refusal: null }),
      "passkeys.begin": beginAnswer,
      "procedures.record": record,
    },
  }),
  user: userEvent.setup(),
});

afterEach(() => onlineManager.setOnline(true));

it("finds the host of each scanned serial number, and says which is of none", () => {
  const hosts = ["1", "2"].map((id) => ({ id, name: `h${id}`, serial: `SN-${id}` }));
  expect(scannedHosts(hosts, " sn-2\nX ")).toEqual({
    found: [{ ...hosts[1], read: "sn-2" }],
    missing: [hosts[0]],
    unknown: ["X"],
  });
  expect(scannedHosts([{ id: "1", name: "h1", serial: null }], "SN-1").found).toEqual([]);
});

it("records on several hosts, keeps what one refused open, and sends only the rest again", async () => {
  let refuses = true;
  const { user, calls } = open("", (input) => {
    if (refuses && JSON.stringify(input).includes("SN-gpu-2")) throw new Refusal("gpu-2: do it again.");
    return { records: [] };
  });
  expect(await screen.findByRole("link", { name: "Procedures due 3+" })).toBeVisible();
  expect(screen.getAllByRole("img", { name: "over its limit" })).toHaveLength(1);
  await user.click(screen.getByRole("checkbox", { name: "Select full-ac-drain on gpu-1" }));
  await user.click(screen.getByRole("checkbox", { name: "Select full-ac-drain on gpu-2" }));
  await user.click(screen.getByRole("button", { name: "Record on 2…" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.type(dialog.getByRole("textbox", { name: /^Serial numbers/ }), "SN-gpu-2{enter}SN-gpu-1");
  await user.click(dialog.getByRole("checkbox", { name: "Both cords out" }));
  await user.type(dialog.getByRole("textbox", { name: "Minutes without AC" }), "14");
  for (const label of ["Started", "Finished"]) {
    expect(dialog.getByLabelText(new RegExp(`^${label}`))).toHaveValue("");
    await enter(user, dialog.getByLabelText(new RegExp(`^${label}`)), "2026-11-20T11:00");
  }
  await user.click(dialog.getByRole("button", { name: "Record on 2" }));
  expect(await dialog.findByText(/Recorded 1 of 2 hosts/)).toBeVisible();
  expect(dialog.getByRole("list", { name: "Hosts" })).toHaveTextContent(
    /gpu-1recordedgpu-2gpu-2: do it again/,
  );
  refuses = false;
  await user.click(dialog.getByRole("button", { name: "Send the rest" }));
  await screen.findByText("Recorded full-ac-drain on 2 hosts");
  expect(calls.map(({ input }) => JSON.stringify(input).match(/SN-gpu-\d/)?.[0])).toEqual([
    "SN-gpu-1",
    "SN-gpu-2",
    "SN-gpu-2",
  ]);
});

it("lists only hosts over their limit where that is asked for", async () => {
  const { user, went, unmount } = open("");
  await user.click(await screen.findByRole("button", { name: "Over 24 h only" }));
  expect(went).toEqual(["/assurance?late=1"]);
  unmount();
  open("late=1");
  expect(await screen.findByRole("button", { name: "Over 24 h only" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  expect(await screen.findByRole("link", { name: "gpu-1" })).toBeVisible();
  expect(screen.queryByRole("link", { name: "gpu-2" })).toBeNull();
});

it("signs a disposition with the password; an auditor has nothing to choose", async () => {
  const { user, calls, unmount } = open("tab=dispositions");
  await user.click(await screen.findByRole("button", { name: "Sign… drive S1: removed-destroyed on gpu-1" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText("shredded")).toBeVisible();
  await enter(user, await dialog.findByLabelText("Your password, again"), "secret");
  await user.click(dialog.getByRole("button", { name: "Sign off" }));
  await screen.findByText(/^Signed off/);
  expect(calls).toMatchObject([
    { input: { approvals: [{ id: "d1" }], decision: "approved", password: "secret" } },
  ]);
  unmount();
  open("", undefined, { ...admin, role: "auditor" });
  await screen.findByRole("link", { name: "gpu-1" });
  expect(screen.queryByRole("checkbox")).toBeNull();
});

it("signs with the passkey of who has one, for that very decision, and asks for no password", async () => {
  const { asked } = browserWithPasskey();
  const { user, calls } = open("tab=dispositions", undefined, admin, "passkey");
  await user.click(await screen.findByRole("button", { name: "Sign… drive S1: removed-destroyed on gpu-1" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(await dialog.findByText("Your browser asks for your passkey.")).toBeVisible();
  expect(dialog.queryByLabelText(/password/)).toBeNull();
  await user.click(dialog.getByRole("button", { name: "Sign off" }));
  await screen.findByText(/^Signed off/);
  expect(asked).toHaveLength(1);
  const decided = { approvals: [{ id: "d1", evidence: stated.evidence }], decision: "approved" };
  expect(calls).toEqual([
    { path: "passkeys.begin", input: { purpose: "decide", ...decided } },
    {
      path: "approvals.decide",
      input: { ...decided, reason: "", passkey: expect.objectContaining({ id: signed, type: "public-key" }) },
    },
  ]);
});

it("decides nothing where the passkey does not answer, and says so", async () => {
  browserWithPasskey({ cancels: true });
  const { user, calls } = open("tab=dispositions", undefined, admin, "passkey");
  await user.click(await screen.findByRole("button", { name: "Sign… drive S1: removed-destroyed on gpu-1" }));
  const dialog = within(await screen.findByRole("dialog"));
  await dialog.findByText("Your browser asks for your passkey.");
  await user.click(dialog.getByRole("button", { name: "Sign off" }));
  expect(await dialog.findByText(/The passkey did not answer/)).toBeVisible();
  expect(calls.map(({ path }) => path)).toEqual(["passkeys.begin"]);
});

it("says why nobody can sign while offline, and goes on when the connection is back", async () => {
  const { user } = open("tab=dispositions");
  const sign = await screen.findByRole("button", { name: /^Sign… drive S1/ });
  onlineManager.setOnline(false);
  await user.click(sign);
  const dialog = within(await screen.findByRole("dialog"));
  const button = dialog.getByRole("button", { name: "Sign off" });
  expect(button).toHaveAccessibleDescription(/^You are offline/);
  onlineManager.setOnline(true);
  expect(await dialog.findByLabelText("Your password, again")).toBeVisible();
});
