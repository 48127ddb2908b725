// Disks from sysfs, as recorded in a virtual machine, and the cases in which a list would be incomplete.
import { describe, expect, it } from "vitest";
import { listDisks, portOf } from "@/agent/tools/machine/disks/disk-list";
import { pciFunction, treeOf as anyTree } from "@/agent/tools/machine/testing/recorded";

const bridge = pciFunction("0000:00:00.0", "0x060000");
const treeOf: typeof anyTree = (content, links = {}) => anyTree({ ...bridge.content, ...content }, links);

const vpd80 = (serial: string) =>
  Buffer.concat([Buffer.from([0, 0x80, 0, serial.length]), Buffer.from(serial)]);

const disk = (name: string, content: Readonly<Record<string, string | Uint8Array>>) =>
  Object.fromEntries(Object.entries(content).map(([file, value]) => [`/sys/block/${name}/${file}`, value]));
const sizes = {
  size: "131072\n",
  "queue/logical_block_size": "512\n",
  "queue/rotational": "0\n",
  removable: "0\n",
};

const sata = disk("sda", {
  ...sizes,
  ...{ "device/type": "0\n", "device/vendor": "ATA     \n", "device/model": "QEMUSATA        \n" },
  ...{ "device/rev": "2.5+\n", "device/vpd_pg80": vpd80("RCSATA1             ") },
  "device/wwid": "t10.ATA     QEMUSATA                                RCSATA1             \n",
});
const sas = disk("sdb", {
  ...{ ...sizes, "queue/rotational": "1\n" },
  ...{ "device/type": "0\n", "device/vendor": "SEAGATE \n", "device/model": "ST10000NM0226   \n" },
  ...{
    "device/rev": "KT01\n",
    "device/vpd_pg80": vpd80("ZA20ABCD0000R9"),
    "device/wwid": "naa.5000c50012345678\n",
  },
});
const cdRom = disk("sr0", { ...sizes, "device/type": "5\n" });
const places = {
  "/sys/block/sda": "/sys/devices/pci0000:00/0000:00:06.0/ata1/host1/target1:0:0/1:0:0:0/block/sda",
  "/sys/block/sdb":
    "/sys/devices/pci0000:00/0000:02:00.0/host0/port-0:0/end_device-0:0/target0:0:0/0:0:0:0/block/sdb",
};

it("lists SATA and SAS disks by what they say of themselves", async () => {
  expect(await listDisks(treeOf({ ...sata, ...sas, ...cdRom }, places))).toEqual({
    ok: true,
    value: [
      {
        ...{ path: "/dev/sda", serial: "RCSATA1", model: "QEMUSATA", firmware: "2.5+", transport: "sata" },
        ...{ rotational: false, removable: false, capacityBytes: 67_108_864n, blockBytes: 512 },
      },
      {
        ...{ path: "/dev/sdb", serial: "ZA20ABCD0000R9", model: "ST10000NM0226", manufacturer: "SEAGATE" },
        ...{ wwn: "5000c50012345678", firmware: "KT01", transport: "sas" },
        ...{ rotational: true, removable: false, capacityBytes: 67_108_864n, blockBytes: 512 },
      },
    ],
  });
});

it("is no list where one device does not tell its size", async () => {
  const { "/sys/block/sda/size": _, ...unsized } = sata;
  expect(await listDisks(treeOf({ ...unsized, ...sas }, places))).toMatchObject({ ok: false });
  expect(
    await listDisks(treeOf({ ...sata, ...sas }, { "/sys/block/sda": places["/sys/block/sda"] })),
  ).toMatchObject({
    ok: false,
  });
  expect(await listDisks(treeOf({}))).toMatchObject({ ok: false });
});

