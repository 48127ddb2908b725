// @vitest-environment happy-dom
// SKUs: a group of like hosts becomes one, a SKU by hand says what is wrong with it, and a role that may not is told why.
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Suspense } from "react";
import { expect, it } from "vitest";
import { SkuPage } from "@/components/skus/sku-page";
import { SkusPage } from "@/components/skus/skus-page";
import { admin, show, type Answers } from "@/components/testing/rendered";
import { skuComponents } from "@/server/domain/inventory/testing/sku-components";
import type { SkuDetail, SkuList } from "@/server/surfaces/trpc/types";

const at = new Date("2026-11-22T12:00:00Z");
const hostId = "00000000-0000-4000-8000-0000000000a1";
const page: SkuList = {
  skus: [
    { id: "s1", name: "R750", components: skuComponents, priorities: 0, hosts: 3, ready: 2, createdAt: at },
  ],
  clusters: [
    {
      name: "PowerEdge R760",
      components: { ...skuComponents, product: "PowerEdge R760" },
      count: 12,
      hosts: [{ id: hostId, name: "spare-1" }],
    },
  ],
  left: [{ host: { id: "h2", name: "odd-1" }, reason: "its CPUs differ: X, Y" }],
  withoutInventory: 1,
  notRead: 0,
};
const sku: SkuDetail = {
  id: "s1",
  name: "R750",
  components: {
    ...skuComponents,
    baseline: { firmware: [{ component: "BIOS", version: "2.1" }], lockdown: true },
  },
  priorities: { "deploy.erase_disks": 12 },
  revision: "r1",
  createdAt: at,
  hostCount: 1,
  hosts: [{ id: hostId, name: "spare-1", state: "Ready", inMaintenance: false }],
  history: [{ at, byName: "Ada", action: "sku.change", words: ["ticket 7"] }],
};

const open = (element: React.ReactNode, answers: Answers, me = admin) => ({
  ...show(<Suspense>{element}</Suspense>, { answers, me }),
  user: userEvent.setup(),
});

it("a group of like hosts becomes a SKU with a name, a host and a reason", async () => {
  const { user, calls } = open(<SkusPage />, {
    "skus.list": () => page,
    "skus.createFromHost": () => ({ id: "s2", name: "R760" }),
  });
  const groups = await screen.findByRole("table", { name: "Groups of hosts without a SKU" });
  expect(screen.getByText("1 SKU, 14 hosts without one")).toBeVisible();
  expect(screen.getByRole("list", { name: "Hosts of which no SKU can be made" })).toHaveTextContent(
    "odd-1: no SKU can be made, its CPUs differ: X, Y",
  );
  await user.click(within(groups).getByRole("button", { name: "Make SKU…" }));
  const dialog = await screen.findByRole("dialog");
  expect(dialog).toHaveTextContent("12 hosts without a SKU match it");
  const name = within(dialog).getByLabelText("Name");
  await user.clear(name);
  await user.type(name, "R760");
  await user.type(within(dialog).getByLabelText("Reason"), "ticket 7");
  await user.click(within(dialog).getByRole("button", { name: "Make the SKU" }));
  await waitFor(() =>
    expect(calls).toEqual([
      {
        path: "skus.createFromHost",
        input: { name: "R760", hostId, baseline: false, priorities: {}, reason: "ticket 7" },
      },
    ]),
  );
});

it("who may not make SKUs is told why", async () => {
  open(<SkusPage />, { "skus.list": () => page }, { ...admin, role: "operator" });
  expect(await screen.findByRole("button", { name: "New SKU…" })).toHaveAccessibleDescription(
    "Only a provider admin makes and changes SKUs",
  );
});

it("a SKU is changed from what was seen, and says what is wrong with it", async () => {
  const { user, calls } = open(<SkuPage name="R750" />, {
    "skus.get": () => sku,
    "skus.change": () => ({ id: "s1", name: "R750" }),
  });
  expect(await screen.findByRole("table", { name: "Firmware of R750" })).toHaveTextContent("BIOS");
  expect(screen.getByRole("button", { name: "Delete…" })).toHaveAccessibleDescription("1 host with this SKU");
  await user.click(screen.getByRole("button", { name: "Edit…" }));
  const dialog = await screen.findByRole("dialog");
  const components = within(dialog).getByLabelText(/^Components and baseline/);
  await user.clear(components);
  await user.paste("{}");
  await user.tab();
  expect(components).toHaveAccessibleDescription(/manufacturer/);
  await user.clear(components);
  await user.paste(JSON.stringify(skuComponents));
  await user.type(within(dialog).getByLabelText("Reason"), "no baseline");
  await user.click(within(dialog).getByRole("button", { name: "Save changes" }));
  await waitFor(() =>
    expect(calls).toEqual([
      {
        path: "skus.change",
        input: {
          sku: "R750",
          revision: "r1",
          name: "R750",
          components: skuComponents,
          priorities: { "deploy.erase_disks": 12 },
          reason: "no baseline",
        },
      },
    ]),
  );
});
