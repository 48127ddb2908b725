// The inventory of Ironic's agent: drives by their name and port, and nothing guessed.
import { expect, it } from "vitest";
import { guestHardwareOf } from "@/server/agents/guest/testing/ironic-agent";
import { guestInventory } from "@/server/domain/agents/ironic/hardware";
import { guestHardware } from "@/server/domain/agents/ironic/wire";
import { hardwareInventory } from "@/server/domain/inventory/inventory";

const uuid = "5f0f6d3a-6a3a-4b0e-9a53-0a64b9a2f001";
const told = guestHardwareOf("SN1", "02:00:00:00:00:01");
const disk = { model: "M", size: 10, rotational: true, wwn: null, serial: "S", vendor: "V" };
const path = (of: string) => `/dev/disk/by-path/pci-0000:00:1f.2-${of}-1`;

const inventory = (disks: readonly object[] = told.disks) =>
  hardwareInventory.parse(guestInventory(guestHardware.parse({ ...told, disks }), uuid));

it("is an inventory of ours; namespaces of a drive are one drive", () => {
  const { system, cpus, storage, nics, unnamed } = inventory();
  expect(system).toMatchObject({ serial: "SN1", uuid, biosVersion: "1.9.2" });
  expect(cpus.map(({ cores }) => cores)).toEqual([18, 18]);
  expect(nics).toEqual([{ name: "eno1", mac: "02:00:00:00:00:01" }]);
  expect(unnamed).toBeUndefined();
  expect(storage).toMatchObject([
    { serial: "SN1-D1", media: "nvme", namespaces: [1, 2], capacityBytes: "960000001000" },
  ]);
});

it("tells SATA, SAS and USB by the port", () => {
  const kinds = ["ata", "sas", "usb"].map((of, index) => ({
    ...disk,
    name: `/dev/sd${"abc".charAt(index)}`,
    serial: `S${index}`,
    by_path: path(of),
  }));
  expect(inventory(kinds).storage.map(({ transport, removable }) => [transport, removable])).toEqual([
    ["sata", false],
    ["sas", false],
    ["usb", true],
  ]);
});

it.each([
  ["a drive without a serial number", { ...disk, name: "/dev/sda", serial: "", by_path: path("ata") }],
  ["a drive whose port is unknown", { ...disk, name: "/dev/sda", by_path: null }],
  ["a drive of another kind", { ...disk, name: "/dev/mmcblk0", by_path: path("ata") }],
])("lists %s apart", (_what, unknown) => {
  const found = inventory([unknown]);
  expect([found.storage.length, found.unnamed?.length]).toEqual([0, 1]);
});

it("does not take a second drive of the same name for the first", () => {
  const one = { ...disk, name: "/dev/sda", by_path: path("ata") };
  expect(inventory([one, { ...one, name: "/dev/sdb" }]).unnamed).toHaveLength(1);
});

it("is refused where it is none", () => {
  for (const broken of [{}, { ...told, disks: "none" }, { ...told, cpu: { count: 0 } }, null])
    expect(guestHardware.safeParse(broken).success).toBe(false);
});

it("has no character that cannot be stored", () => {
  expect(
    inventory([{ ...disk, name: "/dev/sda", by_path: path("ata"), serial: "S\u0000\ud8001" }]).storage,
  ).toMatchObject([{ serial: "S 1" }]);
});
