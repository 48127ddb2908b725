// The machine itself, its firmware, TPM and InfiniBand devices, as recorded in a virtual machine or as the programs' source prints them.
import { describe, expect, it } from "vitest";
import { efiTools } from "@/agent/tools/machine/efi-tools";
import { machineTools } from "@/agent/tools/machine/machine-tools";
import { mstTools, readSettings } from "@/agent/tools/machine/mst-tools";
import { readCpus, systemTools } from "@/agent/tools/machine/system-tools";
import { pciFunction, playBack, printing, treeOf } from "@/agent/tools/machine/testing/recorded";
import { tpmTools } from "@/agent/tools/machine/tpm-tools";

const dmi = (values: Readonly<Record<string, string>>) =>
  treeOf(
    Object.fromEntries(Object.entries(values).map(([name, value]) => [`/sys/class/dmi/id/${name}`, value])),
  );

it("says the versions of the programs, as part of the evidence", async () => {
  const { versions } = await machineTools(playBack, treeOf({}));
  expect(versions).toEqual({ nvme: "2.3", hdparm: "9.65", sg3utils: "1.15", mnvCli: "not installed" });
});

describe("the system", () => {
  it("is known by SMBIOS", async () => {
    const files = dmi({
      ...{ sys_vendor: "Example\n", product_name: "TestBed\n", product_serial: "BED0001\n" },
      ...{ product_uuid: "6F9619FF-8B86-4011-B42D-00CF4FC964FF\n", bios_version: "1.2.3\n" },
      board_serial: "CN0001\n",
    });
    expect((await systemTools(playBack, files).identity()).value).toEqual({
      ...{ manufacturer: "Example", product: "TestBed", serial: "BED0001", biosVersion: "1.2.3" },
      ...{ uuid: "6f9619ff-8b86-4011-b42d-00cf4fc964ff", boardSerial: "CN0001" },
    });
  });

  it("is not known by what boards say that have no value of their own", async () => {
    const files = dmi({
      ...{ product_serial: "To be filled by O.E.M.\n", board_serial: "CN0001\n" },
      product_uuid: "00000000-0000-0000-0000-000000000000\n",
    });
    expect((await systemTools(playBack, files).identity()).value).toMatchObject({
      serial: "CN0001",
      uuid: "00000000-0000-0000-0000-000000000000",
    });
    expect(
      (await systemTools(playBack, dmi({ product_serial: "Not Specified\n" })).identity()).value,
    ).toMatchObject({
      serial: "",
    });
  });

  it("counts processors by socket, also where lscpu nests its fields", async () => {
    expect((await systemTools(playBack, treeOf({})).cpus()).value).toEqual([
      { model: "QEMU TCG CPU version 2.5+", cores: 2 },
    ]);
    const field = (name: string, data: string, ...children: unknown[]) => ({
      field: `${name}:`,
      data,
      children,
    });
    const nested = {
      lscpu: [
        field(
          "Vendor ID",
          "GenuineIntel",
          field("Model name", "Xeon", field("Core(s) per socket", "32"), field("Socket(s)", "2")),
        ),
      ],
    };
    expect(readCpus(Buffer.from(JSON.stringify(nested)))).toEqual([
      { model: "Xeon", cores: 32 },
      { model: "Xeon", cores: 32 },
    ]);
  });

  it("reads the size of memory, and has none where it cannot be read", async () => {
    const files = treeOf({ "/proc/meminfo": "MemTotal:         981396 kB\nMemFree:          755484 kB\n" });
    expect((await systemTools(playBack, files).memoryBytes()).value).toBe(1_004_949_504n);
    expect((await systemTools(playBack, treeOf({})).memoryBytes()).value).toBeNull();
  });

  it("takes a count of no failures for no complaint", async () => {
    const stress = (stderr: string) => systemTools(printing("", { stderr }), treeOf({})).stress("cpu", 1, 1);
    expect((await stress("stress-ng: info:  [1] failed: 0\n")).value).toBe(true);
    expect((await stress("stress-ng: info:  [1] failed: 1: cpu (1)\n")).value).toBeNull();
    expect((await stress("stress-ng: fail:  [1] verification failed\n")).value).toBeNull();
  });

  it("lists the cards that are plugged in", async () => {
    const files = treeOf(
      {
        ...{ "/sys/class/net/lo/type": "772\n", "/sys/class/net/lo/address": "00:00:00:00:00:00\n" },
        ...{ "/sys/class/net/eth0/type": "1\n", "/sys/class/net/eth0/address": "52:54:00:12:34:56\n" },
        "/sys/class/net/eth0/carrier": "1\n",
        ...{ "/sys/class/net/ib0/type": "32\n", "/sys/class/net/ib0/address": "a0:00\n" },
      },
      { "/sys/class/net/eth0/device": "/sys/devices/x", "/sys/class/net/ib0/device": "/sys/devices/y" },
    );
    const of = (addresses: readonly string[]) => systemTools(playBack, files, () => addresses).nics();
    const nic = { name: "eth0", mac: "52:54:00:12:34:56", up: true };
    expect((await of([])).value).toEqual([nic]);
    expect((await of(["10.1.0.7", "169.254.3.1", "FE80::5054:ff:fe12:3456", "2001:db8::7"])).value).toEqual([
      { ...nic, addresses: ["10.1.0.7", "2001:db8::7"] },
    ]);
    expect((await of(["fe80::1"])).value).toEqual([nic]);
  });

  it("believes a card's test only where it says that it passed", async () => {
    expect(await systemTools(playBack, treeOf({})).testNic("eth0")).toMatchObject({
      ...{ exitCode: 74, value: null, status: "not offered by the driver" },
    });
    const passed = printing("The test result is PASS\nThe test extra info:\n");
    expect((await systemTools(passed, treeOf({})).testNic("eth0")).value).toBe(true);
    const failed = printing("The test result is FAIL\n");
    expect((await systemTools(failed, treeOf({})).testNic("eth0")).value).toBeNull();
  });
});

