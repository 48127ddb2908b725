// The components of a SKU as fields and as JSON: one value in two views.
import { describe, expect, it } from "vitest";
import { faultsOf, fieldsOf, readSize, sizeText, withFields } from "@/components/hosts/skus/components-draft";

const sku = {
  manufacturer: "Dell Inc.",
  product: "PowerEdge R750",
  cpus: { count: 2, model: "Xeon" },
  memoryBytes: "2199023255552",
  storage: [{ media: "nvme", count: 8, capacityBytes: "3840755982336" }],
  infiniband: 8,
  baseline: { lockdown: true },
};

describe("components", () => {
  it("are the same after a way through the fields, with what has no field", () => {
    const text = JSON.stringify(sku);
    const fields = fieldsOf(text);
    if (fields === null) throw new Error("no fields");
    expect(fields).toMatchObject({ memory: "2048 GiB", drives: [{ capacity: "3840755982336" }] });
    expect(JSON.parse(withFields(text, fields))).toEqual(sku);
    expect(faultsOf(text).size).toBe(0);
  });
  it("that are none of a SKU are empty fields, and say what is wrong at which", () => {
    expect(fieldsOf('{"cpus":7,"storage":{"x":1}}')).toMatchObject({ cpuCount: "", drives: [], memory: "" });
    expect([...faultsOf('{"cpus":{"count":"two"}}').keys()]).toContain("cpus.count");
  });
  it.each(["", "[]", "7", "{"])("%j is no object, and has no fields", (text) =>
    expect(fieldsOf(text)).toBeNull(),
  );
});

it.each([
  ["2 TiB", "2199023255552"],
  ["480GB", "480000000000"],
  [" 1024 ", "1024"],
  ["3.84 TB", "3.84 TB"],
  ["many", "many"],
])("%j is %s bytes", (text, bytes) => expect(readSize(text)).toBe(bytes));
it.each([
  ["1073741824", "1 GiB"],
  ["1073741825", "1073741825"],
  ["0", "0"],
  ["x", "x"],
])("%s bytes are shown as %s", (bytes, text) => expect(sizeText(bytes)).toBe(text));
