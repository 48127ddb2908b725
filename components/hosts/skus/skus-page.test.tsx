// @vitest-environment happy-dom
// SKUs: created from a group of similar hosts, validated when made by hand, and read-only with a reason for roles without the right.
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Suspense } from "react";
import { expect, it } from "vitest";
import { enter } from "@/components/testing/enter";
import { SkuPage } from "@/components/hosts/skus/sku-page";
import { SkusPage } from "@/components/hosts/skus/skus-page";
import { admin, show, type Answers } from "@/components/testing/rendered";
import { skuComponents } from "@/server/domain/hosts/inventory/testing/sku-components";
import type { SkuDetail, SkuList } from "@/server/surfaces/trpc/types";

const at = new Date("2026-11-22T12:00:00Z");
const hostId = "00000000-0000-4000-8000-0000000000a1";
const page: SkuList = {
  unreadable: [],
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
  differing: 0,
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
  expect(screen.getByRole("list", { name: "Hosts that no SKU can be created from" })).toHaveTextContent(
    "odd-1: no SKU can be created, its CPUs differ: X, Y",
  );
  await user.click(within(groups).getByRole("button", { name: "Create SKU…" }));
  const dialog = await screen.findByRole("dialog");
  expect(dialog).toHaveTextContent("12 hosts without a SKU match it");
  const name = within(dialog).getByLabelText("Name");
  await user.clear(name);
  await user.type(name, "R760");
  await enter(user, within(dialog).getByLabelText("Reason"), "ticket 7");
  await user.click(within(dialog).getByRole("button", { name: "Create SKU" }));
  await waitFor(() =>
    expect(calls).toEqual([
      {
        path: "skus.createFromHost",
        input: {
          name: "R760",
          hostId,
          baseline: false,
          bios: [],
          bmc: [],
          priorities: {},
          reason: "ticket 7",
        },
      },
    ]),
  );
});

