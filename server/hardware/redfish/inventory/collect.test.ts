// Inventory of the two captured machines, and of machines that lack parts.
import { afterEach, describe, expect, it } from "vitest";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import { clientForTests, targetAt, typeOf, within } from "@/server/hardware/redfish/testing/setup";
import { message, send, TreeBmc, type TreeName } from "@/server/hardware/redfish/testing/tree-bmc";

let bmc: TreeBmc;
let client: RedfishClient;

async function start(tree: TreeName, hardwareType: string) {
  bmc = await TreeBmc.start(tree);
  client = clientForTests().client;
  return typeOf(client, hardwareType).inventory;
}

async function collect(tree: TreeName, hardwareType: string, fault: TreeBmc["fault"] = null) {
  const inventory = await start(tree, hardwareType);
  bmc.fault = fault;
  return inventory.collect(targetAt(bmc), { timeoutMs: 20_000 });
}

afterEach(async () => {
  await bmc.stop();
  await client.close();
});

describe("discover", () => {
  it("follows the links of the Dell machine", async () => {
    const inventory = await start("dell", "idrac");
    expect(await inventory.discover(targetAt(bmc), within)).toEqual({
      ok: true,
      value: {
        links: {
          system: "/redfish/v1/Systems/System.Embedded.1",
          manager: "/redfish/v1/Managers/iDRAC.Embedded.1",
          resetAction: "/redfish/v1/Systems/System.Embedded.1/Actions/ComputerSystem.Reset",
          resetTypes: [
            "On",
            "ForceOff",
            "ForceRestart",
            "GracefulRestart",
            "GracefulShutdown",
            "PushPowerButton",
            "Nmi",
            "PowerCycle",
          ],
          bootTargets: [
            "None",
            "Pxe",
            "Floppy",
            "Cd",
            "Hdd",
            "BiosSetup",
            "Utilities",
            "UefiTarget",
            "SDCard",
            "UefiHttp",
          ],
          sessions: "/redfish/v1/SessionService/Sessions",
        },
        system: {
          power: "on",
          bootOverride: { source: "none", enabled: false },
          serial: "CNIVC0014M0388",
          uuid: "4c4c4544-0035-3410-8050-c6c04f314733",
          manufacturer: "Dell Inc.",
          model: "PowerEdge R750",
          resetMark: "2024-06-11T00:14:47-05:00",
        },
      },
    });
    expect(bmc.takeLines()).toEqual([
      "GET /redfish/v1/",
      "POST /redfish/v1/SessionService/Sessions",
      "GET /redfish/v1/Systems",
      "GET /redfish/v1/Systems/System.Embedded.1",
    ]);
  });

  it("follows the links of the Lenovo machine", async () => {
    const inventory = await start("lenovo", "xclarity");
    expect(await inventory.discover(targetAt(bmc), within)).toMatchObject({
      ok: true,
      value: {
        links: { system: "/redfish/v1/Systems/1", manager: "/redfish/v1/Managers/1" },
        system: { serial: "J101RZ43", model: "ThinkSystem SR670 V2" },
      },
    });
  });

  it("reads the reset types from the action's description when the action lists none", async () => {
    const inventory = await start("lenovo", "xclarity");
    const systemPath = "/redfish/v1/Systems/1";
    bmc.fault = ({ path }, response) => {
      if (path !== systemPath) return false;
      const reset = {
        target: `${systemPath}/Actions/Reset`,
        "@Redfish.ActionInfo": `${systemPath}/ResetActionInfo`,
      };
      send(response, 200, {
        "@odata.id": systemPath,
        Boot: {},
        Actions: { "#ComputerSystem.Reset": reset },
        Links: { ManagedBy: [{ "@odata.id": "/m" }] },
      });
      return true;
    };
    const discovered = await inventory.discover(targetAt(bmc), within);
    expect(discovered.ok && discovered.value.links.resetTypes).toContain("ForceRestart");
  });

  it("takes the host among the systems of a BMC that lists boards beside it, over several pages", async () => {
    const inventory = await start("lenovo", "xclarity");
    const startable = {
      Actions: { "#ComputerSystem.Reset": { target: "/reset" } },
      Links: { ManagedBy: [{ "@odata.id": "/manager" }] },
    };
    bmc.fault = ({ path }, response) => {
      if (path === "/redfish/v1/Systems")
        send(response, 200, {
          Members: [{ "@odata.id": "/redfish/v1/Systems/gpu" }, { "@odata.id": "/redfish/v1/Systems/board" }],
          "Members@odata.nextLink": "/redfish/v1/Systems?$skip=1",
        });
      else if (path === "/redfish/v1/Systems?$skip=1")
        send(response, 200, {
          Members: [{ "@odata.id": "/redfish/v1/Systems/1" }],
          "Members@odata.count": 3,
        });
      else if (path === "/redfish/v1/Systems/gpu")
        send(response, 200, { "@odata.id": path, SystemType: "DPU", Boot: {}, ...startable });
      else if (path === "/redfish/v1/Systems/board") send(response, 200, { "@odata.id": path, ...startable });
      else return false;
      return true;
    };
    expect(await inventory.discover(targetAt(bmc), within)).toMatchObject({
      ok: true,
      value: { links: { system: "/redfish/v1/Systems/1" } },
    });
  });

  it.each([
    ["no systems", (path: string) => path === "/redfish/v1/Systems" && { Members: [] }],
    [
      "no Systems link",
      (path: string) =>
        path === "/redfish/v1/" && {
          Links: { Sessions: { "@odata.id": "/redfish/v1/SessionService/Sessions" } },
        },
    ],
    [
      "a system without reset",
      (path: string) => path === "/redfish/v1/Systems/1" && { "@odata.id": path, Boot: {} },
    ],
  ])("of a BMC with %s is unsupported", async (_name, content) => {
    const inventory = await start("lenovo", "redfish");
    bmc.fault = ({ path }, response) => {
      const body = content(path);
      if (body !== false) send(response, 200, body);
      return body !== false;
    };
    expect(await inventory.discover(targetAt(bmc), within)).toMatchObject({
      ok: false,
      error: { kind: "unsupported" },
    });
  });

  it("stays at the BMC, though its links name another machine", async () => {
    const inventory = await start("lenovo", "redfish");
    bmc.fault = ({ path }, response) =>
      path === "/redfish/v1/Systems" &&
      (send(response, 200, { Members: [{ "@odata.id": "http://169.254.169.254/redfish/v1/Systems/1" }] }),
      true);
    expect(await inventory.discover(targetAt(bmc), within)).toMatchObject({
      ok: true,
      value: { links: { system: "/redfish/v1/Systems/1" } },
    });
  });
});

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
    expect(leftOut).toEqual([]);
    // Its drives offer an erase, but hang on the processor: the agent reaches them, so they are not the BMC's to erase.
    expect(inventory.platform).toEqual({
      bossController: null,
      bossDrives: [],
      raidController: null,
      erasableDrives: [],
      bios: true,
      tpmClear: true,
      secureBoot: true,
      lockdown: false,
      jobQueue: true,
      firmwareUpdate: true,
    });
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
    // The one interface that it lists is the link to the BMC itself.
    expect(inventory.macs).toEqual([]);
    expect(leftOut).toEqual(["network addresses: the BMC does not report the host's own ports"]);
    expect(inventory.firmware.map(({ component }) => component)).not.toContain("Firmware:BMC-Backup");
    expect(inventory.firmware.length).toBeGreaterThan(5);
    expect(inventory.platform).toEqual({
      bossController: null,
      bossDrives: [],
      raidController: null,
      erasableDrives: [],
      bios: true,
      tpmClear: true,
      secureBoot: true,
      lockdown: null,
      jobQueue: false,
      firmwareUpdate: true,
    });
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

  it("offers nothing for a part that the BMC does not answer for", async () => {
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
        `The BMC does not tell which drives the system has (storage: GET /redfish/v1/Systems/1/Storage was answered ${status}; Base.1.12.InternalError: Not today.). A drive behind it would not be missed. Correct what the BMC says and read the inventory again, or state that it was misread.`,
      ]);
    },
  );

  describe.each(["collect", "storage"] as const)(
    "by %s, a list of drives that may lack one is an error:",
    (call) => {
      const unit = "/redfish/v1/Systems/1/Storage/Direct_Attached_NVMe";
      const storage = "/redfish/v1/Systems/1/Storage";
      const drives = [0, 1].map((bay) => ({ "@odata.id": `${unit}/Drives/Drive.Bay_${bay}` }));
      const wrong: [string, string, number, Record<string, unknown> | string][] = [
        ...[400, 401, 403, 404, 408, 409, 410, 412, 500].map(
          (status): [string, string, number, Record<string, unknown> | string] => [
            `a drive that answers ${status}`,
            `${unit}/Drives/Drive.Bay_1`,
            status,
            "",
          ],
        ),
        ...[400, 403, 410, 500].map((status): [string, string, number, Record<string, unknown> | string] => [
          `storage that answers ${status}`,
          storage,
          status,
          "",
        ]),
        ["a unit that is listed and not there", unit, 404, ""],
        ["junk in place of JSON", storage, 200, "<html>"],
        ["an empty answer", unit, 200, ""],
        ["a list in place of a unit", unit, 200, "[]"],
        ["a drive that is none", `${unit}/Drives/Drive.Bay_1`, 200, "17"],
        ["no Members", storage, 200, { "Members@odata.count": 1 }],
        ["Members that are no list", storage, 200, { Members: { "@odata.id": unit } }],
        [
          "a member that is no link",
          storage,
          200,
          { Members: [{ "@odata.id": unit }, { id: "x" }], "Members@odata.count": 2 },
        ],
        [
          "fewer members than it counts",
          storage,
          200,
          { Members: [{ "@odata.id": unit }], "Members@odata.count": 2 },
        ],
        [
          "a next page that leads back",
          storage,
          200,
          { Members: [{ "@odata.id": unit }], "Members@odata.nextLink": storage },
        ],
        [
          "a next page that leads nowhere",
          storage,
          200,
          { Members: [{ "@odata.id": unit }], "Members@odata.nextLink": "mailto:x" },
        ],
        [
          "a next page that is not there",
          storage,
          200,
          { Members: [{ "@odata.id": unit }], "Members@odata.nextLink": `${storage}?$skip=1` },
        ],
        [
          "fewer drives than the unit counts",
          unit,
          200,
          { Drives: drives.slice(1), "Drives@odata.count": 2 },
        ],
        [
          "drives that go on at another page",
          unit,
          200,
          { Drives: drives, "Drives@odata.nextLink": `${unit}?$skip=2` },
        ],
        ["a drive that is no link", unit, 200, { Drives: [...drives, null] }],
        ["drives that are no list", unit, 200, { Drives: "2" }],
      ];

      it.each(wrong)("%s", async (_what, at, status, body) => {
        const inventory = await start("lenovo", "redfish");
        bmc.fault = ({ path }, response) => path === at && (send(response, status, body), true);
        const result = await inventory[call](targetAt(bmc), within);
        expect(result.ok ? result.value : result.error.message).toEqual(expect.stringContaining(storage));
      });

      it("and one of a BMC that goes silent", async () => {
        const inventory = await start("lenovo", "redfish");
        bmc.fault = ({ path }, response) =>
          path.endsWith("Drive.Bay_1") && (response.socket?.destroy(), true);
        expect(await inventory[call](targetAt(bmc), within)).toMatchObject({
          ok: false,
          error: { kind: "unreachable" },
        });
      });
    },
  );

  it("says of a storage controller without a list of drives that nobody knows them", async () => {
    const unit = "/redfish/v1/Systems/1/Storage/Direct_Attached_NVMe";
    const result = await collect(
      "lenovo",
      "redfish",
      ({ path }, response) => path === unit && (send(response, 200, { Id: "RAID" }), true),
    );
    expect(result).toMatchObject({
      ok: true,
      value: {
        inventory: {
          storage: [],
          unresolved: [
            {
              source: "bmc",
              place: unit,
              serial: null,
              reason: expect.stringMatching(/RAID does not tell which drives it has/),
            },
          ],
        },
      },
    });
  });

  it.each([
    ["without a serial number", { SerialNumber: null }, "it has no serial number"],
    ["without a model", { Model: " " }, "it has no model"],
    ["with an unknown protocol", { Protocol: "Quantum" }, "its protocol Quantum is not one we know"],
    ["without a protocol", { Protocol: null }, "its protocol (none) is not one we know"],
    ["without a capacity", { CapacityBytes: null }, "it has no capacity"],
    ["of no bytes", { CapacityBytes: 0 }, "it has no capacity"],
    ["with half a byte", { CapacityBytes: 0.5 }, "its capacityBytes is missing or wrong"],
    [
      "of unknown medium",
      { Protocol: "SATA", MediaType: null, RotationSpeedRPM: null },
      "its medium (none) is not one we know",
    ],
  ])("names a drive %s, and says why it is none of ours", async (_name, change, reason) => {
    const result = await collect("lenovo", "redfish", driveLike(change));
    const path = "/redfish/v1/Systems/1/Storage/Direct_Attached_NVMe/Drives/Drive.Bay_1";
    const [serial, model] = ["SerialNumber" in change ? null : "SN1", "Model" in change ? null : "M1"];
    expect(result.ok && result.value.inventory.storage).toHaveLength(1);
    expect(result.ok && result.value.inventory.unresolved).toMatchObject([
      { source: "bmc", place: path, slot: "Drive.Bay_1", serial, model },
    ]);
    const said = `Drive ${serial === null ? "" : "SN1 "}in Drive.Bay_1 (${path}) cannot be matched with any drive: ${reason}. Correct what the BMC says and read the inventory again, or state that it was misread.`;
    expect(result.ok && result.value.inventory.unresolved[0]?.reason).toBe(said);
    expect(result.ok && result.value.leftOut[0]).toBe(said);
  });

  it("keeps two drives of one serial number", async () => {
    const result = await collect(
      "lenovo",
      "redfish",
      driveLike({ SerialNumber: "PHAB1234034Z1P9SGN", Model: "SSDPF2KE016T9L" }),
    );
    expect(result.ok && result.value.inventory.storage.map(({ serial, slot }) => [serial, slot])).toEqual([
      ["PHAB1234034Z1P9SGN", "Drive 0"],
      ["PHAB1234034Z1P9SGN", "Drive.Bay_1"],
    ]);
  });

  it("reads the drives alone, and whose they are, with few requests", async () => {
    const inventory = await start("dell", "idrac");
    const discovered = await inventory.discover(targetAt(bmc), within);
    bmc.takeLines();
    const result = await inventory.storage(
      targetAt(bmc, discovered.ok ? discovered.value.links : null),
      within,
    );
    expect(result.ok && result.value.system.serial).toBe("CNIVC0014M0388");
    expect(result.ok && result.value.storage.map(({ serial }) => serial).toSorted()).toEqual([
      "61M0A08ZTCD8",
      "61P0A06CTCD8",
      "61X0A002TCD8",
    ]);
    expect(result.ok && result.value.platform).toEqual({
      bossController: null,
      bossDrives: [],
      raidController: null,
      erasableDrives: [],
    });
    expect(bmc.takeLines().length).toBeLessThanOrEqual(10);
  });

  it.each([
    ["a SATA disk", { Protocol: "SATA", MediaType: "HDD" }, { media: "hdd", transport: "sata" }],
    ["a SAS solid state drive", { Protocol: "SAS", MediaType: "SSD" }, { media: "ssd", transport: "sas" }],
    [
      "a disk that turns",
      { Protocol: "SAS", MediaType: null, RotationSpeedRPM: 7200 },
      { media: "hdd", transport: "sas" },
    ],
    ["a stick", { Protocol: "USB", MediaType: "SSD" }, { media: "ssd", transport: "usb", removable: true }],
    [
      "a drive with a worldwide name",
      { Identifiers: [{ DurableNameFormat: "NAA", DurableName: "5000C500A1B2C3D4" }] },
      { wwn: "5000C500A1B2C3D4" },
    ],
    ["a drive in a bay without a label", { PhysicalLocation: null }, { slot: "Drive.Bay_1" }],
  ])("knows %s", async (_name, change, expected) => {
    const result = await collect("lenovo", "redfish", driveLike(change));
    expect(result.ok && result.value.inventory.storage.find(({ serial }) => serial === "SN1")).toMatchObject(
      expected,
    );
  });

  it("takes an empty bay for no drive", async () => {
    const result = await collect(
      "lenovo",
      "redfish",
      driveLike({ Status: { State: "Absent" }, SerialNumber: null }),
    );
    expect(result.ok && result.value.inventory.storage).toHaveLength(1);
    expect(result.ok && result.value.leftOut).toHaveLength(1);
  });

  it("takes addresses from the adapters when the interfaces tell none", async () => {
    const functions = "/redfish/v1/Chassis/1/NetworkAdapters/slot-3/NetworkDeviceFunctions";
    const result = await collect("lenovo", "redfish", ({ path }, response) => {
      if (path === functions) send(response, 200, { Members: [{ "@odata.id": `${functions}/1` }] });
      else if (path === `${functions}/1`)
        send(response, 200, { Ethernet: { MACAddress: "B8:3F:D2:90:97:C4" } });
      else return false;
      return true;
    });
    expect(result.ok && result.value.inventory.macs).toEqual(["b8:3f:d2:90:97:c4"]);
  });

  it("of a BMC that goes away half-way is an error, not half an inventory", async () => {
    const result = await collect(
      "dell",
      "idrac",
      ({ path }, response) => path.includes("/Drives/") && (response.socket?.destroy(), true),
    );
    expect(result).toMatchObject({ ok: false, error: { kind: "unreachable", unknownOutcome: false } });
    expect(bmc.received.some(({ path }) => path.includes("UpdateService"))).toBe(false);
  });

  it("asks nothing more once it must give up", async () => {
    const members = "/redfish/v1/UpdateService/FirmwareInventory/";
    let first: string | null = null;
    const result = await collect("dell", "idrac", ({ path }, response) => {
      if (!path.startsWith(members)) return false;
      first ??= path;
      if (path === first) response.socket?.destroy();
      else setTimeout(() => send(response, 404), 10);
      return true;
    });
    expect(result.ok).toBe(false);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(bmc.received.filter(({ path }) => path.startsWith(members)).length).toBeLessThan(10);
  });
});

/** Serves drive 1 of the Lenovo machine as another one. */
function driveLike(change: Record<string, unknown>): TreeBmc["fault"] {
  return ({ path }, response) => {
    if (!path.endsWith("Drive.Bay_1")) return false;
    send(response, 200, {
      Id: "Drive.Bay_1",
      SerialNumber: "SN1",
      Model: "M1",
      Protocol: "NVMe",
      MediaType: "SSD",
      CapacityBytes: 1000,
      ...change,
    });
    return true;
  };
}
