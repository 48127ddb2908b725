// @vitest-environment happy-dom
// Webhooks: added with a secret that is shown once, tested, resumed, an event skipped, removed, and their deliveries read.
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { enter } from "@/components/testing/enter";
import { admin, show } from "@/components/testing/rendered";
import { WebhooksPage } from "@/components/break-fix/webhooks/webhooks-page";
import { webhookStatus } from "@/components/break-fix/webhooks/webhook-text";
import type { DeliveryRow, WebhookRow } from "@/server/surfaces/trpc/types";

const at = new Date("2026-11-20T11:00:00Z");
const pager: WebhookRow = {
  id: "w1",
  name: "pager",
  tenant: null,
  url: "https://hooks.example.com/reclaim",
  kinds: ["ticket.opened"],
  createdBy: "Ada",
  createdAt: at,
  failingSince: at,
  disabledAt: at,
  disabledReason: "Nothing was taken for three days.",
  waiting: 2,
  next: { id: "d1", kind: "ticket.opened", createdAt: at },
  lastDeliveredAt: null,
  lastAttemptAt: at,
  lastStatus: 500,
  lastError: "It answered 500.",
  tenantDisabled: false,
  mayChange: true,
};
const delivery: DeliveryRow = {
  id: "d1",
  kind: "ticket.opened",
  createdAt: at,
  attempts: 4,
  attemptedAt: at,
  nextAt: at,
  status: 500,
  error: "It answered 500.",
  deliveredAt: null,
};
const done = () => ({ id: "w1" });
const answers = {
  "webhooks.list": () => [pager],
  "webhooks.deliveries": () => [delivery],
  "webhooks.create": () => ({ id: "w2", secret: "whsec_once" }),
  "webhooks.test": () => ({ id: "w1", deliveryId: "d2" }),
  "webhooks.resume": done,
  "webhooks.skip": done,
  "webhooks.remove": done,
};
const dialog = async () => within(await screen.findByRole("dialog"));

it("adds one for some events, whose secret is shown once", async () => {
  const user = userEvent.setup();
  const { calls } = show(<WebhooksPage />, { answers });
  await user.click(await screen.findByRole("button", { name: "Add a webhook…" }));
  const form = await dialog();
  await user.type(form.getByLabelText("Name"), "chat");
  await enter(user, form.getByLabelText("Address"), "ftp://chat.example.com");
  expect(form.getByRole("button", { name: "Add webhook" })).toHaveAttribute("aria-disabled", "true");
  await user.clear(form.getByLabelText("Address"));
  await enter(user, form.getByLabelText("Address"), "https://chat.example.com/x");
  for (const kind of ["capacity.added", "capacity.removed", "security.event"])
    await user.click(form.getByLabelText(kind));
  await user.click(form.getByRole("button", { name: "Add webhook" }));
  expect(await screen.findByText("whsec_once")).toBeVisible();
  expect(calls).toEqual([
    {
      path: "webhooks.create",
      input: {
        name: "chat",
        url: "https://chat.example.com/x",
        kinds: [
          "ticket.opened",
          "ticket.updated",
          "ticket.closed",
          "notice.created",
          "notice.changed",
          "notice.ended",
          "brake.engaged",
          "brake.asks",
          "next.opened",
          "next.closed",
        ],
      },
    },
  ]);
  await user.click(screen.getByRole("button", { name: "Close" }));
  expect(screen.queryByText("whsec_once")).toBeNull();
});

it("says how one stands and what was sent, and acts on it after saying what that means", async () => {
  const user = userEvent.setup();
  const { calls } = show(<WebhooksPage />, { answers });
  expect(await screen.findByRole("table", { name: "Webhooks" })).toHaveTextContent("switched off");
  expect(screen.getByText(/Nothing was taken for three days\./)).toBeVisible();
  await enter(user, screen.getByRole("searchbox", { name: "Filter webhooks" }), "waiting:>1 state:off");
  expect(screen.getByText("1 of 1 webhook match")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Deliveries of pager" }));
  expect(await screen.findByRole("table", { name: "Deliveries of pager" })).toHaveTextContent(
    "It answered 500. After 4 attempts.",
  );
  const act = async (menu: string, consequence: RegExp, confirm: string) => {
    await user.click(screen.getByRole("button", { name: "More acts on pager" }));
    await user.click(await screen.findByRole("menuitem", { name: menu }));
    expect(await screen.findByRole("dialog")).toHaveTextContent(consequence);
    await user.click((await dialog()).getByRole("button", { name: confirm }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  };
  await act("Send a test event…", /after 2 events already queued/, "Send test event");
  await act("Resume…", /in order/, "Resume webhook");
  await act("Skip the next event…", /ticket\.opened of .*never sent/, "Skip event");
  await act("Remove…", /2 events.*not sent/, "Remove webhook");
  expect(calls).toEqual(
    ["test", "resume", "skip", "remove"].map((kind) => ({
      path: `webhooks.${kind}`,
      input: kind === "skip" ? { id: "w1", deliveryId: "d1" } : { id: "w1" },
    })),
  );
});

it("is only read by an auditor, and is a tenant's own without the settings around it", async () => {
  const { unmount } = show(<WebhooksPage />, { answers, me: { ...admin, role: "auditor" } });
  expect(await screen.findByRole("button", { name: "Add a webhook…" })).toHaveAttribute(
    "aria-disabled",
    "true",
  );
  expect(screen.getByRole("heading", { name: "Settings" })).toBeVisible();
  unmount();
  const tenant = { name: "Acme", org: "acme" };
  show(<WebhooksPage />, { answers, me: { ...admin, role: "tenant-admin", tenant } });
  expect(await screen.findByRole("heading", { name: "Webhooks" })).toBeVisible();
  expect(screen.queryByRole("heading", { name: "Settings" })).toBeNull();
  expect(screen.getByRole("button", { name: "Add a webhook…" })).not.toHaveAttribute("aria-disabled", "true");
});

it("one that waits for its tenant says so", () => {
  const stands = { disabledAt: null, failingSince: null, tenantDisabled: false };
  expect(webhookStatus(stands).words).toBe("on");
  expect(webhookStatus({ ...stands, failingSince: at }).words).toBe("failing");
  expect(webhookStatus({ ...stands, failingSince: at, tenantDisabled: true }).words).toBe("tenant disabled");
  expect(webhookStatus({ ...stands, disabledAt: at, tenantDisabled: true }).words).toBe("switched off");
});