it("who may not make SKUs is told why", async () => {
  open(<SkusPage />, { "skus.list": () => page }, { ...admin, role: "operator" });
  expect(await screen.findByRole("button", { name: "New SKU…" })).toHaveAccessibleDescription(
    "Only a provider admin can create and change SKUs",
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
  await user.click(within(dialog).getByRole("button", { name: "Edit as JSON" }));
  const components = within(dialog).getByLabelText(/^Components and baseline/);
  await user.clear(components);
  await user.paste("{}");
  await user.tab();
  expect(components).toHaveAccessibleDescription(/manufacturer/);
  await user.clear(components);
  await user.paste(JSON.stringify(skuComponents));
  await enter(user, within(dialog).getByLabelText("Reason"), "no baseline");
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

/** What the host `spare-1` would provide as a baseline. */
const proposal = {
  host: "spare-1",
  name: "R750",
  components: skuComponents,
  refusal: null,
  baseline: { firmware: [{ component: "BIOS", version: "2.1" }] },
  bios: { LogicalProc: "Disabled", ProcCores: 8, ProcVirtualization: "Enabled", ProcX2Apic: "Enabled" },
  biosReadAt: at,
  untrusted: null,
  biosRevision: "b1",
  bmc: { accounts: ["root", "ops"], subscriptions: [], bootEntries: ["NIC 1"], left: [] },
  bmcRevision: "m1",
  left: [],
  matches: [],
};

it("BIOS attributes are found, selected and captured as they were shown; none is selected at first", async () => {
  const { user, calls } = open(<SkuPage name="R750" />, {
    "skus.get": () => ({
      ...sku,
      components: { ...sku.components, baseline: { bios: { LogicalProc: "Enabled" } } },
    }),
    "skus.propose": () => ({ ...proposal, bmc: null }),
    "skus.captureBaseline": () => ({ id: "s1", name: "R750" }),
  });
  await user.click(await screen.findByRole("button", { name: "Capture baseline…" }));
  const dialog = within(await screen.findByRole("dialog"));
  const boxes = await dialog.findAllByRole("checkbox");
  expect(boxes.every((box) => box instanceof HTMLInputElement && !box.checked)).toBe(true);
  expect(within(dialog.getByRole("group", { name: "Proc" })).getAllByRole("checkbox")).toHaveLength(3);
  expect(dialog.getByLabelText(/^LogicalProc/).closest("label")).toHaveTextContent(
    'LogicalProc "Disabled", the SKU has "Enabled"',
  );
  const find = dialog.getByRole("searchbox", { name: "Find BIOS attributes" });
  await user.type(find, "virt");
  expect(dialog.getAllByRole("checkbox")).toHaveLength(1);
  await user.click(dialog.getByRole("button", { name: "Select 1 shown" }));
  await user.clear(find);
  await user.click(dialog.getByLabelText(/^LogicalProc/));
  expect(dialog.getByText(/^2 attributes of 4 selected/)).toBeVisible();
  await enter(user, dialog.getByLabelText("Reason"), "ticket 9");
  await user.click(dialog.getByRole("button", { name: "Capture baseline" }));
  await waitFor(() =>
    expect(calls).toEqual([
      {
        path: "skus.captureBaseline",
        input: {
          sku: "R750",
          revision: "r1",
          hostId,
          bios: ["ProcVirtualization", "LogicalProc"],
          biosRevision: "b1",
          bmc: [],
          bmcRevision: "m1",
          reason: "ticket 9",
        },
      },
    ]),
  );
});

it("says why a host is no reference", async () => {
  const untrusted = "The BMC of spare-1 was read while Acme had the host.";
  const { user } = open(<SkuPage name="R750" />, {
    "skus.get": () => sku,
    "skus.propose": () => ({ ...proposal, untrusted }),
  });
  await user.click(await screen.findByRole("button", { name: "Capture baseline…" }));
  expect(await screen.findByText(untrusted)).toBeVisible();
});

it("parts of the BMC are selected with what they would allow, and none at first", async () => {
  const { user, calls } = open(<SkuPage name="R750" />, {
    "skus.get": () => ({
      ...sku,
      components: { ...sku.components, baseline: { bmc: { accounts: ["root"], subscriptions: [] } } },
    }),
    "skus.propose": () => ({ ...proposal, bios: null, biosReadAt: null, biosRevision: null }),
    "skus.captureBaseline": () => ({ id: "s1", name: "R750" }),
  });
  await user.click(await screen.findByRole("button", { name: "Capture baseline…" }));
  const bmc = within(await screen.findByRole("group", { name: "BMC" }));
  expect(bmc.getAllByRole("checkbox")).toHaveLength(2);
  const accounts = bmc.getByLabelText(/^accounts and event subscriptions/);
  expect(accounts).not.toBeChecked();
  expect(accounts.closest("label")).toHaveTextContent(
    "accounts root, ops; subscriptions none, the SKU has accounts root; subscriptions none",
  );
  await user.click(accounts);
  await enter(user, screen.getByLabelText("Reason"), "ticket 9");
  await user.click(screen.getByRole("button", { name: "Capture baseline" }));
  await waitFor(() => expect(calls).toMatchObject([{ input: { bmc: ["accounts"], bmcRevision: "m1" } }]));
});

it("a host whose BIOS is not known says so, and offers no attributes", async () => {
  const { user } = open(<SkuPage name="R750" />, {
    "skus.get": () => sku,
    "skus.propose": () => ({
      ...proposal,
      bios: null,
      biosReadAt: null,
      biosRevision: null,
      bmc: null,
      bmcRevision: null,
      left: ["BIOS settings: not known"],
    }),
  });
  await user.click(await screen.findByRole("button", { name: "Capture baseline…" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(await dialog.findByText("Not included: BIOS settings: not known")).toBeVisible();
  expect(dialog.queryByRole("checkbox")).toBeNull();
});

it("a SKU that cannot be read is named with what is wrong, and repaired from what is stored", async () => {
  const broken = {
    id: "s9",
    name: "OLD-1",
    faults: ["cpus: is missing"],
    stored: '{"manufacturer":"Dell Inc."}',
    priorities: { "deploy.erase_disks": 12 },
    hosts: 2,
    revision: "r9",
  };
  const { user, calls } = open(<SkusPage />, {
    "skus.list": () => ({ ...page, unreadable: [broken] }),
    "skus.change": () => ({ id: "s9", name: "OLD-1" }),
  });
  const table = await screen.findByRole("table", { name: "Unreadable SKUs" });
  expect(table).toHaveTextContent("cpus: is missing");
  expect(within(table).getByRole("button", { name: "Delete OLD-1" })).toHaveAccessibleDescription(
    "2 hosts with this SKU",
  );
  await user.click(within(table).getByRole("button", { name: "Repair OLD-1" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.click(dialog.getByRole("button", { name: "Edit as JSON" }));
  const components = dialog.getByLabelText(/^Components and baseline/);
  expect(components).toHaveValue(broken.stored);
  await user.clear(components);
  await user.paste(JSON.stringify(skuComponents));
  await enter(user, dialog.getByLabelText("Reason"), "repaired");
  await user.click(dialog.getByRole("button", { name: "Save changes" }));
  await waitFor(() =>
    expect(calls).toMatchObject([
      { path: "skus.change", input: { sku: "OLD-1", revision: "r9", priorities: broken.priorities } },
    ]),
  );
});

it("a SKU is made with fields: sizes with a unit, a row for each class of drives", async () => {
  const { user, calls } = open(<SkusPage />, {
    "skus.list": () => page,
    "skus.create": () => ({ id: "s2", name: "R760" }),
  });
  await user.click(await screen.findByRole("button", { name: "New SKU…" }));
  const dialog = within(await screen.findByRole("dialog"));
  const type = async (label: RegExp | string, text: string, at = dialog) => {
    await user.clear(at.getByLabelText(label));
    await user.type(at.getByLabelText(label), text);
  };
  await type("Name", "R760");
  await type("Product", "PowerEdge R760");
  await type("CPU model", "Xeon");
  await type(/^Memory/, "2 TiB");
  await type("CPUs", "two");
  await user.tab();
  expect(dialog.getByLabelText("CPUs")).toHaveAccessibleDescription(/number/);
  await type("CPUs", "2");
  await user.click(dialog.getByRole("button", { name: "Add drives" }));
  const second = within(dialog.getByRole("group", { name: "Drives 2" }));
  await user.selectOptions(second.getByLabelText("Media"), "ssd");
  await type("Count", "4", second);
  await type(/^Capacity/, "480103981056", second);
  await user.click(dialog.getByRole("button", { name: "Remove drives 1" }));
  await type("Reason", "ticket 8");
  await user.click(dialog.getByRole("button", { name: "Create SKU" }));
  await waitFor(() =>
    expect(calls).toMatchObject([
      {
        path: "skus.create",
        input: {
          name: "R760",
          components: {
            manufacturer: "Dell Inc.",
            product: "PowerEdge R760",
            cpus: { count: 2, model: "Xeon" },
            memoryBytes: "2199023255552",
            storage: [{ media: "ssd", count: 4, capacityBytes: "480103981056" }],
            infiniband: 0,
          },
        },
      },
    ]),
  );
});
