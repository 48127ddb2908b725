// Inventory of the two captured machines, and of machines without some parts.
import { describe, expect, it } from "vitest";
import { message, send } from "@/server/hardware/redfish/testing/tree-bmc";
import { inventoryBench } from "@/server/hardware/redfish/testing/benches";

const bench = inventoryBench();
const { collect } = bench;

/** What both machines have: no storage controller, and platform settings that can be changed. */
const withoutControllers = {
  bossController: null,
  bossDrives: [],
  raidController: null,
  erasableDrives: [],
  bios: true,
  tpmClear: true,
  secureBoot: true,
  firmwareUpdate: true,
};

describe("collect", () => {
  it("inventories the Dell machine", async () => {
    const result = await collect("dell", "idrac");
    if (!result.ok) throw new Error(result.error.message);
    const { inventory, leftOut } = result.value;
    expect(inventory.storage).toHaveLength(3);
    expect(inventory.storage).toContainEqual({
      serial: "61P0A06CTCD8",
      model: "Dell Ent NVMe CM6 RI 1.92TB",
      manufacturer: "KIOXIA Corporation",
      firmware: "2.1.3",
      media: "nvme",
      transport: "nvme",
      slot: "Slot 2",
      capacityBytes: "1920383410176",
      removable: false,
    });
    expect(inventory.macs.toSorted()).toEqual([
      "70:b5:e8:f0:52:dc",
      "70:b5:e8:f0:52:dd",
      "b8:3f:d2:90:97:c4",
      "e4:3d:1a:13:27:f0",
      "e4:3d:1a:13:27:f1",
    ]);
    expect(inventory.firmware).toContainEqual({ component: "BIOS", version: "1.8.2" });
    expect(inventory.firmware).toContainEqual({
      component: "Integrated Dell Remote Access Controller",
      version: "6.00.30.00",
    });
    expect(inventory.firmware.some(({ version }) => version === "4.40.29.00" || version === "1.2.4")).toBe(
      false,
    );
    expect(new Set(inventory.firmware.map(({ component }) => component)).size).toBe(
      inventory.firmware.length,
    );
    expect(inventory.firmware).toHaveLength(21);
    // Another host's baseline must mean the same components: no MAC address, and no version, is in a name.
    expect(inventory.firmware.map(({ component }) => component)).toEqual(
      expect.arrayContaining([
        "Broadcom Gigabit Ethernet BCM5720 (NIC.Embedded.1-1-1)",
        "Mellanox ConnectX-6 Dual Port 10 GbE QSFP Network Adapter (InfiniBand.Slot.7-1)",
      ]),
    );
    expect(inventory.firmware.filter(({ component }) => /..:..:..|__/.test(component))).toEqual([]);
    expect(leftOut).toEqual([]);
    // Its drives offer an erase, but they are attached to the processor. The agent reaches them, so the BMC does not erase them.
    expect(inventory.platform).toEqual({ ...withoutControllers, lockdown: false, jobQueue: true });
    expect(inventory.bios).toMatchObject({ LogicalProc: expect.any(String), AcPwrRcvryUserDelay: 120 });
    expect(
      Object.keys(inventory.bios ?? {}).filter((name) => /password|secret|asset|servicetag/i.test(name)),
    ).toEqual([]);
  });

  it("inventories the Lenovo machine, and says what its BMC does not tell", async () => {
    const result = await collect("lenovo", "xclarity");
    if (!result.ok) throw new Error(result.error.message);
    const { inventory, leftOut } = result.value;
    expect(inventory.storage).toEqual(
      [
        ["PHAB1234034Z1P9SGN", "Drive 0"],
        ["PHAB123401GY1P9SGN", "Drive 1"],
      ].map(([serial, slot]) => ({
        serial,
        slot,
        model: "SSDPF2KE016T9L",
        manufacturer: "LENOVO (Intel)",
        firmware: "2CV1L028",
        media: "nvme",
        transport: "nvme",
        capacityBytes: "1600000000000",
        removable: false,
      })),
    );
    // The only interface that it lists is the link to the BMC itself.
    expect(inventory.macs).toEqual([]);
    expect(leftOut).toEqual(["network addresses: the BMC does not report the host's own ports"]);
    expect(inventory.firmware.map(({ component }) => component)).not.toContain("Firmware:BMC-Backup");
    expect(inventory.firmware.length).toBeGreaterThan(5);
    expect(inventory.platform).toEqual({ ...withoutControllers, lockdown: null, jobQueue: false });
    const attributes = Object.keys(inventory.bios ?? {});
    expect(attributes).toContain("Processors_HyperThreading");
    // Each network card has one setting with the card's MAC address in its name.
    expect(attributes.filter((name) => name.startsWith("NvidiaNetworkAdapter"))).toEqual([]);
  });

  it("keeps what a baseline may say of the BMC, and says why the rest is not known", async () => {
    const result = await collect("dell", "idrac");
    expect(result.ok && result.value.inventory.bmcSettings).toMatchObject({
      accounts: ["root", "forge_admin"],
      subscriptions: ["127.0.0.1"],
      hostInterface: expect.any(Boolean),
      bootEntries: expect.arrayContaining([expect.any(String)]),
      // The capture lacks a list that the database links to: what is not shown is not empty.
      left: expect.arrayContaining([
        expect.stringMatching(/secure-boot database db: the BMC has no .*Certificates/),
      ]),
    });
    const broken = await collect(
      "dell",
      "idrac",
      ({ path }, response) => /\/AccountService$/.test(path) && (send(response, 500), true),
    );
    expect(broken.ok && broken.value.inventory.bmcSettings?.accounts).toBeUndefined();
    expect(broken.ok && broken.value.inventory.bmcSettings?.left.join()).toContain("accounts: ");
    expect(broken.ok && broken.value.leftOut).toEqual([]);
  });

  it("keeps of the boot menu what means the same on every host of the model", async () => {
    const named = (reference: string, change: object) =>
      collect("dell", "idrac", ({ path }, response) => {
        if (!path.endsWith(`/BootOptions/${reference}`)) return false;
        const entry = { BootOptionReference: reference, BootOptionEnabled: true };
        send(response, 200, { "@odata.id": path, ...entry, ...change });
        return true;
      });
    const port = await named("Boot0000", {
      DisplayName: "UEFI HTTPv4 (MAC:B8CEF6B8A006)",
      UefiDevicePath: "PciRoot(0x0)/Pci(0x1,0x0)/MAC(B8CEF6B8A006,0x1)/IPv4(0.0.0.0)/Uri()",
    });
    const settings = port.ok ? port.value.inventory.bmcSettings : null;
    expect(settings?.bootOrder).toEqual(["UEFI HTTPv4"]);
    expect(settings?.bootEntries).toContain("UEFI HTTPv4");
    const drive = await named("Boot0002", {
      DisplayName: "UEFI KIOXIA CM6 61P0A06CTCD8",
      UefiDevicePath: "PciRoot(0xB)/Pci(0x3,0x0)/NVMe(0x1,01-CA-C7-06-E2-8E-E3-8C)",
    });
    expect(drive.ok && drive.value.inventory.bmcSettings?.bootEntries).toBeUndefined();
    expect(drive.ok && drive.value.inventory.bmcSettings?.left).toContain(
      "boot entries: UEFI KIOXIA CM6 61P0A06CTCD8 may be named after a drive of this host",
    );
    const lenovo = await collect("lenovo", "xclarity");
    expect(lenovo.ok && lenovo.value.inventory.bmcSettings?.left).toContain(
      "boot order: it begins with ubuntu, which is not the same on every host of the model",
    );
  });

  it("finds the same drives whatever the hardware type", async () => {
    const result = await collect("dell", "redfish");
    expect(result.ok && result.value.inventory.storage.map(({ serial }) => serial).toSorted()).toEqual([
      "61M0A08ZTCD8",
      "61P0A06CTCD8",
      "61X0A002TCD8",
    ]);
  });

  it("takes nothing of a vendor's own for granted where the hardware type is the standard's", async () => {
    const result = await collect("dell", "redfish");
    expect(result.ok && result.value.inventory.platform).toMatchObject({
      bios: true,
      tpmClear: false,
      secureBoot: true,
      lockdown: null,
      jobQueue: false,
    });
  });

  it("offers nothing for a part that the BMC does not respond for", async () => {
    const result = await collect(
      "dell",
      "idrac",
      ({ path }, response) =>
        /\/(Bios|SecureBoot|UpdateService|DellAttributes\/iDRAC.Embedded.1)$/.test(path) &&
        (send(response, 404), true),
    );
    expect(result.ok && result.value.inventory.platform).toMatchObject({
      bios: false,
      tpmClear: false,
      secureBoot: false,
      lockdown: null,
      firmwareUpdate: false,
    });
    expect(result.ok && result.value.inventory.bios).toBeNull();
  });

  it.each([
    [
      "RAID.Slot.1-1",
      {
        bossController: null,
        bossDrives: [],
        raidController: "RAID.Slot.1-1",
        erasableDrives: ["61X0A002TCD8", "61M0A08ZTCD8"],
      },
    ],
    [
      "BOSS.SL.14-1",
      {
        bossController: "BOSS.SL.14-1",
        bossDrives: ["61X0A002TCD8", "61M0A08ZTCD8"],
        raidController: null,
        erasableDrives: [],
      },
    ],
  ])("tells the storage controller %s from an adapter", async (id, expected) => {
    const unit = "/redfish/v1/Systems/System.Embedded.1/Storage/CPU.1";
    const result = await collect("dell", "idrac", ({ path }, response) => {
      if (path !== unit) return false;
      const drives = ["Disk.Bay.0:Enclosure.Internal.0-1", "Disk.Bay.1:Enclosure.Internal.0-1"].map(
        (name) => ({ "@odata.id": `${unit}/Drives/${name}` }),
      );
      send(response, 200, {
        Id: id,
        Drives: drives,
        Volumes: { "@odata.id": `${unit}/Volumes` },
        StorageControllers: [{ Name: id, SupportedRAIDTypes: ["RAID0", "RAID1"] }],
      });
      return true;
    });
    expect(result.ok && result.value.inventory.platform).toMatchObject(expected);
  });

  it.each([404, 405, 501])(
    "leaves out storage and firmware that answer %i, with the reason, and says that nobody knows its drives",
    async (status) => {
      const result = await collect("lenovo", "redfish", ({ path }, response) => {
        if (!path.endsWith("/Storage") && path !== "/redfish/v1/UpdateService") return false;
        send(response, status, message("Base.1.12.InternalError", "Not today."));
        return true;
      });
      expect(result).toMatchObject({ ok: true, value: { inventory: { storage: [], firmware: [] } } });
      expect(result.ok && result.value.leftOut.slice(0, 1)).toEqual([
        `storage: GET /redfish/v1/Systems/1/Storage was answered ${status}; Base.1.12.InternalError: Not today.`,
      ]);
      expect(
        result.ok &&
          result.value.leftOut.some((line) => line.startsWith("firmware: GET /redfish/v1/UpdateService")),
      ).toBe(true);
      expect(result.ok && result.value.inventory.unresolved.map(({ reason }) => reason)).toEqual([
        `The BMC does not report which drives the system has (storage: GET /redfish/v1/Systems/1/Storage was answered ${status}; Base.1.12.InternalError: Not today.). A missing drive behind it would go unnoticed. Correct what the BMC reports and read the inventory again, or record the drive as misread.`,
      ]);
    },
  );
});
