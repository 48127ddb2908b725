// How a host's system is found behind a BMC: links and identity.
import type { BmcTarget } from "@/server/hardware/interfaces";
import { describe, expect, it } from "vitest";
import { targetAt, within } from "@/server/hardware/redfish/testing/setup";
import { send, type TreeBmc } from "@/server/hardware/redfish/testing/tree-bmc";
import { inventoryBench } from "@/server/hardware/redfish/testing/benches";

const bench = inventoryBench();
const { start } = bench;

/** A service with systems `a`, `b` and so on, with the given properties; returns their paths. */
function several(bmc: TreeBmc, tells: ReadonlyArray<Readonly<Record<string, unknown>>>): readonly string[] {
  const systems = tells.map((_, index) => `/redfish/v1/Systems/${"ab"[index]}`);
  bmc.replaced.set("/redfish/v1/Systems", {
    Members: systems.map((path) => ({ "@odata.id": path })),
    "Members@odata.count": systems.length,
  });
  for (const [index, path] of systems.entries())
    bmc.replaced.set(path, {
      "@odata.id": path,
      UUID: `0000000${index}-0000-4000-8000-00000000000a`,
      Boot: {},
      Actions: { "#ComputerSystem.Reset": { target: "/reset" } },
      Links: { ManagedBy: [{ "@odata.id": "/manager" }] },
      ...tells[index],
    });
  return systems;
}

