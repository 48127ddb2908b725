// A SKU made from a host, and which SKU a host gets automatically.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mediaKinds } from "@/server/domain/hosts/inventory/inventory";
import type {
  HardwareInventory,
  StorageDevice,
  UnnamedDevice,
} from "@/server/domain/hosts/inventory/inventory";
import { skuComponents, skuDifference } from "@/server/domain/hosts/inventory/sku";
import { matchSku } from "@/server/domain/hosts/inventory/sku-match";
import { clusterHosts, proposeName, proposeSku } from "@/server/domain/hosts/inventory/sku-proposal";

const word = fc.constantFrom("A", "B", "Xeon 6430", "");
const bytes = fc.constantFrom("0", "100", "480103981056");
const media = fc.constantFrom(...mediaKinds);
const device: fc.Arbitrary<StorageDevice> = fc.record({
  serial: fc.uuid(),
  model: fc.constantFrom("M", "N"),
  media,
  transport: fc.constantFrom("nvme", "sata"),
  capacityBytes: bytes,
  removable: fc.boolean(),
});
const unnamed: fc.Arbitrary<UnnamedDevice> = fc.record({
  place: fc.uuid(),
  serial: fc.constant(""),
  model: word,
  media,
  transport: fc.constantFrom("nvme", "sata"),
  capacityBytes: bytes,
  removable: fc.boolean(),
});
const inventory: fc.Arbitrary<HardwareInventory> = fc.record({
  system: fc.record({ manufacturer: word, product: word, serial: fc.uuid(), uuid: fc.uuid() }),
  cpus: fc.array(fc.record({ model: fc.constantFrom("X", "Y"), cores: fc.integer({ min: 1, max: 64 }) }), {
    maxLength: 2,
  }),
  memoryBytes: bytes,
  storage: fc.array(device, { maxLength: 6 }),
  unnamed: fc.array(unnamed, { maxLength: 1 }),
  nics: fc.constant([]),
  infiniband: fc.array(
    fc.record({
      slot: fc.constantFrom("1", "2"),
      model: word,
      guid: word,
      ports: fc.constant(1),
      dpu: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
});

const host: HardwareInventory = {
  system: {
    manufacturer: "Dell Inc.",
    product: "R760",
    serial: "S",
    uuid: "4c4c4544-0031-4810-8031-b1c04f443033",
  },
  cpus: [{ model: "X", cores: 32 }],
  memoryBytes: "68719476736",
  storage: ["A", "B"].map((serial) => ({
    serial,
    model: "M",
    media: "nvme" as const,
    transport: "nvme" as const,
    capacityBytes: "100",
    removable: false,
  })),
  nics: [],
  infiniband: [],
};
const proposed = (found: HardwareInventory) => {
  const proposal = proposeSku(found);
  if (!proposal.ok) throw new Error(proposal.reason);
  return proposal.components;
};
const sku = { name: "R760", components: proposed(host) };

describe("a SKU made from a host", () => {
  it("always matches that host, and can be stored", () => {
    fc.assert(
      fc.property(inventory, (found) => {
        const proposal = proposeSku(found);
        if (!proposal.ok) return;
        expect(skuComponents.parse(proposal.components)).toEqual(proposal.components);
        expect(skuDifference(proposal.components, found)).toEqual([]);
      }),
    );
  });

  it("matches another host exactly when both are in one group", () => {
    fc.assert(
      fc.property(inventory, inventory, (one, other) => {
        const [a, b] = [proposeSku(one), proposeSku(other)];
        if (!a.ok || !b.ok) return;
        const { clusters } = clusterHosts([
          { name: "one", proposal: a },
          { name: "other", proposal: b },
        ]);
        expect(skuDifference(a.components, other).length === 0).toBe(clusters.length === 1);
      }),
    );
  });

  it.each<[string, Partial<HardwareInventory>, RegExp]>([
    ["no CPU", { cpus: [] }, /lists no CPU/],
    ["CPUs of two models", { cpus: [...host.cpus, { model: "Y", cores: 1 }] }, /CPUs differ: X, Y/],
    [
      "a drive that cannot be named",
      {
        unnamed: [
          {
            place: "p",
            serial: "",
            model: "",
            media: "ssd",
            transport: "sata",
            capacityBytes: "1",
            removable: false,
          },
        ],
      },
      /1 of its drives reports no serial/,
    ],
  ])("is not made of a host with %s", (_what, changes, reason) => {
    expect(proposeSku({ ...host, ...changes })).toEqual({ ok: false, reason: expect.stringMatching(reason) });
  });

  it("has a name of its own", () => {
    expect(proposeName(sku.components, new Set())).toBe("R760");
    expect(proposeName(sku.components, new Set(["R760", "R760 2"]))).toBe("R760 3");
    expect(proposeName({ ...sku.components, product: " " }, new Set())).toBe("SKU");
  });
});

describe("a host without a SKU", () => {
  it("gets the one that it matches", () => {
    const other = { name: "other", components: { ...sku.components, memoryBytes: "34359738368" } };
    expect(matchSku([other, sku], host)).toEqual({ ok: true, sku });
  });

  it.each<[string, Parameters<typeof matchSku>[0], HardwareInventory, string]>([
    ["there is none of its product", [], host, "no SKU is of Dell Inc. R760"],
    [
      "it differs from each",
      [
        { name: "far", components: { ...sku.components, memoryBytes: "1073741824", infiniband: 4 } },
        { name: "near", components: { ...sku.components, memoryBytes: "34359738368" } },
      ],
      host,
      "no SKU matches; it differs from near: memory bytes: 34359738368 wanted, 68719476736 found",
    ],
    ["several match", [sku, { ...sku, name: "R750" }], host, "several SKUs match: R750, R760"],
    [
      "the one that it matches has no drives",
      [{ name: "diskless", components: { ...sku.components, storage: [] } }],
      { ...host, storage: [] },
      "diskless matches but lists no drives: assign it if the host has none",
    ],
  ])("waits for a person when %s", (_what, skus, found, reason) => {
    expect(matchSku(skus, found)).toEqual({ ok: false, reason });
  });
});

describe("hosts without a SKU", () => {
  it("are grouped by what one SKU would fit, the largest group first", () => {
    const of = (name: string, changes: Partial<HardwareInventory> = {}) => ({
      name,
      proposal: proposeSku({ ...host, ...changes }),
    });
    const { clusters, left } = clusterHosts([
      of("a", { memoryBytes: "34359738368" }),
      of("b"),
      of("c", { storage: [...host.storage].reverse() }),
      of("d", { cpus: [] }),
    ]);
    expect(clusters.map(({ hosts }) => hosts.map(({ name }) => name))).toEqual([["b", "c"], ["a"]]);
    expect(left.map(({ host: { name }, reason }) => [name, reason])).toEqual([
      ["d", "its inventory lists no CPU"],
    ]);
  });
});
