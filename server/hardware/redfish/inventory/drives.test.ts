// The drives of a BMC: what it lists, what it does not report, and what is unresolved as a result (docs/adr/0019).
import { describe, expect, it } from "vitest";
import { targetAt, within } from "@/server/hardware/redfish/testing/setup";
import type { TreeBmc } from "@/server/hardware/redfish/testing/tree-bmc";
import { send } from "@/server/hardware/redfish/testing/tree-bmc";
import { inventoryBench } from "@/server/hardware/redfish/testing/benches";

const bench = inventoryBench();
const { collect, start } = bench;

describe("what a BMC does not say of its drives", () => {
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
        bench.bmc.fault = ({ path }, response) => path === at && (send(response, status, body), true);
        const result = await inventory[call](targetAt(bench.bmc), within);
        expect(result.ok ? result.value : result.error.message).toEqual(expect.stringContaining(storage));
      });

      it("and one of a BMC that goes silent", async () => {
        const inventory = await start("lenovo", "redfish");
        bench.bmc.fault = ({ path }, response) =>
          path.endsWith("Drive.Bay_1") && (response.socket?.destroy(), true);
        expect(await inventory[call](targetAt(bench.bmc), within)).toMatchObject({
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
              reason: expect.stringMatching(/RAID does not report its drives/),
            },
          ],
        },
      },
    });
  });
});

describe("a BMC that lists no drives", () => {
  const system = "/redfish/v1/Systems/1";
  const empty = { Members: [], "Members@odata.count": 0 };
  const simple = `${system}/SimpleStorage`;
  const unitOf = (devices: readonly object[]): Record<string, unknown> => ({
    "@odata.id": `${simple}/1`,
    Id: "1",
    Devices: devices,
  });
  const lists = (devices: readonly object[]): TreeBmc["fault"] => {
    const answers: Readonly<Record<string, Record<string, unknown>>> = {
      [`${system}/Storage`]: empty,
      [simple]: { Members: [{ "@odata.id": `${simple}/1` }], "Members@odata.count": 1 },
      [`${simple}/1`]: unitOf(devices),
    };
    return ({ path }, response) => path in answers && (send(response, 200, answers[path] ?? {}), true);
  };
  const read = async (
    call: "collect" | "storage",
    power: "On" | "Off",
    simpleDevices: readonly object[] | null,
    whenListed = () => {},
  ) => {
    const inventory = await start("lenovo", "redfish");
    const discovered = await inventory.discover(targetAt(bench.bmc), within);
    const { SimpleStorage: _, ...content } = bench.bmc.contentOf(system);
    bench.bmc.replaced.set(system, {
      ...content,
      ...(simpleDevices === null ? {} : { SimpleStorage: { "@odata.id": simple } }),
    });
    bench.bmc.power = power;
    const answer = lists(simpleDevices ?? []);
    bench.bmc.fault = (request, response) => {
      if (request.path === `${system}/Storage`) whenListed();
      return answer?.(request, response) === true;
    };
    bench.jump(60_000);
    const target = targetAt(bench.bmc, discovered.ok ? discovered.value.links : null);
    const result =
      call === "collect"
        ? await inventory.collect(target, { timeoutMs: 20_000 })
        : await inventory.storage(target, within);
    if (!result.ok) throw new Error(result.error.message);
    const found = "inventory" in result.value ? result.value.inventory : result.value;
    return [found.storage.length, found.unresolved] as const;
  };

  describe.each(["collect", "storage"] as const)("by %s", (call) => {
    it("has none if the machine is on and nothing else lists any", async () => {
      expect(await read(call, "On", null)).toEqual([0, []]);
      expect(await read(call, "On", [])).toEqual([0, []]);
    });

    it("does not say so of a machine that is off", async () =>
      expect(await read(call, "Off", null)).toMatchObject([
        0,
        [{ place: "the system's storage", reason: expect.stringMatching(/not on .*Switch it on/) }],
      ]));

    it("nor of one that is switched off while it is read", async () => {
      const off = () => (bench.bmc.power = "Off");
      expect(await read(call, "On", null, off)).toMatchObject([
        0,
        [{ reason: expect.stringMatching(/not on/) }],
      ]);
    });

    it("takes an empty bay in SimpleStorage for no drive", async () =>
      expect(await read(call, "On", [{ Name: "Bay 1", Status: { State: "Absent" } }])).toEqual([0, []]));

    it("names each that SimpleStorage lists, which has no serial numbers", async () =>
      expect(await read(call, "On", [{ Name: "Disk 1", Model: "INTEL SSDSC2KB480G8" }, {}])).toMatchObject([
        0,
        [
          { place: `${simple}/1#/Devices/0`, slot: "Disk 1", model: "INTEL SSDSC2KB480G8", serial: null },
          { place: `${simple}/1#/Devices/1`, model: null },
        ],
      ]));
  });
});

