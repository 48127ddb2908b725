// @vitest-environment happy-dom
// Ticket pages: what each kind of reader is offered, and what is sent.
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Suspense } from "react";
import { describe, expect, it } from "vitest";
import { enter } from "@/components/testing/enter";
import { Refusal, show } from "@/components/testing/rendered";
import type { TicketDetail } from "@/server/surfaces/trpc/types";
import { TicketPage } from "@/components/break-fix/tickets/ticket-page";

const at = new Date("2026-11-22T08:00:00Z");
const ticket: TicketDetail = {
  id: "t1",
  ref: "BF-7K3Q9DX2M1",
  hostId: "00000000-0000-4000-8000-000000000009",
  host: "gpu-a-0417",
  serial: "SN-1",
  rack: "R12",
  site: "berlin-1",
  tenant: "Acme",
  tenantOrg: "acme",
  instanceId: "i1",
  instance: "train-1",
  handedOverAt: at,
  origin: "tenant",
  category: "gpu",
  categoryWords: "GPU",
  summary: "GPU 3 fell off the bus",
  action: "none",
  actionWords: "nothing yet",
  state: "open",
  stateWords: "open",
  tone: "attention",
  outcome: null,
  outcomeWords: null,
  externalRef: null,
  replacementWanted: false,
  replacementHostId: null,
  replacementInstanceId: null,
  openedBy: "Tom",
  openedAt: at,
  updatedAt: at,
  closedAt: null,
  details: "Xid 79",
  parts: [{ kind: "gpu", serial: "165", firmware: "96.00", slot: "" }],
  updates: [
    {
      id: "u1",
      at,
      author: "tenant",
      by: "Tom",
      audience: "shared",
      note: "since Monday",
      changes: ["state: open"],
    },
  ],
  mayWriteAs: "provider",
};

const sent: unknown[] = [];
function open(over: Partial<TicketDetail> = {}) {
  sent.length = 0;
  show(
    <Suspense>
      <TicketPage ticket={ticket.ref} />
    </Suspense>,
    {
      answers: {
        "tickets.get": () => ({ ...ticket, ...over }),
        "tickets.update": (input) => {
          sent.push(input);
          return { id: "t1", ref: ticket.ref };
        },
        "tickets.close": () => {
          throw new Refusal("The provider is already working on it. Write an update instead.");
        },
      },
    },
  );
  return userEvent.setup();
}

describe("a ticket", () => {
  it("shows what is known, and sends only what was changed", async () => {
    const user = open();
    const updates = await screen.findByRole("table", { name: "Updates" });
    expect(updates).toHaveTextContent("since Monday");
    expect(screen.getByText("GPU 3 fell off the bus")).toBeVisible();
    expect(screen.getByText("165, 96.00")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Update ticket…" }));
    const dialog = await screen.findByRole("dialog");
    await enter(user, within(dialog).getByLabelText(/Note/), "on its way");
    await user.selectOptions(within(dialog).getByLabelText(/Visible to/), "shared");
    await user.selectOptions(within(dialog).getByLabelText(/State/), "waiting");
    await user.click(within(dialog).getByRole("button", { name: "Update ticket" }));
    await expect
      .poll(() => sent)
      .toEqual([{ ticket: ticket.ref, note: "on its way", audience: "shared", state: "waiting" }]);
  });

  it("offers a tenant its own words and its withdrawal, and says why that is refused", async () => {
    const user = open({ mayWriteAs: "tenant", host: null, serial: null, rack: null });
    await user.click(await screen.findByRole("button", { name: "Update ticket…" }));
    const dialog = await screen.findByRole("dialog");
    expect(within(dialog).queryByLabelText(/State/)).toBeNull();
    await user.click(within(dialog).getByLabelText(/Replacement wanted/));
    await user.click(within(dialog).getByRole("button", { name: "Update ticket" }));
    await expect.poll(() => sent).toEqual([{ ticket: ticket.ref, note: "", replacementWanted: true }]);
    await user.click(await screen.findByRole("button", { name: "Withdraw ticket…" }));
    await user.click(await screen.findByRole("button", { name: "Withdraw ticket" }));
    expect(await screen.findByText(/is already working on it/)).toBeVisible();
  });

  it("offers nothing to who may not write, and no change of a closed one to a tenant", async () => {
    open({ mayWriteAs: null });
    expect(await screen.findByText("GPU 3 fell off the bus")).toBeVisible();
    expect(screen.queryByRole("button", { name: /ticket…/ })).toBeNull();
  });
});
