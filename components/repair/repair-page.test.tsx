// @vitest-environment happy-dom
// Repairs as a repair tenant uses the page: claim from the queue, note the outcome, release; and the panel. The provider cannot claim.
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { enter } from "@/components/testing/enter";
import { admin, show } from "@/components/testing/rendered";
import type { Me } from "@/server/surfaces/trpc/types";
import { RepairPage } from "@/components/repair/repair-page";

const issue = { category: "Hardware" as const, summary: "fan 3 stands still", details: "since Monday" };
const place = {
  hostId: "00000000-0000-4000-8000-000000000009",
  host: "h-1",
  site: "a",
  rack: "A01",
  sku: "S",
};
const repaired = { total: 3, recent: 3, offender: true };
const row = {
  ...place,
  state: "ReturnToAllocation/AwaitingRepair",
  tone: "waiting",
  issue,
  since: new Date(0),
  requested: true,
  reported: true,
  repaired,
  claim: { allowed: true, reason: null, short: null, expectedAt: null },
};
const held = {
  ...place,
  instanceId: "00000000-0000-4000-8000-000000000008",
  instance: "repair-h-1",
  status: "Ready",
  tenant: "Fixit",
  claimedAt: new Date(0),
  repairStatus: "InProgress",
  outcome: "none",
  ticket: null,
  note: null,
  issue,
  requested: true,
  reported: true,
  repaired,
  release: { allowed: true, reason: null },
};
const host = {
  ...place,
  state: row.state,
  tone: row.tone,
  stateSince: new Date(0),
  asks: { issue, since: new Date(0), requested: true, reported: true },
  onlineSince: null,
  repairAlerts: [
    {
      id: "RequestRepair",
      target: "repair-requested",
      since: new Date(0),
      classifications: [],
      message: "x",
    },
  ],
  claim: row.claim,
  claimWords: "A repair tenant can claim it now.",
  held: null,
  earlier: [
    {
      id: "l1",
      hostId: place.hostId,
      host: place.host,
      by: "system",
      tenant: null,
      system: "bench",
      claimedAt: new Date(2_000),
      releasedAt: new Date(3_000),
      outcome: null,
      leaseEnd: "returned",
      ticket: "RMA-1",
      note: "part ordered",
      issue: { category: null, summary: "fan 1 fails", details: "" },
      newIssue: null,
    },
    {
      id: "r1",
      hostId: place.hostId,
      host: place.host,
      by: "tenant",
      tenant: null,
      system: null,
      claimedAt: new Date(0),
      releasedAt: new Date(1_000),
      outcome: "completed",
      leaseEnd: null,
      ticket: null,
      note: null,
      issue: null,
      newIssue: null,
    },
  ],
  repaired,
  labels: { asset: "17" },
  alerts: [],
  reclamation: {
    number: "R-7",
    kind: "release",
    startedAt: new Date(0),
    endedAt: null,
    stopped: false,
    gates: [{ gate: "healthy", status: "unsatisfied", reason: null }],
    steps: [
      {
        step: "deploy.erase_nvme",
        status: "succeeded",
        startedAt: null,
        endedAt: null,
        devices: { total: 2, succeeded: 2 },
      },
    ],
  },
  states: [{ state: "Ready", tone: "neutral", at: new Date(0) }],
};
const fixer: Me = {
  ...admin,
  role: "repair-tenant-admin",
  tenant: { org: "fixit", name: "Fixit" },
  pages: ["instances", "repair"],
};

function shown(me: Me, search: string, of: Partial<typeof row> = {}) {
  const create = vi.fn((_: unknown) => ({ id: "i", hostId: place.hostId }));
  const note = vi.fn((_: unknown) => ({ changed: true }));
  const release = vi.fn((_: unknown) => [{ id: held.instanceId, ok: true, message: "" }]);
  show(<RepairPage />, {
    me,
    path: "/repair",
    search,
    answers: {
      "repair.queue": () => ({ rows: [{ ...row, ...of }], nextCursor: null, total: 1, claimable: 1 }),
      "repair.held": () => [held],
      "repair.host": () => host,
      "instances.create": create,
      "repair.setOutcome": note,
      "instances.release": release,
    },
  });
  return { create, note, release };
}

it("claims a host of the queue, by a name for its instance", async () => {
  const user = userEvent.setup();
  const { create } = shown(fixer, "");
  await user.click(await screen.findByRole("button", { name: /Claim… h-1/ }));
  await user.click(screen.getByRole("button", { name: "Claim h-1" }));
  await vi.waitFor(() =>
    expect(create).toHaveBeenCalledWith({
      name: "repair-h-1",
      wanted: { hostId: place.hostId, allowUnhealthy: true },
    }),
  );
});