describe("the drives that a BMC lists", () => {
  it.each([
    ["without a serial number", { SerialNumber: null }, "it has no serial number"],
    ["without a model", { Model: " " }, "it has no model"],
    ["with an unknown protocol", { Protocol: "Quantum" }, "its protocol Quantum is unknown"],
    ["without a protocol", { Protocol: null }, "its protocol (none) is unknown"],
    ["without a capacity", { CapacityBytes: null }, "it has no capacity"],
    ["of no bytes", { CapacityBytes: 0 }, "it has no capacity"],
    ["with half a byte", { CapacityBytes: 0.5 }, "its capacityBytes is missing or wrong"],
    [
      "of unknown medium",
      { Protocol: "SATA", MediaType: null, RotationSpeedRPM: null },
      "its medium (none) is unknown",
    ],
  ])("names a drive %s, and says why it is none of ours", async (_name, change, reason) => {
    const result = await collect("lenovo", "redfish", driveLike(change));
    const path = "/redfish/v1/Systems/1/Storage/Direct_Attached_NVMe/Drives/Drive.Bay_1";
    const [serial, model] = ["SerialNumber" in change ? null : "SN1", "Model" in change ? null : "M1"];
    expect(result.ok && result.value.inventory.storage).toHaveLength(1);
    expect(result.ok && result.value.inventory.unresolved).toMatchObject([
      { source: "bmc", place: path, slot: "Drive.Bay_1", serial, model },
    ]);
    const said = `Drive ${serial === null ? "" : "SN1 "}in Drive.Bay_1 (${path}) cannot be matched with any drive: ${reason}. Correct what the BMC reports and read the inventory again, or record the drive as misread.`;
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
    const discovered = await inventory.discover(targetAt(bench.bmc), within);
    bench.bmc.takeLines();
    const result = await inventory.storage(
      targetAt(bench.bmc, discovered.ok ? discovered.value.links : null),
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
    expect(bench.bmc.takeLines().length).toBeLessThanOrEqual(10);
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

  it.each(["Disabled", "StandbyOffline", "UnavailableOffline", "Updating", null])(
    "takes a drive whose state is %s for a drive",
    async (State) => {
      const result = await collect("lenovo", "redfish", driveLike({ Status: { State } }));
      expect(result.ok && result.value.inventory.storage.map(({ serial }) => serial)).toContain("SN1");
    },
  );

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
    expect(bench.bmc.received.some(({ path }) => path.includes("UpdateService"))).toBe(false);
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
    expect(bench.bmc.received.filter(({ path }) => path.startsWith(members)).length).toBeLessThan(10);
  });
});

/** Serves drive 1 of the Lenovo machine with changed properties. */
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

describe("a list that is not as the standard has it", () => {
  const storage = "/redfish/v1/Systems/1/Storage";

  it("has nothing unsaid if it is null and counts none (BlueField)", async () => {
    const inventory = await bench.start("lenovo", "xclarity");
    bench.bmc.replaced.set(storage, { Members: null, "Members@odata.count": 0 });
    const read = await inventory.storage(targetAt(bench.bmc), within);
    expect(read).toMatchObject({ ok: true, value: { storage: [], unresolved: [] } });
  });

  it.each([
    ["neither members nor a count (DGX H100)", {}],
    ["no members and counts none", { "Members@odata.count": 0 }],
  ])("of drives tells nothing if it has %s", async (_what, counts) => {
    const inventory = await bench.start("lenovo", "xclarity");
    bench.bmc.replaced.set(storage, { "@odata.id": storage, ...counts });
    const read = await inventory.storage(targetAt(bench.bmc), within);
    expect(read).toMatchObject({
      ok: true,
      value: { storage: [], unresolved: [{ reason: expect.stringContaining("is not a collection") }] },
    });
  });

  it.each([
    ["one protocol for all", [["NVMe"]], "nvme", 0],
    ["NVMe as PCIe", [["PCIe"]], "nvme", 0],
    ["SAS, which SATA drives may be behind", [["SAS"]], undefined, 2],
    ["several protocols", [["NVMe", "SATA"]], undefined, 2],
    ["a controller that tells none", [["NVMe"], null], undefined, 2],
  ] as const)(
    "of a controller with %s says which one its drives have",
    async (_what, lists, transport, unresolved) => {
      const inventory = await bench.start("lenovo", "xclarity");
      const unit = `${storage}/Direct_Attached_NVMe`;
      const { Drives: drives = [] } = bench.bmc.contentOf(unit) as { Drives?: { "@odata.id": string }[] };
      expect(drives).toHaveLength(2);
      for (const { "@odata.id": path } of drives) {
        const { Protocol: _protocol, ...rest } = bench.bmc.contentOf(path);
        bench.bmc.replaced.set(path, rest);
      }
      bench.bmc.replaced.set(unit, {
        ...bench.bmc.contentOf(unit),
        StorageControllers: lists.map((list) => ({ SupportedDeviceProtocols: list })),
      });
      const read = await inventory.storage(targetAt(bench.bmc), within);
      if (!read.ok) throw new Error(read.error.message);
      expect(read.value.unresolved).toHaveLength(unresolved);
      expect(read.value.storage[0]?.transport).toBe(transport);
    },
  );
});
