// The lines of a SKU against an inventory, equal and different.
import { describe, expect, it } from "vitest";
import { allDrives, inventoryOf, nvme1, sku, ssd1 } from "@/server/controller/testing/hardware";
import { skuLines } from "@/server/usecases/hosts/one/sku-lines";

const lines = (drives: Parameters<typeof inventoryOf>[0]) => skuLines(sku.components, inventoryOf(drives));

describe("what a SKU wants against what was found", () => {
  it("is one line for each thing that the SKU names", () => {
    expect(lines(allDrives).map(({ what }) => what)).toEqual([
      "manufacturer",
      "product",
      "CPU count",
      "CPU model",
      "memory bytes",
      `nvme of ${nvme1.capacityBytes} bytes`,
      `ssd of ${ssd1.capacityBytes} bytes`,
      "InfiniBand devices",
    ]);
    expect(lines(allDrives).every(({ same, wanted, found }) => same && wanted === found)).toBe(true);
  });

  it("has what was found beside a line that differs, and what the SKU does not name behind them", () => {
    const different = lines([nvme1, ssd1, { ...ssd1, serial: "SSD2", capacityBytes: "5" }]).filter(
      ({ same }) => !same,
    );
    expect(different).toEqual([
      { what: `nvme of ${nvme1.capacityBytes} bytes`, wanted: "2", found: "1", same: false },
      { what: "ssd of 5 bytes", wanted: "0", found: "1", same: false },
    ]);
  });
});
