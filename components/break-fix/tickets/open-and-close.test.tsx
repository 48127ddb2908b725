// @vitest-environment happy-dom
// Tickets are opened for a machine and closed with a replacement; and the page that says why machines left and came back.
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Suspense } from "react";
import { describe, expect, it } from "vitest";
import { enter } from "@/components/testing/enter";
import { admin, Refusal, show } from "@/components/testing/rendered";
import type { CapacityEvent } from "@/server/surfaces/trpc/types";
import { CapacityPage } from "@/components/break-fix/tickets/capacity-page";
import { CloseTicketDialog } from "@/components/break-fix/tickets/ticket-page";
import { OpenTicket } from "@/components/break-fix/tickets/open-ticket";

const tenantAdmin = { ...admin, role: "tenant-admin", tenant: { org: "acme", name: "Acme" } } as const;
const instance = { target: { instanceId: "i1" }, name: "train-1", held: true };

describe("a ticket is opened", () => {
  const opened = { "tickets.open": () => ({ id: "t1", ref: "BF-7K3Q9DX2M1" }) };

  it("by a tenant, without what is the provider's", async () => {
    const user = userEvent.setup();
    const { calls } = show(<OpenTicket {...instance} />, { me: tenantAdmin, answers: opened });
    await user.click(screen.getByRole("button", { name: "Open ticket… train-1" }));
    const dialog = await screen.findByRole("dialog");
    expect(within(dialog).queryByLabelText(/External reference/)).toBeNull();
    expect(within(dialog).queryByLabelText(/Hide it from the tenant/)).toBeNull();
    await user.click(within(dialog).getByRole("button", { name: "Open ticket" }));
    expect(calls).toEqual([]);
    await enter(user, within(dialog).getByLabelText(/What is wrong/), "GPU 3 fell off the bus");
    await user.selectOptions(within(dialog).getByLabelText(/Part/), "gpu");
    await user.click(within(dialog).getByLabelText(/Ask for a replacement/));
    await user.click(within(dialog).getByRole("button", { name: "Open ticket" }));
    expect(await screen.findByText("BF-7K3Q9DX2M1 is open")).toBeVisible();
    expect(calls).toEqual([
      {
        path: "tickets.open",
        input: {
          instanceId: "i1",
          summary: "GPU 3 fell off the bus",
          details: "",
          category: "gpu",
          externalRef: null,
          internal: false,
          replacementWanted: true,
        },
      },
    ]);
  });

  it("by the provider; one that its tenant does not read asks for nothing in its name", async () => {
    const user = userEvent.setup();
    const { calls } = show(<OpenTicket target={{ hostId: "h1" }} name="gpu-1" held />, { answers: opened });
    await user.click(screen.getByRole("button", { name: "Open ticket… gpu-1" }));
    const dialog = await screen.findByRole("dialog");
    await enter(user, within(dialog).getByLabelText(/What is wrong/), "fan 1");
    await enter(user, within(dialog).getByLabelText(/External reference/), "RMA-7");
    await user.click(within(dialog).getByLabelText(/Ask for a replacement/));
    await user.click(within(dialog).getByLabelText(/Hide it from the tenant/));
    await user.click(within(dialog).getByRole("button", { name: "Open ticket" }));
    await expect.poll(() => calls).toHaveLength(1);
    expect(calls[0]?.input).toMatchObject({
      hostId: "h1",
      externalRef: "RMA-7",
      internal: true,
      replacementWanted: false,
    });
  });

  it("with no replacement where nobody has the machine, and by no auditor", () => {
    show(<OpenTicket target={{ hostId: "h1" }} name="gpu-1" held={false} />, {
      me: { ...admin, role: "auditor" },
    });
    expect(screen.queryByRole("button", { name: /Open ticket/ })).toBeNull();
  });
});

