// The differences between a SKU and a host, as text.
import { describe, expect, it } from "vitest";
import type { HardwareInventory, StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import { hardwareInventory, storageDevice } from "@/server/domain/hosts/inventory/inventory";
import { skuComparison, skuDifference, skuParts } from "@/server/domain/hosts/inventory/sku";
import type { SkuComponents } from "@/server/domain/hosts/inventory/sku";

const drive = (serial: string, changes: Partial<StorageDevice> = {}): StorageDevice => ({
  serial,
  model: "M",
  media: "nvme",
  transport: "nvme",
  capacityBytes: "100",
  removable: false,
  ...changes,
});
const sku: SkuComponents = {
  manufacturer: "Dell Inc.",
  product: "R760",
  cpus: { count: 2, model: "X" },
  memoryBytes: "68719476736",
  storage: [{ media: "nvme", count: 2, capacityBytes: "100" }],
  infiniband: 1,
};
const host: HardwareInventory = {
  system: {
    manufacturer: "Dell Inc.",
    product: "R760",
    serial: "S",
    uuid: "4c4c4544-0031-4810-8031-b1c04f443033",
  },
  cpus: [
    { model: "X", cores: 1 },
    { model: "X", cores: 1 },
  ],
  memoryBytes: "68719476736",
  storage: [drive("A"), drive("B")],
  nics: [],
  infiniband: [
    { slot: "1", model: "C", guid: "g", ports: 1, dpu: false },
    { slot: "2", model: "BF", guid: "h", ports: 1, dpu: true },
  ],
};

describe("a host", () => {
  it("equals its SKU: DPUs do not count, and removable media do", () => {
    expect(skuDifference(sku, host)).toEqual([]);
    expect(
      skuDifference(sku, {
        ...host,
        storage: [...host.storage, drive("USB", { removable: true, transport: "usb" })],
      }),
    ).toHaveLength(1);
  });

  it.each<[string, Partial<HardwareInventory>, object[]]>([
    [
      "manufacturer",
      { system: { ...host.system, manufacturer: "Lenovo" } },
      [{ what: "manufacturer", wanted: "Dell Inc.", found: "Lenovo" }],
    ],
    [
      "product",
      { system: { ...host.system, product: "R660" } },
      [{ what: "product", wanted: "R760", found: "R660" }],
    ],
    ["CPU count", { cpus: host.cpus.slice(1) }, [{ what: "CPU count", wanted: "2", found: "1" }]],
    [
      "CPU model",
      {
        cpus: [
          { model: "X", cores: 1 },
          { model: "Y", cores: 1 },
        ],
      },
      [{ what: "CPU model", wanted: "X", found: "Y" }],
    ],
    [
      "memory, by a module",
      { memoryBytes: "67645734912" },
      [{ what: "memory bytes", wanted: "68719476736", found: "67645734912" }],
    ],
    [
      "memory, by a module more",
      { memoryBytes: "69793218560" },
      [{ what: "memory bytes", wanted: "68719476736", found: "69793218560" }],
    ],
    ["a drive less", { storage: [drive("A")] }, [{ what: "nvme of 100 bytes", wanted: "2", found: "1" }]],
    [
      "a drive more",
      { storage: [drive("A"), drive("B"), drive("C")] },
      [{ what: "nvme of 100 bytes", wanted: "2", found: "3" }],
    ],
    [
      "a drive of another class",
      { storage: [drive("A"), drive("B", { media: "hdd" })] },
      [
        { what: "nvme of 100 bytes", wanted: "2", found: "1" },
        { what: "hdd of 100 bytes", wanted: "0", found: "1" },
      ],
    ],
    ["CPUs that are not told", { cpus: [] }, [{ what: "CPU count", wanted: "2", found: "not told" }]],
    ["InfiniBand", { infiniband: [] }, [{ what: "InfiniBand devices", wanted: "1", found: "0" }]],
  ])("differs in %s", (_what, changes, rows) => {
    expect(skuDifference(sku, { ...host, ...changes })).toMatchObject(rows);
  });
});

it.each([4096, -4096, 2 ** 30 - 1, 1 - 2 ** 30])(
  "what a kernel tells of memory may differ by %i bytes",
  (more) => {
    expect(skuDifference(sku, { ...host, memoryBytes: String(68719476736 + more) })).toEqual([]);
  },
);

describe("the comparison", () => {
  it("has a line for each part of the SKU, then what it does not name", () => {
    const lines = skuComparison(sku, { ...host, storage: [drive("A"), drive("C", { capacityBytes: "5" })] });
    const named = skuParts.slice(0, skuParts.indexOf("infiniband"));
    expect(lines.map(({ part }) => part)).toEqual([...named, "storage", "infiniband"]);
    expect(lines.filter(({ same }) => !same)).toEqual([
      { part: "storage", what: "nvme of 100 bytes", wanted: "2", found: "1", same: false },
      { part: "storage", what: "nvme of 5 bytes", wanted: "0", found: "1", same: false },
    ]);
  });
});

describe("what a host reports of itself", () => {
  it("is refused where it is not an inventory", () => {
    expect(hardwareInventory.safeParse(host).success).toBe(true);
    for (const wrong of [
      { ...host, memoryBytes: "64 GB" },
      { ...host, extra: 1 },
      { ...host, storage: [{ ...drive("A"), serial: "" }] },
      { ...host, storage: Array.from({ length: 513 }, () => drive("A")) },
    ]) {
      expect(hardwareInventory.safeParse(wrong).success).toBe(false);
    }
    expect(
      storageDevice.parse({ serial: "A", model: "M", media: "nvme", transport: "nvme", capacityBytes: "1" })
        .removable,
    ).toBe(false);
  });
});
