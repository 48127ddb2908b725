// @vitest-environment happy-dom
// A decommission in the console: requested with a reason and the host's name, leftovers listed and accepted, and the remaining record.
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { Suspense } from "react";
import { enter } from "@/components/testing/enter";
import { GoneList } from "@/components/hosts/decommission/gone-list";
import { GoneRecord } from "@/components/hosts/decommission/gone-record";
import { LeavingSection } from "@/components/hosts/decommission/leaving-section";
import { HostActs } from "@/components/hosts/one/host-acts";
import { action, failedHost } from "@/components/testing/host";
import { show } from "@/components/testing/rendered";
import { hostActions } from "@/server/domain/hosts/host-actions";
import type { GoneDetail, HostDetail, LeftoverLine } from "@/server/surfaces/trpc/types";

const at = new Date("2026-11-22T08:00:00Z");
const line = (what: string, outcome: LeftoverLine["outcome"], message: string | null): LeftoverLine => ({
  key: `account: ${what}`,
  kind: "account",
  what,
  outcome,
  message,
  accepted: null,
});
const leftovers = [
  line("account tenant", "refused", "removed, but still there"),
  line("account monitor", "removed", null),
];
const leaving: HostDetail["leaving"] = {
  byName: "Olga",
  reason: "return 4711",
  at,
  keepAccount: false,
  leftovers,
};
const actOn = (intent: "acceptLeftovers" | "decommission") => {
  const host: HostDetail = { ...failedHost, leaving, actions: [action(intent)] };
  return {
    ...show(<HostActs host={host} onDone={() => undefined} />, {
      answers: { [`host.${intent}`]: () => ({ accepted: true }) },
    }),
    user: userEvent.setup(),
  };
};
const seen = { hostId: failedHost.id, stateVersion: "7" };

it("is asked with a reason and the host's name, and says what will happen", async () => {
  const { user, calls } = actOn("decommission");
  await user.click(screen.getByRole("button", { name: "More actions" }));
  await user.click(await screen.findByRole("menuitem", { name: /^Decommission/ }));
  const dialog = await screen.findByRole("dialog");
  expect(dialog).toHaveTextContent(hostActions.decommission.consequence);
  await enter(user, within(dialog).getByLabelText("Reason"), "return 4711");
  await user.click(within(dialog).getByRole("checkbox"));
  const confirm = within(dialog).getByRole("button", { name: "Decommission" });
  expect(confirm).toHaveAccessibleDescription("Type r1-h01 to confirm");
  await enter(user, within(dialog).getByLabelText("Type r1-h01 to confirm"), "r1-h01");
  await user.click(confirm);
  await waitFor(() =>
    expect(calls).toEqual([
      { path: "host.decommission", input: { ...seen, reason: "return 4711", keepAccount: true } },
    ]),
  );
});

it("accepts exactly the leftovers that stand, with a reason", async () => {
  const { user, calls } = actOn("acceptLeftovers");
  await user.click(screen.getByRole("button", { name: /^Accept leftovers/ }));
  const dialog = await screen.findByRole("dialog");
  expect(
    within(dialog)
      .getAllByRole("listitem")
      .map((item) => item.textContent),
  ).toEqual(["account tenant: removed, but still there"]);
  await enter(user, within(dialog).getByLabelText("Reason"), "reset by the vendor");
  await user.click(within(dialog).getByRole("button", { name: "Accept leftovers" }));
  await waitFor(() =>
    expect(calls).toEqual([
      {
        path: "host.acceptLeftovers",
        input: { ...seen, reason: "reset by the vendor", keys: ["account: account tenant"] },
      },
    ]),
  );
});

it("the page of the host lists them with the BMC's answer, and says that the machine was here before", () => {
  show(
    <LeavingSection
      leaving={leaving}
      earlier={[{ id: "g1", name: "old-name", how: "decommissioned", goneAt: at }]}
    />,
    { answers: {} },
  );
  const table = screen.getByRole("table", { name: "Leftovers" });
  expect(within(table).getByText("removed, but still there")).toBeVisible();
  expect(screen.getByRole("link", { name: "old-name" })).toHaveAttribute("href", "/gone/g1");
});

const gone: GoneDetail = {
  id: "00000000-0000-4000-8000-0000000000b1",
  hostId: failedHost.id,
  name: "r1-h01",
  serial: "7LK2QX3",
  manufacturer: "Dell Inc.",
  model: "PowerEdge R750",
  site: "a",
  rack: "A01",
  slot: "4",
  how: "decommissioned",
  reason: "return 4711",
  byName: "Olga",
  goneAt: at,
  systemUuid: null,
  hardwareType: "idrac",
  sku: "HGX-8",
  bmcAddress: null,
  macs: [],
  enrolledAt: at,
  leftovers,
  reclamations: [],
  reclamationId: null,
  debts: 0,
  returnedAs: "back-again",
};
const { id, hostId, name, serial, manufacturer, model, site, rack, slot, how, byName, goneAt } = gone;
const row = { id, hostId, name, serial, manufacturer, model, site, rack, slot, how, byName, goneAt };

it("the record says how the host left, why, and that it came back", async () => {
  show(
    <Suspense>
      <GoneRecord id={gone.id} reclamationId={undefined} />
    </Suspense>,
    {
      answers: {
        "hosts.goneOne": () => gone,
        "host.reclamation": () => null,
        "host.gates": () => [],
        "host.history": () => ({ reclamations: [], states: [], nextBefore: null }),
      },
    },
  );
  expect(await screen.findByText("Decommissioned: its certificate says what is proven")).toBeVisible();
  expect(screen.getByText("return 4711")).toBeVisible();
  expect(screen.getByRole("link", { name: "back-again" })).toHaveAttribute("href", "/hosts/back-again");
});

it("the list leads to each record, and says what will appear where there is none", async () => {
  const { unmount } = show(
    <Suspense>
      <GoneList />
    </Suspense>,
    {
      answers: {
        "hosts.gone": () => ({ rows: [{ ...row, reason: "return 4711" }], total: 1, nextCursor: null }),
      },
    },
  );
  expect(await screen.findByRole("link", { name: "r1-h01" })).toHaveAttribute("href", `/gone/${gone.id}`);
  unmount();
  show(
    <Suspense>
      <GoneList />
    </Suspense>,
    { answers: { "hosts.gone": () => ({ rows: [], total: 0, nextCursor: null }) } },
  );
  expect(await screen.findByText("No host has left the fleet")).toBeVisible();
});
