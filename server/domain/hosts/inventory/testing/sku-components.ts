// The components of a SKU for tests.
import type { SkuComponents } from "@/server/domain/hosts/inventory/sku";

/** A Dell machine with two processors and eight NVMe drives. */
export const skuComponents: SkuComponents = {
  manufacturer: "Dell Inc.",
  product: "PowerEdge R750",
  cpus: { count: 2, model: "Xeon" },
  memoryBytes: "1099511627776",
  storage: [{ media: "nvme", count: 8, capacityBytes: "3840755982336" }],
  infiniband: 0,
};