describe("a variable of the firmware", () => {
  const guid = "e20939be-32d4-41be-a150-897f85d49829";
  const path = `/sys/firmware/efi/efivars/MemoryOverwriteRequestControl-${guid}`;
  it("is written with its attributes, after it was made mutable", async () => {
    const files = treeOf({ [path]: Uint8Array.of(7, 0, 0, 0, 1) });
    const commands: string[] = [];
    const run: typeof playBack = (program, args) => {
      commands.push([program, ...args].join(" "));
      return printing("")(program, args);
    };
    const efi = efiTools(run, files);
    expect((await efi.write("MemoryOverwriteRequestControl", guid, 7, Uint8Array.of(0))).value).toBe(true);
    expect(commands).toEqual([`/usr/bin/chattr -i ${path}`]);
    expect([...((await efi.read("MemoryOverwriteRequestControl", guid)).value ?? [])]).toEqual([
      7, 0, 0, 0, 0,
    ]);
  });
  it("is not there where it cannot be read, or has another name", async () => {
    expect(await efiTools(printing(""), treeOf({})).read("Other", guid)).toMatchObject({
      exitCode: 1,
      value: null,
    });
    expect(
      await efiTools(printing(""), treeOf({})).write("../../etc/passwd", guid, 7, Uint8Array.of(1)),
    ).toMatchObject({
      value: null,
    });
  });
});

it("reads the TPM's attributes, all or none", async () => {
  const tpm = tpmTools(playBack, treeOf({ "/sys/class/tpm/tpm0/dev": "10:224\n" }));
  expect((await tpm.clear()).value).toBe(true);
  expect((await tpm.state()).value).toEqual({
    ...{ ownerSet: false, endorsementSet: false, lockoutSet: false, clearDisabled: false },
  });
  const part = printing("TPM2_PT_PERMANENT:\n  ownerAuthSet:              0\n");
  expect((await tpmTools(part, treeOf({})).state()).value).toBeNull();
  expect((await tpm.found()).value).toBe(true);
  expect((await tpmTools(part, { ...treeOf({}), list: () => Promise.resolve([]) }).found()).value).toBe(
    false,
  );
  // Without the folder the kernel has no support for a TPM, and nothing is known.
  expect((await tpmTools(part, treeOf({})).found()).value).toBeNull();
});

describe("InfiniBand", () => {
  const folder = "/sys/class/infiniband";
  const device = (name: string, id: string, layer: string) => ({
    ...{
      [`${folder}/${name}/node_guid`]: "946d:ae03:0012:3456\n",
      [`${folder}/${name}/board_id`]: "MT_0000000838\n",
    },
    ...{
      [`${folder}/${name}/device/device`]: `${id}\n`,
      [`${folder}/${name}/ports/1/link_layer`]: `${layer}\n`,
    },
  });
  const card = (address: string, classCode = "0x020700") => pciFunction(address, classCode, "0x15b3").content;
  it("lists its devices with their PCI address, and no Ethernet card", async () => {
    const files = treeOf(
      {
        ...device("mlx5_0", "0x1021", "InfiniBand"),
        ...device("mlx5_1", "0xa2dc", "InfiniBand"),
        ...device("mlx5_2", "0x1021", "Ethernet"),
        ...card("0000:1a:00.0"),
      },
      {
        [`${folder}/mlx5_0/device`]: "/sys/devices/pci0000:00/0000:1a:00.0",
        [`${folder}/mlx5_1/device`]: "/sys/devices/pci0000:00/0000:9c:00.0",
      },
    );
    expect((await mstTools(playBack, files).list()).value).toEqual([
      { slot: "0000:1a:00.0", model: "MT_0000000838", guid: "946dae0300123456", ports: 1, dpu: false },
      { slot: "0000:9c:00.0", model: "MT_0000000838", guid: "946dae0300123456", ports: 1, dpu: true },
    ]);
  });
  it("has no list where a card of class InfiniBand is not there, or PCI cannot be read", async () => {
    expect((await mstTools(playBack, treeOf(card("0000:1a:00.0", "0x020000"))).list()).value).toEqual([]);
    for (const files of [card("0000:1a:00.0"), card("0000:1a:00.0", "0x028000"), {}])
      expect(await mstTools(playBack, treeOf(files)).list()).toMatchObject({ value: null });
  });
  it("reads settings as mstconfig lists them, by the number in brackets", () => {
    const printed =
      "Configurations:                              Next Boot\n         KEEP_IB_LINK_UP_P1                  True(1)\n         NUM_OF_VFS                          16\n";
    expect(readSettings(Buffer.from(printed))).toEqual({ KEEP_IB_LINK_UP_P1: "1", NUM_OF_VFS: "16" });
    expect(readSettings(Buffer.from("-E- No devices found"))).toBeNull();
  });
  it("sends nothing to what is no PCI address", async () => {
    expect(await mstTools(playBack, treeOf({})).reset("-h")).toMatchObject({ exitCode: 2, value: null });
  });
});
