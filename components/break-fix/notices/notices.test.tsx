// @vitest-environment happy-dom
// Notices in the console: a tenant acknowledges one, the provider announces, changes and ends them, and other pages show the relevant ones.
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Suspense } from "react";
import { expect, it } from "vitest";
import { enter } from "@/components/testing/enter";
import { admin, show } from "@/components/testing/rendered";
import { momentText } from "@/components/break-fix/notices/notice-text";
import { typedMoment } from "@/components/ui/form/schemas";
import { CurrentNotices } from "@/components/break-fix/notices/current-notices";
import { TicketsPage } from "@/components/break-fix/tickets/tickets-page";
import { routes } from "@/server/domain/console/routes";
import type { Me, NoticeRow } from "@/server/surfaces/trpc/types";

const at = new Date("2026-11-22T08:00:30Z");
const hostId = "00000000-0000-4000-8000-000000000009";
const notice: NoticeRow = {
  id: "n1",
  ref: "MN-7K3Q9DX2M1",
  kind: "maintenance",
  scope: "rack",
  site: "berlin-1",
  rack: null,
  host: null,
  immediate: false,
  startsAt: at,
  endsAt: null,
  standing: "current",
  standingWords: "now",
  tone: "working",
  message: "Work on the power of a rack",
  note: "",
  endedAt: null,
  createdBy: "the provider",
  createdAt: at,
  updatedAt: at,
  concerned: 1,
  instances: [{ id: "i1", name: "train-1", hostId }],
  acknowledged: [],
  mayAcknowledge: true,
};
const tenantAdmin: Me = { ...admin, role: "tenant-admin", tenant: { name: "Acme", org: "acme" } };
const made = () => ({ id: "n1", ref: notice.ref });
const noTickets = { "tickets.list": () => ({ rows: [], nextCursor: null, total: 0 }) };
const tickets = (
  <Suspense>
    <TicketsPage view={{ q: "", show: "open" }} />
  </Suspense>
);
const dialog = async () => within(await screen.findByRole("dialog"));

it("are acknowledged where they may be", async () => {
  let acknowledged = 0;
  show(tickets, {
    me: tenantAdmin,
    answers: {
      ...noTickets,
      "notices.list": () => [{ ...notice, mayAcknowledge: acknowledged === 0 }],
      "notices.acknowledge": () => {
        acknowledged += 1;
        return made();
      },
    },
  });
  expect(await screen.findByText(/Work on the power of a rack/)).toHaveTextContent("train-1");
  expect(screen.queryByRole("button", { name: "Announce…" })).toBeNull();
  await userEvent.setup().click(screen.getByRole("button", { name: "Acknowledge notice" }));
  await expect.poll(() => screen.queryByRole("button", { name: "Acknowledge notice" })).toBeNull();
  expect(acknowledged).toBe(1);
  expect(screen.queryByRole("button", { name: /^(Change|End) MN-/ })).toBeNull();
});

it("are announced, changed and ended by an operator", async () => {
  const user = userEvent.setup();
  const { calls } = show(tickets, {
    me: { ...admin, role: "operator" },
    answers: {
      ...noTickets,
      "notices.list": () => [{ ...notice, rack: "R12", mayAcknowledge: false }],
      "cleaning.scopes": () => ({ sites: [{ id: "s1", name: "berlin-1" }], skus: [] }),
      "notices.create": made,
      "notices.change": made,
      "notices.end": made,
    },
  });
  await user.click(await screen.findByRole("button", { name: "Announce…" }));
  const announcing = await dialog();
  await user.selectOptions(announcing.getByLabelText("What"), "retirement");
  await user.selectOptions(announcing.getByLabelText("For"), "rack");
  await announcing.findByRole("option", { name: "berlin-1" });
  await user.selectOptions(announcing.getByLabelText("Site"), "berlin-1");
  await user.type(announcing.getByLabelText("Rack"), "R12");
  await enter(user, announcing.getByLabelText("Text for tenants"), "Please release");
  await user.click(announcing.getByRole("button", { name: "Announce notice" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.click(screen.getByRole("button", { name: `Change ${notice.ref}` }));
  const changing = await dialog();
  await user.type(changing.getByLabelText("Text for tenants"), "!");
  await user.click(changing.getByRole("button", { name: "Change notice" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.click(screen.getByRole("button", { name: `End ${notice.ref}` }));
  const ending = await dialog();
  await user.selectOptions(ending.getByLabelText("Why"), "cancelled");
  await user.click(ending.getByRole("button", { name: "End notice" }));
  await waitFor(() =>
    expect(calls).toEqual([
      {
        path: "notices.create",
        input: {
          kind: "retirement",
          target: { site: "berlin-1", rack: "R12" },
          startsAt: null,
          endsAt: null,
          message: "Please release",
          note: "",
        },
      },
      { path: "notices.change", input: { notice: notice.ref, message: `${notice.message}!` } },
      { path: "notices.end", input: { notice: notice.ref, as: "cancelled" } },
    ]),
  );
});

it("stand on a tenant's page where it has such a machine now, and lead to themselves", async () => {
  const past = {
    ...notice,
    id: "n2",
    ref: "MN-0000000000",
    message: "Of one that was given up",
    concerned: 0,
    instances: [],
  };
  show(<CurrentNotices />, { me: tenantAdmin, answers: { "notices.list": () => [past, notice] } });
  expect(await screen.findByRole("link", { name: notice.ref })).toHaveAttribute(
    "href",
    routes.notice(notice.ref),
  );
  expect(screen.getByRole("button", { name: "Acknowledge notice" })).toBeVisible();
  expect(screen.queryByText(/given up/)).toBeNull();
});

it("count the instances where they are many, and say that none has the machine any more", async () => {
  const many = { ...notice, concerned: 9980 };
  const none = {
    ...notice,
    id: "n2",
    ref: "MN-0000000000",
    scope: "host",
    concerned: 0,
    instances: [],
  } as const;
  show(tickets, { me: tenantAdmin, answers: { ...noTickets, "notices.list": () => [many, none] } });
  expect(await screen.findByText(/9,980 instances/)).toBeVisible();
  expect(screen.getByText(/a released machine/)).toBeVisible();
});

it("stand on a host's page, whoever has it", async () => {
  const asked: unknown[] = [];
  show(<CurrentNotices hostId={hostId} />, {
    answers: {
      "notices.list": (input) => {
        asked.push(input);
        return [
          {
            ...notice,
            concerned: 0,
            instances: [],
            host: "gpu-a-0417",
            note: "ask Tom",
            mayAcknowledge: false,
          },
        ];
      },
    },
  });
  expect(await screen.findByText(/gpu-a-0417/)).toHaveTextContent("internal: ask Tom");
  expect(asked).toEqual([{ status: "open", hostId }]);
});

it("a time is typed to the minute, in the zone of who types it", () => {
  expect(typedMoment.parse(momentText(at))).toEqual(new Date("2026-11-22T08:00:00Z"));
  expect(typedMoment.parse(momentText(null))).toBeNull();
  expect(typedMoment.safeParse("tomorrow").success).toBe(false);
});
