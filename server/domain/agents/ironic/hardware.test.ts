// The inventory that Ironic's agent reports: drives are identified by name and port, and nothing is guessed.
import { describe, expect, it } from "vitest";
import { guestHardwareOf } from "@/server/agents/guest/testing/ironic-agent";
import { recorded } from "@/server/agents/guest/testing/recorded";
import { guestInventory, type GuestHost } from "@/server/domain/agents/ironic/hardware";
import { guestHardware } from "@/server/domain/agents/ironic/wire";
import { hardwareInventory } from "@/server/domain/hosts/inventory/inventory";

const uuid = "5f0f6d3a-6a3a-4b0e-9a53-0a64b9a2f001";
const host: GuestHost = { systemUuid: uuid, serial: "SN1", model: null, drives: [] };
const told = guestHardwareOf("SN1", "02:00:00:00:00:01");
const disk = { model: "M", size: 10, rotational: true, wwn: null, serial: "S", vendor: "V" };
const path = (of: string) => `/dev/disk/by-path/pci-0000:00:1f.2-${of}-1`;

const inventory = (disks: readonly object[] = told.disks, known: Partial<GuestHost> = {}, more = {}) =>
  hardwareInventory.parse(
    guestInventory(guestHardware.parse({ ...told, ...more, disks }), { ...host, ...known }),
  );

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

describe("a SAS drive, of which it takes the world-wide name for the serial number", () => {
  const sas = { ...disk, name: "/dev/sda", by_path: path("sas"), serial: "5000c50012345670" };
  const named = { ...sas, wwn: "0x5000c50012345670", wwn_with_extension: "0x5000c50012345670" };
  const known = { serial: "SASA", model: "M", wwn: "50:00:C5:00:12:34:56:70" };

  it("has the serial number of the host's drive that is known by this name", () => {
    expect(inventory([named], { drives: [known] }).storage.map(({ serial }) => serial)).toEqual(["SASA"]);
    const long = "0x600605b00a1b2c3d2e4f5a6b7c8d9e0f";
    const extended = { ...sas, serial: long.slice(2), wwn: long.slice(0, 18), wwn_with_extension: long };
    expect(
      inventory([extended], { drives: [{ ...known, wwn: `naa.${long.slice(2)}` }] }).storage,
    ).toMatchObject([{ serial: "SASA" }]);
  });

  it.each([
    ["none is known by it", []],
    ["the known one is of another model", [{ ...known, model: "N" }]],
    ["two are known by it", [known, { ...known, serial: "SASB" }]],
  ])("has none where %s", (_what, drives) => {
    const found = inventory([named], { drives });
    expect([found.storage, found.unnamed?.map(({ serial }) => serial)]).toEqual([[], [""]]);
  });

  it("keeps a serial number that looks like one and is not its own", () => {
    expect(inventory([{ ...named, serial: "5000c50012345679" }]).storage).toMatchObject([
      { serial: "5000c50012345679" },
    ]);
  });
});

it("does not guess how many CPUs there are: version 9.1 does not tell", () => {
  const { socket_count: _, ...cpu } = told.cpu;
  expect(inventory(told.disks, {}, { cpu }).cpus).toEqual([]);
});

it("takes the memory that the kernel has, as our own agent does", () => {
  const memory = { total: 2_000_000_000, physical_mb: 2_048 };
  expect(inventory(told.disks, {}, { memory }).memoryBytes).toBe("2000000000");
  expect(inventory(told.disks, {}, { memory: { ...memory, total: null } }).memoryBytes).toBe("2147483648");
});

it.each([
  ["R750 (SKU=1;Name=R750)", "R750", "R750"],
  ["R750 (x)", null, "R750 (x)"],
  ["R750xa (x)", "R750", "R750xa (x)"],
  ["Standard PC (Q35)", "Standard PC (Q35)", "Standard PC (Q35)"],
])("calls the product %s with the model %s of the BMC: %s", (product, model, called) => {
  const vendor = { ...told.system_vendor, product_name: product };
  expect(inventory(told.disks, { model }, { system_vendor: vendor }).system.product).toBe(called);
});

it("leaves out arrays of Linux software RAID, which it puts together of the drives beside them", () => {
  const drive = { ...disk, name: "/dev/sda", by_path: path("ata") };
  const array = { ...disk, name: "/dev/md127", serial: null, by_path: null };
  expect(inventory([drive, array])).toMatchObject({ storage: [{ serial: "S" }] });
  expect(inventory([drive, array]).unnamed).toBeUndefined();
});

it("is that of the machine in the virtual machine's test, as version 9.1.1 told of it", () => {
  const found = hardwareInventory.parse(
    guestInventory(guestHardware.parse(recorded.hardware), {
      systemUuid: uuid,
      serial: "SN1",
      model: "TestBed",
      drives: [{ serial: "SASA", model: "SASDISK", wwn: "5000c50012345670" }],
    }),
  );
  expect(found).toMatchObject({
    system: { manufacturer: "Example", product: "TestBed", serial: "BED0001" },
    cpus: [],
    memoryBytes: "2060353536",
    nics: [{ name: "enp0s1", mac: "52:54:00:12:34:56" }],
  });
  expect(
    found.storage.map((drive) => [drive.serial, drive.media, drive.transport, drive.capacityBytes]),
  ).toEqual([
    ["SATAA", "ssd", "sata", "67108864"],
    ["SASA", "hdd", "sas", "67108864"],
    ["STICKA", "hdd", "usb", "16777216"],
    ["NVMEA", "nvme", "nvme", "100663296"],
    ["NVMEB", "nvme", "nvme", "25165824"],
  ]);
  expect(found.storage[3]?.namespaces).toEqual([1, 6]);
  expect(found.unnamed).toBeUndefined();
});