describe("discover", () => {
  it("follows the links of the Dell machine", async () => {
    const inventory = await start("dell", "idrac");
    expect(await inventory.discover(targetAt(bench.bmc), within)).toEqual({
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
          markClock: { bmcTime: expect.any(String), readAt: expect.any(String) },
        },
      },
    });
    expect(bench.bmc.takeLines()).toEqual([
      "GET /redfish/v1/",
      "POST /redfish/v1/SessionService/Sessions",
      "GET /redfish/v1/Systems",
      "GET /redfish/v1/Systems/System.Embedded.1",
    ]);
  });

  it("follows the links of the Lenovo machine", async () => {
    const inventory = await start("lenovo", "xclarity");
    expect(await inventory.discover(targetAt(bench.bmc), within)).toMatchObject({
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
    bench.bmc.fault = ({ path }, response) => {
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
    const discovered = await inventory.discover(targetAt(bench.bmc), within);
    expect(discovered.ok && discovered.value.links.resetTypes).toContain("ForceRestart");
  });

  it("takes the system that the host was said to be, of a service with several", async () => {
    const inventory = await start("lenovo", "redfish");
    const systems = several(bench.bmc, [{ SerialNumber: "" }, { SerialNumber: "SN-B" }]);
    const found = async (system: Partial<NonNullable<BmcTarget["system"]>> | null) => {
      const named = { path: null, systemUuid: null, serial: null, ...system };
      const result = await inventory.discover(
        targetAt(bench.bmc, null, system === null ? {} : { system: named }),
        within,
      );
      return result.ok ? result.value.links.system : result.error.message;
    };
    expect(await found({ systemUuid: "00000001-0000-4000-8000-00000000000A" })).toBe(systems[1]);
    expect(await found({ serial: "SN-B" })).toBe(systems[1]);
    expect(await found({ path: systems[0] ?? null })).toBe(systems[0]);
    bench.bmc.takeLines();
    expect(await found({ path: `${systems[1]}/` })).toBe(systems[1]);
    expect(bench.bmc.takeLines()).not.toContain(`GET ${systems[0]}`);
    const list =
      "/redfish/v1/Systems/a (serial none, system UUID 00000000-0000-4000-8000-00000000000a), /redfish/v1/Systems/b (serial SN-B, system UUID 00000001-0000-4000-8000-00000000000a). Choose one: System in Change BMC, reclaim hosts set-bmc --system, or redfish_system_id in driver_info";
    for (const [none, why] of [
      [null, "nothing says which of them is the host"],
      [{ serial: "SN-C" }, "the host's serial and system UUID name none of them"],
      [{ path: "/redfish/v1/Systems/c" }, "none of them is /redfish/v1/Systems/c"],
    ] as const)
      expect(await found(none)).toBe(`the service has 2 systems, and ${why}: ${list}`);
  });

  it("takes none for the only one while another cannot be read", async () => {
    const inventory = await start("lenovo", "redfish");
    const settings = "/redfish/v1/Systems/a/Settings";
    const systems = several(bench.bmc, [
      { "@Redfish.Settings": { SettingsObject: { "@odata.id": settings } }, SerialNumber: "" },
      { SerialNumber: "SN-B" },
    ]);
    bench.bmc.fault = ({ path }, response) => path === settings && (send(response, 503), true);
    const found = async (system: Partial<NonNullable<BmcTarget["system"]>>) => {
      const named = { path: null, systemUuid: null, serial: null, ...system };
      const result = await inventory.discover(targetAt(bench.bmc, null, { system: named }), within);
      return result.ok ? result.value.links.system : result.error.message;
    };
    for (const none of [{}, { serial: "SN-A" }, { path: "/redfish/v1/Systems/a" }])
      expect(await found(none)).toContain(`GET ${settings} was answered 503`);
    for (const name of [{ serial: "SN-B" }, { path: systems[1] ?? null }])
      expect(await found(name)).toBe(systems[1]);
  });

  it("takes no system by what several have in common", async () => {
    const inventory = await start("lenovo", "redfish");
    const both = { SerialNumber: "SN", UUID: "00000000-0000-4000-8000-00000000000a" };
    const [one = "", two = ""] = several(bench.bmc, [both, both]);
    const found = async (change: Partial<BmcTarget>) => {
      const result = await inventory.discover(targetAt(bench.bmc, null, change), within);
      return result.ok ? result.value.links.system : result.error.message;
    };
    const said = (serial: string | null, systemUuid: string | null) => ({
      system: { path: null, serial, systemUuid },
    });
    for (const name of [said("SN", null), said(null, both.UUID), said("SN", both.UUID)])
      expect(await found(name)).toContain(
        `the service has 2 systems, and the host's serial and system UUID name each of them: ${one} (serial SN,`,
      );
    // A known machine stays at the path where it was found.
    const identity = { serial: "SN", systemUuid: both.UUID };
    const before = await inventory.discover(
      targetAt(bench.bmc, null, { system: { path: two, serial: null, systemUuid: null } }),
      within,
    );
    const links = before.ok ? before.value.links : null;
    bench.bmc.takeLines();
    expect(await found({ links, identity })).toBe(two);
    expect(bench.bmc.takeLines()).not.toContain(`GET ${one}`);
    expect(await found({ links, identity: { ...identity, serial: "OTHER" } })).toContain("name each of them");
  });

  it("takes the host among the systems of a BMC that lists boards beside it, over several pages", async () => {
    const inventory = await start("lenovo", "xclarity");
    const startable = {
      Actions: { "#ComputerSystem.Reset": { target: "/reset" } },
      Links: { ManagedBy: [{ "@odata.id": "/manager" }] },
    };
    bench.bmc.fault = ({ path }, response) => {
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
    expect(await inventory.discover(targetAt(bench.bmc), within)).toMatchObject({
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
    bench.bmc.fault = ({ path }, response) => {
      const body = content(path);
      if (body !== false) send(response, 200, body);
      return body !== false;
    };
    expect(await inventory.discover(targetAt(bench.bmc), within)).toMatchObject({
      ok: false,
      error: { kind: "unsupported" },
    });
  });

  it("stays at the BMC, though its links name another machine", async () => {
    const inventory = await start("lenovo", "redfish");
    bench.bmc.fault = ({ path }, response) =>
      path === "/redfish/v1/Systems" &&
      (send(response, 200, { Members: [{ "@odata.id": "http://169.254.169.254/redfish/v1/Systems/1" }] }),
      true);
    expect(await inventory.discover(targetAt(bench.bmc), within)).toMatchObject({
      ok: true,
      value: { links: { system: "/redfish/v1/Systems/1" } },
    });
  });
});

describe("a system that names no manager", () => {
  const managers = "/redfish/v1/Managers";
  const [bmcPath, module] = [`${managers}/BMC`, `${managers}/MCU0`];
  const link = (path: string) => ({ "@odata.id": path });

  /** What the managers name, by path, behind this many systems. */
  async function found(servers: Readonly<Record<string, readonly string[]>>, count = 1) {
    const inventory = await start("dell", "redfish");
    const { bmc } = bench;
    const systems = several(
      bmc,
      Array.from({ length: count }, () => ({ Links: {} })),
    );
    bmc.replaced.set(managers, {
      Members: Object.keys(servers).map(link),
      "Members@odata.count": Object.keys(servers).length,
    });
    for (const [path, named] of Object.entries(servers))
      bmc.replaced.set(path, { Links: { ManagerForServers: named.map(link) } });
    return inventory.discover(
      targetAt(bmc, null, { system: { path: systems[0] ?? "", systemUuid: null, serial: null } }),
      within,
    );
  }

  const managed = (manager: string) => ({ ok: true, value: { links: { manager } } });
  const unmanaged = {
    ok: false,
    error: { kind: "unsupported", message: expect.stringContaining("names no manager") },
  };

  it("has the one that names it (HPE Cray EX)", async () => {
    const named = ["/redfish/v1/Systems/a/", "/redfish/v1/Systems/b"];
    expect(await found({ [module]: [], [bmcPath]: named }, 2)).toMatchObject(managed(bmcPath));
  });

  it("has the only one of the service if it is the only system", async () =>
    expect(await found({ [bmcPath]: [] })).toMatchObject(managed(bmcPath)));

  it.each([
    ["none names it, and there are several", { [bmcPath]: [], [module]: [] }, 1],
    ["none names it, and there are several systems", { [bmcPath]: [] }, 2],
    ["two name it", { [bmcPath]: ["/redfish/v1/Systems/a"], [module]: ["/redfish/v1/Systems/a"] }, 1],
  ] as const)("has none where %s", async (_what, servers, count) =>
    expect(await found(servers, count)).toMatchObject(unmanaged),
  );
});
