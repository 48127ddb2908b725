// @vitest-environment happy-dom
// Creating an instance: free hosts, the remaining quota, and what is sent.
import { screen } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { z } from "zod";
import { enter } from "@/components/testing/enter";
import { CreateInstanceDialog } from "@/components/instances/create-dialog";
import { Refusal, show } from "@/components/testing/rendered";
import type { InstanceOffer } from "@/server/surfaces/trpc/types";

const site = { siteId: "00000000-0000-4000-8000-00000000000a", site: "a" };
const contents = {
  manufacturer: "Dell Inc.",
  product: "PowerEdge XE9680",
  cpus: { count: 2, model: "Xeon 8480" },
  memoryBytes: "2199023255552",
  storage: [{ media: "nvme" as const, count: 8, capacityBytes: "3840000000000" }],
};
const offer: InstanceOffer = {
  held: 2,
  quota: 3,
  targeted: false,
  allocated: true,
  stopped: null,
  kinds: [
    { ...site, skuId: "00000000-0000-4000-8000-00000000000b", sku: "CPU-2", free: 0, contents: null },
    { ...site, skuId: "00000000-0000-4000-8000-00000000000c", sku: "HGX-8", free: 4, contents },
  ],
};
const made = { id: "i", hostId: "h" };
const button = () => screen.getByRole("button", { name: "Create instance" });

function open(of: InstanceOffer | (() => InstanceOffer), create: (input: unknown) => unknown = () => made) {
  const closed = vi.fn();
  const shown = show(<CreateInstanceDialog onClose={closed} />, {
    answers: {
      "instances.offer": typeof of === "function" ? of : () => of,
      "instances.create": create,
    },
  });
  return { ...shown, closed, user: userEvent.setup() };
}

it("offers the SKU with the most free machines, and sends name, labels and network", async () => {
  const { calls, closed, user } = open(offer);
  await screen.findByLabelText("Name");
  expect(screen.getByRole("dialog")).toHaveTextContent("You hold 2 of 3 instances.");
  expect(screen.getByLabelText("SKU")).toHaveDisplayValue("HGX-8, site a: 4 free");
  expect(button()).toHaveAccessibleDescription("Enter a name");
  await enter(user, screen.getByLabelText("Name"), "train-9");
  await user.type(screen.getByLabelText(/^Labels/), "team = vision{enter}stage=prod");
  await user.type(screen.getByLabelText(/^Network/), "blue");
  expect(button()).toHaveAccessibleDescription("Network: enter an id (UUID)");
  await user.clear(screen.getByLabelText(/^Network/));
  await user.click(button());
  await vi.waitFor(() => expect(closed).toHaveBeenCalled());
  expect(calls).toEqual([
    {
      path: "instances.create",
      input: {
        name: "train-9",
        labels: { team: "vision", stage: "prod" },
        wanted: { siteId: site.siteId, skuId: "00000000-0000-4000-8000-00000000000c" },
      },
    },
  ]);
});

async function count(user: UserEvent, text: string): Promise<void> {
  await user.clear(screen.getByLabelText("How many"));
  await enter(user, screen.getByLabelText("How many"), text);
}

it("says what a machine of the SKU is made of, and creates several, each with a number", async () => {
  const { calls, user } = open({ ...offer, quota: 9 });
  await enter(user, await screen.findByLabelText("Name"), "train");
  expect(screen.getByRole("dialog")).toHaveTextContent(
    /Dell Inc\. PowerEdge XE9680: 2 × Xeon 8480, .* of memory, drives: 8 × NVMe 3\.84 TB/,
  );
  await count(user, "5");
  expect(screen.getByRole("button", { name: "Create 5 instances" })).toHaveAccessibleDescription(
    "Only 4 machines of HGX-8 are free",
  );
  await count(user, "2");
  await user.click(screen.getByRole("button", { name: "Create 2 instances" }));
  await vi.waitFor(() => expect(calls.length).toBe(2));
  expect(calls.map(({ input }) => input)).toMatchObject([{ name: "train-1" }, { name: "train-2" }]);
});

it("says how many were created when one is refused", async () => {
  let made = 0;
  const { calls, closed, user } = open({ ...offer, quota: 9 }, () => {
    made += 1;
    if (made === 2) throw new Refusal("No machine is free.");
    return { id: "i", hostId: "h" };
  });
  await enter(user, await screen.findByLabelText("Name"), "train");
  await count(user, "3");
  await user.click(screen.getByRole("button", { name: "Create 3 instances" }));
  expect(await screen.findByText(/train-1 was created\. train-2: No machine is free/)).toBeVisible();
  expect([made, closed.mock.calls.length]).toEqual([2, 0]);
  await user.click(screen.getByRole("button", { name: "Create 3 instances" }));
  await vi.waitFor(() => expect(closed).toHaveBeenCalled());
  expect(calls.map(({ input }) => input)).toMatchObject(
    ["train-1", "train-2", "train-2", "train-3"].map((name) => ({ name })),
  );
});

/** What the server offers when so many of the last SKU were created since. */
const after = (created: number, quota: number): InstanceOffer => ({
  ...offer,
  held: offer.held + created,
  quota,
  kinds: offer.kinds.map((kind) => (kind.free === 0 ? kind : { ...kind, free: kind.free - created })),
});