it("lists what no step erases with the reason, and leaves out what holds nothing of its own", async () => {
  const files = treeOf(
    {
      ...disk("vda", { ...sizes, serial: "VIRTIO1\n" }),
      ...disk("mmcblk0", { ...sizes, "device/name": "SD32G\n", "device/serial": "0x1234\n" }),
      ...disk("mmcblk0boot0", sizes),
      ...disk("mmcblk0rpmb", sizes),
      ...disk("mmcblk1boot0", sizes),
      ...disk("pmem0", sizes),
      ...disk("loop0", sizes),
      ...disk("dm-0", sizes),
      ...disk("md127", sizes),
      ...disk("nvme0n1", sizes),
      ...disk("zram0", sizes),
    },
    {
      "/sys/block/vda": "/sys/devices/pci0000:00/virtio1/block/vda",
      "/sys/block/mmcblk0": "/sys/devices/mmc",
      "/sys/block/mmcblk1boot0": "/sys/devices/mmc1",
      "/sys/block/pmem0": "/sys/devices/LNXSYSTM:00/ndbus0/region0/namespace0.0/block/pmem0",
    },
  );
  expect(await listDisks(files)).toMatchObject({
    value: [
      { path: "/dev/mmcblk0", serial: "0x1234", model: "SD32G", unerasable: "eMMC or SD card" },
      { path: "/dev/mmcblk1boot0", unerasable: "eMMC or SD card" },
      { path: "/dev/pmem0", unerasable: "persistent memory" },
      { path: "/dev/vda", serial: "VIRTIO1", model: "", unerasable: "neither SATA nor SAS" },
    ],
  });
  const { value } = { value: [], ...(await listDisks(files)) };
  expect(value.map(({ transport }) => transport)).not.toContain("virtual");
});

const usbPlace = "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-2/1-2:1.0/host6/target6:0:0/6:0:0:0/block/sda";

it("knows a stick at a USB port, and a reader without a card", async () => {
  const stick = {
    ...{ removable: "1\n", "device/type": "0\n" },
    ...{ "device/vendor": "Kingston\n", "device/model": "DataTraveler\n" },
  };
  const reader = { size: "0\n", removable: "1\n", "device/type": "0\n", "device/vendor": "Generic\n" };
  const files = treeOf(
    { ...disk("sda", { ...sizes, ...stick }), ...disk("sdb", { ...sizes, ...reader }) },
    { "/sys/block/sda": usbPlace, "/sys/block/sdb": "/sys/devices/x/sdb" },
  );
  const listed = await listDisks(files);
  expect(listed).toMatchObject({ value: [{ path: "/dev/sda", transport: "usb", removable: true }] });
  expect(listed.ok && listed.value[0]?.unerasable).toBeUndefined();
});

