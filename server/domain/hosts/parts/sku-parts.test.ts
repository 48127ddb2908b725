// Parts compared with a SKU: count, model and memory; what nobody reported, and what is degraded, never matches.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { HardwareInventory } from "@/server/domain/hosts/inventory/inventory";
import { formatDifference, skuDifference } from "@/server/domain/hosts/inventory/sku";
import type { SkuComponents } from "@/server/domain/hosts/inventory/sku";
import { proposeSku } from "@/server/domain/hosts/inventory/sku-proposal";
import { part, partKinds } from "@/server/domain/hosts/parts/part";
import type { Part } from "@/server/domain/hosts/parts/part";
import { notCompared, partLines, skuPartClasses } from "@/server/domain/hosts/parts/sku-parts";
import { allParts, dimm, gpu, nic, report, twoGpus } from "@/server/domain/hosts/parts/testing/parts";

const host = (parts: HardwareInventory["parts"]): HardwareInventory => ({
  system: { manufacturer: "M", product: "P", serial: "S", uuid: "4c4c4544-0031-4810-8031-b1c04f443033" },
  cpus: [{ model: "X", cores: 1 }],
  memoryBytes: "68719476736",
  storage: [],
  nics: [],
  infiniband: [],
  ...(parts === undefined ? {} : { parts }),
});

const made = (found: HardwareInventory): SkuComponents => {
  const proposal = proposeSku(found);
  if (!proposal.ok) throw new Error(proposal.reason);
  return proposal.components;
};
const sku = made(host(report(allParts)));

/** What a person reads of the host that has these parts. */
const said = (parts: HardwareInventory["parts"], wanted = sku): string =>
  formatDifference(skuDifference(wanted, host(parts)));

it("a SKU made from a host names its parts, and the host matches it", () => {
  expect(sku.parts).toEqual({
    gpu: [{ count: 2, model: "NVIDIA H100 80GB HBM3", memoryBytes: "85520809984" }],
    nic: [{ count: 1, model: "ConnectX-7" }],
    dpu: [],
    memory: [{ count: 2, memoryType: "DDR5", memoryBytes: "34359738368" }],
    nvswitch: [],
    drive: [],
  });
  expect(said(report(allParts))).toBe("");
});

describe("a host differs", () => {
  const others = (...more: readonly Part[]) => report([...allParts.slice(2), ...more]);
  const a100 = gpu("0000:b1:00.0", "G2", { model: "NVIDIA A100" });
  it.each([
    ["a GPU is lost", others(twoGpus[0] ?? nic), "GPU NVIDIA H100 80GB HBM3, 81559 MiB: 2 wanted, 1 found"],
    [
      "a GPU is of another model",
      others(twoGpus[0] ?? nic, a100),
      "GPU NVIDIA H100 80GB HBM3, 81559 MiB: 2 wanted, 1 found; GPU NVIDIA A100, 81559 MiB: 0 wanted, 1 (slot 0000:b1:00.0, serial G2) found",
    ],
    [
      "a link is narrow",
      others(gpu("0000:17:00.0", "G1"), gpu("0000:b1:00.0", "G2", { link: { width: 8, maxWidth: 16 } })),
      "GPU in slot 0000:b1:00.0 (NVIDIA H100 80GB HBM3, serial G2): its PCIe link has 8 of 16 lanes",
    ],
    [
      "a driver does not reach a GPU",
      others(gpu("0000:17:00.0", "G1"), gpu("0000:b1:00.0", "G2", { fault: "the GPU is lost" })),
      "GPU in slot 0000:b1:00.0 (NVIDIA H100 80GB HBM3, serial G2): the GPU is lost",
    ],
    [
      "a module is of another size",
      report([...twoGpus, nic, dimm("A1", "D1"), dimm("A2", "D2", { memoryBytes: "17179869184" })]),
      "memory module, DDR5, 32 GiB: 2 wanted, 1 found; memory module, DDR5, 16 GiB: 0 wanted, 1 (slot A2, serial D2) found",
    ],
    [
      "nobody listed its memory modules",
      report([...twoGpus, nic], {
        told: ["gpu", "nic", "dpu", "nvswitch"],
        untold: [{ kind: "memory", reason: "/usr/sbin/dmidecode is not in the agent image" }],
      }),
      "memory modules: 2 wanted, not reported by the agent: /usr/sbin/dmidecode is not in the agent image",
    ],
  ])("where %s", (_what, parts, words) => {
    expect(said(parts)).toBe(words);
  });

  it("from an agent that reports no parts, in every kind that the SKU names, even where it wants none", () => {
    expect(said(undefined).match(/not reported by the agent: boot an agent image/g)).toHaveLength(5);
  });
});

it("a SKU without parts compares none, as before", () => {
  const { parts, ...without } = sku;
  expect(said(report([]), without)).toBe("");
  expect(said(undefined, without)).toBe("");
  expect(notCompared(undefined)).toContain("gpu");
  expect(notCompared(parts)).toEqual([]);
});

it("NVLinks are compared where the SKU names them", () => {
  const linked = (active: number) => report([gpu("0000:17:00.0", "G1", { nvlinks: { active, total: 18 } })]);
  const wanted = made(host(linked(18)));
  expect(said(linked(18), wanted)).toBe("");
  expect(said(linked(17), wanted)).toContain("17 NVLinks: 0 wanted, 1 (slot 0000:17:00.0, serial G1)");
});

it("no SKU is made from a host with a fault", () => {
  expect(proposeSku(host(report([gpu("0000:17:00.0", "G1", { ecc: { remapFailed: true } })])))).toMatchObject(
    {
      ok: false,
      reason: expect.stringContaining("serial G1): a memory row could not be remapped"),
    },
  );
});

const anyPart: fc.Arbitrary<Part> = fc.record({
  kind: fc.constantFrom(...partKinds),
  slot: fc.constantFrom("1", "2", "3", "4"),
  model: fc.constantFrom("A", "B", ""),
  serial: fc.constantFrom("S1", "S2", "S3"),
  memoryBytes: fc.constantFrom("1073741824", "85520809984"),
});

it("a host matches the SKU made from it, and none with a part less or more", () => {
  fc.assert(
    fc.property(fc.array(anyPart, { minLength: 1, maxLength: 8 }), fc.nat(7), (found, which) => {
      const own = host(report(found));
      const components = made(own);
      expect(skuPartClasses.safeParse(components.parts).success).toBe(true);
      expect(skuDifference(components, own)).toEqual([]);
      const less = found.filter((_, at) => at !== which % found.length);
      expect(skuDifference(components, host(report(less)))).not.toEqual([]);
      const more = [...found, ...found.slice(0, 1)];
      expect(skuDifference(components, host(report(more)))).not.toEqual([]);
    }),
    { numRuns: 60 },
  );
});

it("a part may report next to nothing", () => {
  const bare = part.parse({ kind: "gpu", slot: "1", model: "" });
  expect(partLines({ gpu: [{ count: 1, memoryBytes: "1" }] }, host(report([bare])))).toMatchObject([
    { what: "GPU, 1 bytes", found: "0", same: false },
    { what: "GPU", wanted: "0", same: false },
  ]);
});