describe("a ticket is closed", () => {
  const ticket = { ref: "BF-7K3Q9DX2M1" };

  it("with the host that takes its place, which must be known by its whole name", async () => {
    const user = userEvent.setup();
    const { calls } = show(<CloseTicketDialog ticket={ticket} as="provider" onClose={() => undefined} />, {
      answers: {
        "hosts.find": () => [
          { id: "h2", name: "gpu-22", stateVersion: "1" },
          { id: "h1", name: "gpu-2", stateVersion: "1" },
        ],
        "tickets.close": () => {
          throw new Refusal("The ticket is already closed.");
        },
      },
    });
    const close = screen.getByRole("button", { name: "Close ticket" });
    expect(screen.queryByLabelText(/Replacement host/)).toBeNull();
    await user.selectOptions(screen.getByLabelText(/Outcome/), "replaced");
    await user.click(close);
    await user.type(screen.getByLabelText(/Replacement host/), "gpu");
    // Shown at the field, and as the reason why the button is disabled.
    expect((await screen.findAllByText("There is no host gpu"))[0]).toBeVisible();
    await user.click(close);
    expect(calls).toEqual([]);
    await user.type(screen.getByLabelText(/Replacement host/), "-2");
    await expect.poll(() => screen.queryAllByText(/There is no host/)).toEqual([]);
    await user.click(close);
    expect(await screen.findByText(/already closed/)).toBeVisible();
    expect(calls.map(({ input }) => input)).toEqual([
      { ticket: ticket.ref, outcome: "replaced", note: "", replacementHostId: "h1" },
    ]);
  });

  it("in another way without one, also where one was named first", async () => {
    const user = userEvent.setup();
    const { calls } = show(<CloseTicketDialog ticket={ticket} as="provider" onClose={() => undefined} />, {
      answers: {
        "hosts.find": () => [{ id: "h1", name: "gpu-2", stateVersion: "1" }],
        "tickets.close": () => ({ id: "t1", ref: ticket.ref }),
      },
    });
    await user.selectOptions(screen.getByLabelText(/Outcome/), "replaced");
    await enter(user, screen.getByLabelText(/Replacement host/), "gpu-2");
    await user.selectOptions(screen.getByLabelText(/Outcome/), "noFault");
    await user.click(screen.getByRole("button", { name: "Close ticket" }));
    await expect
      .poll(() => calls.map(({ input }) => input))
      .toEqual([{ ticket: ticket.ref, outcome: "noFault", note: "" }]);
  });
});

describe("capacity", () => {
  const event: CapacityEvent = {
    id: "e1",
    at: new Date("2026-11-22T08:00:00Z"),
    direction: "removed",
    reason: "repair",
    reasonWords: "to be repaired",
    hostId: "00000000-0000-4000-8000-000000000009",
    host: null,
    site: "berlin-1",
    tenant: "Acme",
    instanceId: "i1",
    instance: "train-1",
    ticket: "BF-7K3Q9DX2M1",
    notice: null,
    planned: true,
  };
  const shown = (me: typeof admin | typeof tenantAdmin, events: readonly CapacityEvent[]) =>
    show(
      <Suspense>
        <CapacityPage />
      </Suspense>,
      { me, answers: { "capacity.events": () => events } },
    );

  it("says why, and names the instance to its tenant", async () => {
    shown(tenantAdmin, [event, { ...event, id: "e2", instance: null, ticket: null }]);
    await screen.findByRole("rowheader", { name: "train-1" });
    const table = screen.getByRole("table", { name: "Capacity" });
    const [first, second] = within(table).getAllByRole("row").slice(1);
    expect(first).toHaveTextContent(/train-1.*removed.*to be repaired, as announced.*BF-7K3Q9DX2M1/);
    expect(second).toHaveTextContent(event.hostId);
    expect(within(table).queryByRole("columnheader", { name: "Owner" })).toBeNull();
  });

  it("names the host and whose it is to the provider", async () => {
    shown(admin, [{ ...event, direction: "added", host: "gpu-1", tenant: null, planned: false }]);
    await screen.findByRole("rowheader", { name: "gpu-1" });
    const table = screen.getByRole("table", { name: "Capacity" });
    expect(within(table).getAllByRole("row")[1]).toHaveTextContent(
      /gpu-1.*added.*to be repaired.*the provider/,
    );
  });
});
