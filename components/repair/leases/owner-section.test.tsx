// @vitest-environment happy-dom
// Who has the host: the lease, the hand-over dialog with its consequences, and breaking the lease.
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { enter } from "@/components/testing/enter";
import { OwnerSection } from "@/components/repair/leases/owner-section";
import { failedHost } from "@/components/testing/host";
import { show } from "@/components/testing/rendered";
import type { HostLease, HostOwner } from "@/server/surfaces/trpc/types";

const lease: HostLease = {
  id: "00000000-0000-4000-8000-00000000001e",
  system: "fixit",
  state: "overdue",
  takenAt: new Date("2026-11-20T10:00:00Z"),
  takenBy: "repair system fixit",
  until: new Date("2026-11-21T10:00:00Z"),
  reason: "fans fail",
  ticket: "RMA-1",
  note: "waiting for the part",
  notedAt: new Date("2026-11-20T11:00:00Z"),
  endedAt: null,
  endedBy: null,
  how: null,
  endedReason: null,
};
const ours: HostOwner = {
  owner: "reclaim",
  words: "Reclaim has the host.",
  lease: null,
  earlier: [],
  systems: ["fixit"],
  refusal: null,
  mayHoldData: true,
  mayGive: true,
  mayBreak: true,
};
const leased: HostOwner = {
  ...ours,
  owner: "repair-system",
  words: "The repair system fixit has the host.",
  lease,
  refusal: "The repair system fixit has the host.",
};

function open(owner: HostOwner) {
  const shown = show(<OwnerSection host={failedHost} />, {
    answers: {
      "leases.get": () => owner,
      "leases.give": () => ({ id: lease.id }),
      "leases.break": () => ({ accepted: true }),
    },
  });
  return { ...shown, user: userEvent.setup() };
}
const sent = (calls: readonly { path: string }[]) => calls.filter(({ path }) => path !== "leases.get");

it("a host is handed over only by who says that its drives may hold data", async () => {
  const { user, calls } = open(ours);
  await user.click(await screen.findByRole("button", { name: "Hand over…" }));
  const dialog = screen.getByRole("dialog");
  expect(dialog).toHaveTextContent(/Reclaim sends it nothing.*checked again/);
  await enter(user, within(dialog).getByLabelText(/^Reason/), "fans fail");
  await user.click(within(dialog).getByRole("button", { name: "Hand the host over" }));
  expect(sent(calls)).toEqual([]);
  await user.click(within(dialog).getByRole("checkbox"));
  await user.click(within(dialog).getByRole("button", { name: "Hand the host over" }));
  await screen.findByText("r1-h01 handed over to fixit");
  expect(sent(calls)).toEqual([
    {
      path: "leases.give",
      input: {
        hostId: failedHost.id,
        system: "fixit",
        reason: "fans fail",
        mayHoldData: true,
        until: expect.any(Date),
      },
    },
  ]);
});

it("why it cannot be handed over now is said at the button", async () => {
  open({ ...ours, refusal: "An instance is on the host." });
  expect(await screen.findByRole("button", { name: "Hand over…" })).toHaveAccessibleDescription(
    "An instance is on the host.",
  );
});

it("a lease says who, why and since when, and is broken by typing the host's name with a reason", async () => {
  const { user, calls } = open(leased);
  await screen.findByText("overdue since");
  for (const words of ["fans fail", "RMA-1", lease.id]) expect(screen.getByText(words)).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Break the lease…" }));
  const dialog = screen.getByRole("dialog");
  expect(dialog).toHaveTextContent(/may still be working on the machine/);
  await enter(user, within(dialog).getByLabelText(/^Reason/), "out of business");
  await enter(user, within(dialog).getByLabelText(/r1-h01/), "r1-h01");
  await user.click(within(dialog).getByRole("button", { name: "Break the lease" }));
  await screen.findByText("Lease of fixit on r1-h01 broken");
  expect(sent(calls)).toEqual([
    {
      path: "leases.break",
      input: { hostId: failedHost.id, leaseId: lease.id, reason: "out of business" },
    },
  ]);
});

it("who may neither give nor break sees only who has it", async () => {
  open({ ...leased, mayGive: false, mayBreak: false });
  await screen.findByText("The repair system fixit has the host.");
  expect(screen.queryByRole("button")).toBeNull();
});
