// Boot orders of real machines: what means the same on every host, and the order that is set back.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  beginsWith,
  bootNames,
  commonBootNames,
  wantedOrder,
  type BootEntry,
} from "@/server/domain/hosts/inventory/boot-order";

const entry = (reference: string, name: string, path: string | null, own = true): BootEntry => ({
  ...{ reference, name, path, own },
});

/** Two ports of one kind, as NVIDIA's firmware names them, of two hosts. */
const ports = (mac: string, other: string): readonly BootEntry[] => [
  entry(
    "Boot0001",
    `UEFI HTTPv4 (MAC:${mac})`,
    `PciRoot(0x0)/Pci(0x1,0x0)/Pci(0x0,0x0)/MAC(${mac},0x1)/IPv4(0.0.0.0)/Uri()`,
  ),
  entry(
    "Boot0002",
    `UEFI HTTPv4 (MAC:${other})`,
    `PciRoot(0x0)/Pci(0x1,0x0)/Pci(0x0,0x1)/MAC(${other},0x1)/IPv4(0.0.0.0)/Uri()`,
  ),
];
const ubuntu = entry("Boot0007", "ubuntu", "HD(1,GPT,6634D938)/\\EFI\\ubuntu\\shimx64.efi", false);
const disk = entry(
  "Boot0003",
  "UEFI Samsung SSD 980 S64ANS0T1234",
  "PciRoot(0x2)/Pci(0x1,0x0)/NVMe(0x1,01-CA)",
);
const bay = entry("Boot0004", "PCIe SSD in Slot 2 in Bay 1", "PciRoot(0xB)/Pci(0x3,0x0)/NVMe(0x1,01-CA)");

describe("names that mean the same on every host", () => {
  it("ports have none of their MAC addresses, and are told apart by their slots", () => {
    const [one, two] = [ports("B8CEF6B8A006", "B8CEF6B8A007"), ports("08C0EB53C9F0", "08C0EB53C9F1")];
    expect(bootNames(one)).toEqual(bootNames(two));
    expect(bootNames(one)).toEqual([
      "UEFI HTTPv4 (PciRoot(0x0)/Pci(0x1,0x0)/Pci(0x0,0x0))",
      "UEFI HTTPv4 (PciRoot(0x0)/Pci(0x1,0x0)/Pci(0x0,0x1))",
    ]);
    expect(beginsWith(bootNames(one), bootNames([...two].reverse()))).toBe(false);
  });

  it.each([
    ["an installed system", ubuntu],
    ["a drive with a serial number", disk],
    ["an entry that tells no path", entry("Boot0009", "Windows", null, false)],
  ])("a capture ends at %s", (_what, own) => {
    const [first, second] = ports("B8CEF6B8A006", "B8CEF6B8A007");
    if (first === undefined || second === undefined) throw new Error("two ports");
    expect(commonBootNames([first, own, second])).toHaveLength(1);
    expect(commonBootNames([own, first])).toEqual([]);
  });

  it("a drive that is named by its bay is the same on every host", () =>
    expect(commonBootNames([bay])).toEqual(["PCIe SSD in Slot 2 in Bay 1"]));
});

it("a baseline that has a MAC address in a name means the port of each host", () =>
  expect(beginsWith(["UEFI PXEv4 (MAC:B8CEF6B8A006)"], ["UEFI PXEv4"])).toBe(true));

describe("the order that is set back", () => {
  it("has what is wanted first, and everything else as it was", () => {
    const { order, missing } = wantedOrder(["PCIe SSD in Slot 2 in Bay 1"], [ubuntu, disk, bay]);
    expect(order).toEqual([bay, ubuntu, disk]);
    expect(missing).toEqual([]);
  });

  it("names what no entry has", () =>
    expect(wantedOrder(["PXE", "ubuntu"], [ubuntu]).missing).toEqual(["PXE"]));

  it("keeps every entry once, and begins with what is wanted", () => {
    const name = fc.constantFrom("PXE", "HTTP", "ubuntu", "PXE (MAC:B8CEF6B8A006)", "PXE (MAC:08C0EB53C9F0)");
    fc.assert(
      fc.property(fc.array(name, { maxLength: 8 }), fc.array(name, { maxLength: 5 }), (there, wanted) => {
        const entries = there.map((each, at) => entry(`Boot000${at}`, each, null));
        const { order, missing } = wantedOrder(wanted, entries);
        expect(order.map(({ reference }) => reference).toSorted()).toEqual(
          entries.map(({ reference }) => reference),
        );
        if (missing.length === 0) expect(beginsWith(wanted, bootNames(order))).toBe(true);
        if (beginsWith(wanted, bootNames(entries))) expect(order).toEqual(entries);
      }),
    );
  });
});