describe("a SCSI disk", () => {
  const pci = "/sys/devices/pci0000:00/0000:02:00.0";
  /** Why no step erases a disk of this kind at this place; undefined if one does. */
  const reasonOf = async (
    place: string,
    { type, vendor, model, driver }: Readonly<Record<"type" | "vendor" | "model" | "driver", string>>,
  ) => {
    const said = { "device/type": type, "device/vendor": vendor, "device/model": model };
    const known = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== ""));
    const files = treeOf(
      {
        ...disk("sda", { ...sizes, ...known, "device/vpd_pg80": vpd80("S1") }),
        "/sys/class/scsi_host/host0/proc_name": `${driver}\n`,
      },
      { "/sys/block/sda": `${place}/block/sda` },
    );
    const listed = await listDisks(files);
    return listed.ok && listed.value.length === 1 ? listed.value[0]?.unerasable : "no list";
  };
  const plain = { type: "0\n", vendor: "SEAGATE\n", model: "ST1\n", driver: "mpt3sas" };
  const target = "target0:0:0/0:0:0:0";
  const sasPort = `${pci}/host0/port-0:0/end_device-0:0/${target}`;

  it.each([
    ["behind an expander", `${pci}/host0/port-0:0/expander-0:0/port-0:0:1/end_device-0:0:1/${target}`, plain],
    ["at an ATA port", `${pci}/ata1/host0/${target}`, { ...plain, vendor: "ATA\n" }],
    ["of megaraid_sas without RAID", `${pci}/host0/${target}`, { ...plain, driver: "megaraid_sas" }],
    ["of virtio_scsi", `${pci}/virtio1/host0/${target}`, { ...plain, driver: "virtio_scsi" }],
  ])("%s is erased", async (_what, place, said) => {
    expect(await reasonOf(place, said)).toBeUndefined();
  });

  it.each([
    ["of Fibre Channel", `${pci}/host0/rport-0:0-1/${target}`, plain, "remote storage (Fibre Channel)"],
    ["of iSCSI", `/sys/devices/platform/host0/session1/${target}`, plain, "remote storage (iSCSI)"],
    ["of an iSCSI card", `${pci}/host0/session1/${target}`, plain, "remote storage (iSCSI)"],
    ["of ib_srp", `${pci}/host0/${target}`, { ...plain, driver: "ib_srp" }, "not known to be a local drive"],
    ["of no place", `/sys/devices/x/host0/${target}`, plain, "not known to be a local drive"],
    [
      "in a channel of volumes",
      `${pci}/host0/target0:2:0/0:2:0:0`,
      { ...plain, driver: "megaraid_sas" },
      "not known to be a local drive",
    ],
    ["that is zoned by the host", sasPort, { ...plain, type: "20\n" }, "SCSI device type 20"],
    ["of unreadable type", sasPort, { ...plain, type: "" }, "SCSI device type unknown"],
    [
      "of PERC",
      `${pci}/host0/${target}`,
      { ...plain, vendor: "DELL\n", model: "PERC H755 Front\n", driver: "megaraid_sas" },
      "volume of a RAID controller",
    ],
    [
      "of BOSS-S1",
      `${pci}/ata1/host0/${target}`,
      { ...plain, vendor: "ATA\n", model: "DELLBOSS VD\n", driver: "ahci" },
      "volume of a RAID controller",
    ],
  ])("%s is listed with the reason", async (_what, place, said, reason) => {
    expect(await reasonOf(place, said)).toBe(reason);
  });
});

it("lists NVMe controllers over a network, and storage controllers without a driver", async () => {
  const raid = pciFunction("0000:17:00.0", "0x010400", "0x1000");
  const served = pciFunction("0000:18:00.0", "0x010802");
  const nvme = "/sys/class/nvme";
  const files = treeOf(
    {
      ...{ "/sys/block/loop0/size": "0\n", [`${nvme}/nvme0/transport`]: "pcie\n" },
      ...{ [`${nvme}/nvme1/transport`]: "tcp\n", [`${nvme}/nvme1/serial`]: "REMOTE1\n" },
      ...{ [`${nvme}/nvme1/model`]: "Target\n", [`${nvme}/nvme2/model`]: "Silent\n" },
      ...{ ...raid.content, ...served.content },
    },
    served.links,
  );
  expect(await listDisks(files)).toMatchObject({
    value: [
      { path: "/dev/nvme1", serial: "REMOTE1", unerasable: "remote storage (NVMe over tcp)" },
      { path: "/dev/nvme2", model: "Silent", unerasable: "remote storage (NVMe over unknown)" },
      { model: "PCI 0x1000:0x1234", unerasable: "storage controller without a driver" },
    ],
  });
  expect(await portOf(files, "/sys/bus/pci/devices/0000:17:00.0")).toBe("pci-0000:17:00.0");
  expect(await listDisks(anyTree({ "/sys/block/loop0/size": "0\n" }))).toMatchObject({ ok: false });
});

it("tells the port of a disk and of a controller, the same in every boot", async () => {
  const files = treeOf(
    {},
    { ...places, "/sys/class/nvme/nvme0/device": "/sys/devices/pci0000:00/0000:41:00.0" },
  );
  expect(await portOf(files, "/dev/sda")).toBe("pci-0000:00:06.0-ata1-scsi-0:0:0");
  expect(await portOf(files, "/dev/sdb")).toBe("pci-0000:02:00.0-end_device-0:0-scsi-0:0:0");
  expect(await portOf(files, "/dev/nvme0")).toBe("pci-0000:41:00.0");
  expect(await portOf(files, "/dev/sdx")).toBeNull();
});