it("notes an outcome, and releases with what that will do", async () => {
  const user = userEvent.setup();
  const { note, release } = shown(fixer, "tab=held");
  await user.click(await screen.findByRole("button", { name: /Set outcome… h-1/ }));
  await user.selectOptions(screen.getByRole("combobox", { name: /Outcome/ }), "Completed");
  await user.type(screen.getByRole("textbox", { name: /Ticket/ }), "HW-1");
  await user.click(screen.getByRole("button", { name: "Set outcome" }));
  await vi.waitFor(() =>
    expect(note).toHaveBeenCalledWith({
      hostId: place.hostId,
      outcome: "Completed",
      ticket: "HW-1",
      summary: "",
    }),
  );
  await user.click(await screen.findByRole("button", { name: /Release… h-1/ }));
  expect(screen.getByText(/The outcome is not Completed/)).toBeVisible();
  await enter(user, screen.getByLabelText(/Type repair-h-1/), "repair-h-1");
  await user.click(screen.getByRole("button", { name: "Release h-1" }));
  await vi.waitFor(() =>
    expect(release).toHaveBeenCalledWith({ ids: [held.instanceId], repairTenant: true }),
  );
});

it("says before a claim whether a request stands and what will happen, and at its field what is wrong with a name", async () => {
  const user = userEvent.setup();
  const { create } = shown(fixer, "", { requested: false });
  await user.click(await screen.findByRole("button", { name: /Claim… h-1/ }));
  expect(
    screen.getByText(/nobody has requested a repair\. Ask the provider to request it before/),
  ).toBeVisible();
  await enter(user, screen.getByRole("textbox", { name: /Name of the instance/ }), "x".repeat(257));
  await user.tab();
  expect(screen.getByRole("textbox", { name: /Name of the instance/ })).toHaveAccessibleDescription(
    /at most 256 characters/,
  );
  await user.click(screen.getByRole("button", { name: "Claim h-1" }));
  expect(create).not.toHaveBeenCalled();
});

it("says while the outcome is chosen what the release will do with it", async () => {
  const user = userEvent.setup();
  shown(fixer, "tab=held");
  await user.click(await screen.findByRole("button", { name: /Set outcome… h-1/ }));
  expect(screen.getByText(/A repair is requested.* The outcome is not Completed/)).toBeVisible();
  await user.selectOptions(screen.getByRole("combobox", { name: /Outcome/ }), "Completed");
  expect(screen.getByText(/the host is cleaned and continues to Ready/)).toBeVisible();
});

it("shows one host beside the queue, and says what is not recorded", async () => {
  shown(admin, "host=h-1");
  const panel = await screen.findByRole("complementary", { name: "h-1" });
  expect(await within(panel).findByText("since Monday")).toBeVisible();
  expect(within(panel).getByText(/2 of 2 drives/)).toBeVisible();
  expect(screen.queryByRole("button", { name: /Claim…/ })).toBeNull();
  const [, outside, byTenant] = within(panel).getAllByRole("row").slice(-3);
  for (const words of ["fan 1 fails", "Returned", "bench: part ordered; RMA-1"])
    expect(outside).toHaveTextContent(words);
  for (const words of ["not recorded", "Completed", "another tenant"])
    expect(byTenant).toHaveTextContent(words);
});

it("lets a tenant read and record procedures where it may, says so where another tenant has the host, and leads the provider to them", async () => {
  const [, line] = host.earlier;
  const drain = {
    name: "drain",
    version: 3,
    title: "Drain the machine",
  };
  const assurance = {
    host: { id: place.hostId, name: place.host },
    refusal: null,
    standings: [
      {
        procedure: drain,
        reason: "required by the site's policy",
        status: "open",
        words: "nothing recorded",
        recordId: null,
      },
    ],
    others: [],
    records: [],
  };
  const open = (me: Me, of: object) =>
    show(<RepairPage />, {
      me,
      path: "/repair",
      search: `host=${place.host}`,
      answers: {
        "repair.queue": () => ({ rows: [row], nextCursor: null, total: 1, claimable: 1 }),
        "repair.host": () => ({ ...host, ...of }),
        "procedures.ofHost": () => assurance,
      },
    });
  const { unmount } = open(fixer, {
    held: { ...line, id: "r9", tenant: "Fixit", releasedAt: null, outcome: null },
  });
  expect(await screen.findByText("Drain the machine")).toBeVisible();
  expect(screen.getByRole("button", { name: "Record… drain" })).toBeVisible();
  unmount();
  const { unmount: close } = open(fixer, { stateSince: null });
  expect(await screen.findByText(/Whoever may claim the host can read them/)).toBeVisible();
  close();
  open({ ...admin, pages: [...admin.pages, "hosts"] }, {});
  expect(await screen.findByRole("link", { name: /Procedures of h-1/ })).toHaveAttribute(
    "href",
    expect.stringMatching(/h-1.*assurance/),
  );
});
