// Names of firmware components, as iDRAC and others give them.
import { expect, it } from "vitest";
import { findComponent, kindOfComponent, placeOfId } from "@/server/domain/hosts/inventory/firmware-name";

const port = "Broadcom Gigabit Ethernet BCM5720";

it.each([
  ["Installed-102462-21.80.16.95__NIC.Embedded.1-1-1", "NIC.Embedded.1-1-1"],
  ["BMC-Primary", "BMC-Primary"],
  ["x__", "x__"],
])("%s is at %s", (id, place) => expect(placeOfId(id)).toBe(place));

it.each([
  ["its name", ["BIOS", "BMC"], "BMC", 1],
  ["no name", ["BIOS", "BMC"], "NIC", -1],
  [
    "the id of an earlier release",
    [`${port} (NIC.1)`, `${port} (NIC.2)`],
    `${port} (Installed-1-21.8__NIC.2)`,
    1,
  ],
  ["the MAC address of an earlier release", ["BIOS", port], `${port} - D0:94:66:00:00:01`, 1],
  ["an earlier name that two may have", ["PSU (A-1__Slot.1)", "PSU (A-2__Slot.1)"], "PSU (A-3__Slot.1)", -1],
  [
    "its whole id, beside another at its place",
    ["PSU (A-1__Slot.1)", "PSU (A-2__Slot.1)"],
    "PSU (A-2__Slot.1)",
    1,
  ],
])("a component is found by %s", (_how, names, wanted, index) => {
  expect(
    findComponent(
      names.map((component) => ({ component })),
      wanted,
    )?.component,
  ).toBe(names[index]);
});

it("a kind has one name in all releases", () => {
  for (const name of [`${port} - D0:94:66:00:00:01`, `${port} (NIC.Embedded.1-1-1)`, port])
    expect(kindOfComponent(name)).toBe(port);
});
