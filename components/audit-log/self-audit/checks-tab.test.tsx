// @vitest-environment happy-dom
// *Audit → Self-audit*: faults and their acknowledgements, requesting a check, one in progress, and past ones.
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { enter } from "@/components/testing/enter";
import { ChecksTab } from "@/components/audit-log/self-audit/checks-tab";
import { admin, show } from "@/components/testing/rendered";
import type { SelfAuditFault, SelfAuditLine, SelfAuditStanding } from "@/server/surfaces/trpc/types";

const line: SelfAuditLine = {
  id: "c1",
  at: new Date("2026-11-20T03:00:00Z"),
  seconds: 65,
  askedBy: null,
  ok: false,
  events: 1_204,
  covered: { hosts: 200, transitions: 9_000, instances: 40, reclamations: 90, digests: 80, undigested: 10 },
  faults: 3,
  open: 2,
  kinds: [{ kind: "changedHistory", label: "History changed", count: 3, open: 2 }],
};
const fault = (key: string, over: Partial<SelfAuditFault> = {}): SelfAuditFault => ({
  key,
  kind: "changedHistory",
  label: "History changed",
  hostId: "h",
  hostName: `gpu-${key}`,
  reclamationId: "r",
  says: "has changed since it ended",
  next: "Compare the reclamation with a backup.",
  acknowledged: null,
  ...over,
});
const standing: SelfAuditStanding = {
  last: line,
  faults: [
    fault("a"),
    fault("b", {
      acknowledged: { at: new Date("2026-11-20T08:00:00Z"), by: "Ada", reason: "restored by hand" },
    }),
  ],
  overdue: false,
  now: null,
};

function open(shown: SelfAuditStanding = standing, role = admin.role) {
  const { calls } = show(<ChecksTab />, {
    me: { ...admin, role },
    answers: {
      "audit.selfAudit": () => shown,
      "audit.checks": () => ({ items: shown.last === null ? [] : [line], nextCursor: null }),
      "audit.selfCheck": () => ({ already: true }),
      "audit.acknowledge": () => ({ acknowledged: 1, open: 1 }),
    },
  });
  return { calls, user: userEvent.setup() };
}

it("names faults, with who acknowledged which and why", async () => {
  open();
  const faults = await screen.findByRole("table", { name: "Faults" });
  expect(within(faults).getByRole("link", { name: "gpu-a" })).toHaveAttribute(
    "href",
    "/hosts/gpu-a?reclamation=r",
  );
  expect(faults).toHaveTextContent(/Ada.*restored by hand/);
  expect(within(faults).getAllByRole("button", { name: "Acknowledge…" })).toHaveLength(1);
  expect(screen.getByText("3 faults, 2 not acknowledged; 1 not listed")).toBeVisible();
  const past = await screen.findByRole("table", { name: "Past self-audits" });
  expect(past).toHaveTextContent(/3 faults, 2 open.*9,000 transitions.*10 ended before digests were logged/);
});

it("acknowledges one fault, or all of the check that is shown, with a reason", async () => {
  const { calls, user } = open();
  await user.click(await screen.findByRole("button", { name: "Acknowledge…" }));
  await enter(user, screen.getByLabelText(/Reason/), "looked at");
  await user.click(screen.getByRole("button", { name: "Acknowledge fault" }));
  await waitFor(() => expect(calls).toHaveLength(1));
  await user.click(await screen.findByRole("button", { name: "Acknowledge all…" }));
  await enter(user, screen.getByLabelText(/Reason/), "all of them");
  await user.click(screen.getByRole("button", { name: "Acknowledge 2 open faults" }));
  await waitFor(() => expect(calls).toHaveLength(2));
  expect(calls.map(({ input }) => input)).toEqual([
    { check: "c1", keys: ["a"], reason: "looked at" },
    { check: "c1", keys: undefined, reason: "all of them" },
  ]);
});

it("asks for a check, and says when one is in progress already", async () => {
  const { calls, user } = open();
  await user.click(await screen.findByRole("button", { name: "Run self-audit" }));
  expect(await screen.findByText("A self-audit is in progress already")).toBeVisible();
  expect(calls.map(({ path }) => path)).toEqual(["audit.selfCheck"]);
});

it("says how far the one in progress is", async () => {
  open({
    ...standing,
    now: {
      standing: "running",
      askedAt: new Date(),
      askedBy: "Ada",
      startedAt: new Date(),
      stage: "transitions",
      done: 250,
      total: 1_000,
    },
  });
  expect(
    await screen.findByText(/Ada asked for is in progress.*state transitions, 250 of 1,000/),
  ).toBeVisible();
  expect(screen.getByRole("img", { name: "25 %" })).toBeVisible();
  expect(screen.getByRole("button", { name: "Run self-audit" })).toHaveAttribute("aria-disabled", "true");
});

it("lets an auditor read alone", async () => {
  open(standing, "auditor");
  expect(await screen.findByRole("button", { name: "Acknowledge all…" })).toHaveAttribute(
    "aria-disabled",
    "true",
  );
  expect(screen.getByRole("button", { name: "Run self-audit" })).toHaveAttribute("aria-disabled", "true");
});

it("says what will be listed here", async () => {
  open({ last: null, faults: [], overdue: false, now: null });
  expect(await screen.findByText("No self-audit has ended yet")).toBeVisible();
  expect(screen.queryByRole("table", { name: "Faults" })).toBeNull();
});