it.each<[string, number]>([
  ["the quota", 5],
  ["what is free", 99],
])("counts what was created once against %s when it is sent again", async (_of, quota) => {
  const there = new Set<string>();
  let refusals = 0;
  const wanted = quota === 5 ? 3 : 4;
  const { closed, user } = open(
    () => after(there.size, quota),
    (input) => {
      const { name } = z.object({ name: z.string() }).parse(input);
      if (there.size === 2 && refusals === 0) {
        refusals += 1;
        throw new Refusal("The site is busy.");
      }
      there.add(name);
      return made;
    },
  );
  await enter(user, await screen.findByLabelText("Name"), "train");
  await count(user, String(wanted));
  const send = () => screen.getByRole("button", { name: `Create ${wanted} instances` });
  await user.click(send());
  expect(await screen.findByText(/train-3: The site is busy/)).toBeVisible();
  await screen.findByText(quota === 5 ? /You hold 4 of 5/ : /You hold 4 of 99/);
  await user.click(send());
  await vi.waitFor(() => expect(closed).toHaveBeenCalled());
  expect(there.size).toBe(wanted);
});

it("may be sent again where the last one that the quota allows was not answered", async () => {
  const there = new Set<string>();
  const { closed, user } = open(
    () => after(there.size, 4),
    (input) => {
      const { name } = z.object({ name: z.string() }).parse(input);
      if (there.has(name)) throw new Refusal("It exists.", "name", "conflict");
      there.add(name);
      if (there.size === 2) throw new TypeError("Failed to fetch");
      return made;
    },
  );
  await enter(user, await screen.findByLabelText("Name"), "train");
  await count(user, "2");
  await user.click(screen.getByRole("button", { name: "Create 2 instances" }));
  await screen.findByText(/You hold 4 of 4/);
  await user.click(screen.getByRole("button", { name: "Create 2 instances" }));
  await vi.waitFor(() => expect(closed).toHaveBeenCalled());
  expect(there.size).toBe(2);
});

it("passes names that are taken, and does not create twice what was not answered", async () => {
  const there = new Set(["train-1"]);
  let lost = false;
  const { calls, closed, user } = open({ ...offer, quota: 9 }, (input) => {
    const { name } = z.object({ name: z.string() }).parse(input);
    if (there.has(name)) throw new Refusal("It exists.", "name", "conflict");
    there.add(name);
    if (name === "train-2" && !lost) {
      lost = true;
      throw new TypeError("Failed to fetch");
    }
    return { id: "i", hostId: "h" };
  });
  await enter(user, await screen.findByLabelText("Name"), "train");
  await count(user, "2");
  await user.click(screen.getByRole("button", { name: "Create 2 instances" }));
  expect(await screen.findByText(/did not answer for train-2, which may have been created/)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Create 2 instances" }));
  await vi.waitFor(() => expect(closed).toHaveBeenCalled());
  expect(calls.length).toBe(4);
  expect([...there]).toEqual(["train-1", "train-2", "train-3"]);
});

it("says that nothing is offered where there is no kind of machine", async () => {
  open({ ...offer, kinds: [] });
  await screen.findByLabelText("Name");
  expect(button()).toHaveAccessibleDescription("The provider offers no machines yet");
});

it("says what would be refused: a SKU of which none is free, a quota that is used up, labels that are none", async () => {
  const { user } = open(offer);
  await enter(user, await screen.findByLabelText("Name"), "train-9");
  await enter(user, screen.getByLabelText(/^Labels/), "nonsense");
  expect(button()).toHaveAccessibleDescription("Labels: One per line: a name, = and a value; each name once");
  await user.clear(screen.getByLabelText(/^Labels/));
  await user.selectOptions(screen.getByLabelText("SKU"), "CPU-2, site a: none free");
  expect(button()).toHaveAccessibleDescription("No machine of CPU-2 is free. Choose another SKU");
});

it("is off where the quota is used up", async () => {
  open({ ...offer, held: 3 });
  await screen.findByLabelText("Name");
  expect(button()).toHaveAccessibleDescription(/^Your quota of 3 instances is used up/);
});

it("shows the conflict where another was first, and stays open", async () => {
  const { closed, user } = open(offer, () => {
    throw new Refusal("No host of this kind can be allocated now.");
  });
  await enter(user, await screen.findByLabelText("Name"), "train-9");
  await user.click(button());
  expect(await screen.findByText(/No host of this kind can be allocated now/)).toBeVisible();
  expect(closed).not.toHaveBeenCalled();
});

it("asks a tenant that may name one for an exact machine", async () => {
  const { calls, user } = open({ ...offer, targeted: true });
  await enter(user, await screen.findByLabelText("Name"), "probe");
  await user.selectOptions(screen.getByLabelText("SKU"), "An exact machine");
  expect(button()).toHaveAccessibleDescription("Enter the id of a machine");
  await user.type(screen.getByLabelText("Machine"), site.siteId);
  await user.click(button());
  await vi.waitFor(() => expect(calls[0]?.input).toMatchObject({ wanted: { hostId: site.siteId } }));
});
