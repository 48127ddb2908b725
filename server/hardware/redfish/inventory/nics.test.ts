// Where a BMC lists the host's ports: its interfaces, the adapters of the system, those of its chassis. The shapes are those of GH200 and BlueField.
import { expect, it } from "vitest";
import { inventoryBench } from "@/server/hardware/redfish/testing/benches";
import { targetAt } from "@/server/hardware/redfish/testing/setup";

const bench = inventoryBench();
const system = "/redfish/v1/Systems/1";
const adapter = "/redfish/v1/Chassis/Card1/NetworkAdapters/nic";
const link = (path: string) => ({ "@odata.id": path });
const list = (...paths: readonly string[]) => ({
  Members: paths.map(link),
  "Members@odata.count": paths.length,
});

/** Inventories Lenovo's system with other links to its ports, and these resources. */
async function macsOf(
  links: Readonly<Record<string, object>>,
  resources: Readonly<Record<string, Record<string, unknown>>>,
) {
  const inventory = await bench.start("lenovo", "redfish");
  const { EthernetInterfaces: _, NetworkInterfaces: __, ...rest } = bench.bmc.contentOf(system);
  bench.bmc.replaced.set(system, { ...rest, ...links });
  for (const [path, body] of Object.entries(resources)) bench.bmc.replaced.set(path, body);
  const collected = await inventory.collect(targetAt(bench.bmc), { timeoutMs: 20_000 });
  if (!collected.ok) throw new Error(collected.error.message);
  return collected.value;
}

const functions = {
  [adapter]: { Id: "nic", NetworkDeviceFunctions: link(`${adapter}/NetworkDeviceFunctions`) },
  [`${adapter}/NetworkDeviceFunctions`]: list(`${adapter}/NetworkDeviceFunctions/eth0f0`),
  [`${adapter}/NetworkDeviceFunctions/eth0f0`]: {
    Ethernet: { MACAddress: "02:55:1A:2F:E9:73", MTUSize: 1500 },
  },
};

it("are those of the adapters that the system's chassis links to", async () => {
  const { inventory } = await macsOf(
    { Links: { ManagedBy: [link("/redfish/v1/Managers/1")], Chassis: [link("/redfish/v1/Chassis/Card1")] } },
    {
      "/redfish/v1/Chassis/Card1": { NetworkAdapters: link("/redfish/v1/Chassis/Card1/NetworkAdapters") },
      "/redfish/v1/Chassis/Card1/NetworkAdapters": list(adapter),
      ...functions,
    },
  );
  expect(inventory.macs).toEqual(["02:55:1a:2f:e9:73"]);
});

it("are those of the adapter that an interface of the system stands for", async () => {
  const place = `${system}/NetworkInterfaces`;
  const { inventory } = await macsOf(
    { NetworkInterfaces: link(place) },
    {
      [place]: list(`${place}/1`),
      [`${place}/1`]: { Id: "1", Links: { NetworkAdapter: link(adapter) } },
      ...functions,
    },
  );
  expect(inventory.macs).toEqual(["02:55:1a:2f:e9:73"]);
});

it("are those of an adapter's ports where its functions tell none", async () => {
  const place = `${system}/NetworkInterfaces`;
  const { inventory } = await macsOf(
    { NetworkInterfaces: link(place) },
    {
      [place]: list(`${place}/1`),
      [`${place}/1`]: { Id: "1", Links: { NetworkAdapter: link(adapter) } },
      [adapter]: { Id: "nic", Ports: link(`${adapter}/Ports`) },
      [`${adapter}/Ports`]: list(`${adapter}/Ports/0`),
      [`${adapter}/Ports/0`]: {
        Ethernet: { AssociatedMACAddresses: ["02:55:1A:2F:E9:73", "02:05:ad:f2:c0:63"] },
      },
    },
  );
  expect(inventory.macs).toEqual(["02:55:1a:2f:e9:73", "02:05:ad:f2:c0:63"]);
});

it("of which one has the wrong type are the others, and that one is said", async () => {
  const interfaces = `${system}/EthernetInterfaces`;
  const { inventory, leftOut } = await macsOf(
    { EthernetInterfaces: link(interfaces) },
    {
      [interfaces]: list(`${interfaces}/1`, `${interfaces}/2`, `${interfaces}/3`),
      [`${interfaces}/1`]: { PermanentMACAddress: 2592837510515, MACAddress: "02:55:1A:2F:E9:73" },
      [`${interfaces}/2`]: { PermanentMACAddress: ["02:05:ad:f2:c0:63"] },
      [`${interfaces}/3`]: { PermanentMACAddress: "", MACAddress: null },
    },
  );
  expect(inventory.macs).toEqual(["02:55:1a:2f:e9:73"]);
  expect(leftOut.filter((line) => line.startsWith("network address "))).toEqual([
    `network address of ${interfaces}/1: 2592837510515 is not understood as a MAC address`,
    `network address of ${interfaces}/2: ["02:05:ad:f2:c0:63"] is not understood as a MAC address`,
  ]);
});

it("of a port with a list of the wrong type are said not to be understood", async () => {
  const place = `${system}/NetworkInterfaces`;
  const { inventory, leftOut } = await macsOf(
    { NetworkInterfaces: link(place) },
    {
      [place]: list(`${place}/1`),
      [`${place}/1`]: { Id: "1", Ports: link(`${place}/1/Ports`) },
      [`${place}/1/Ports`]: list(`${place}/1/Ports/0`),
      [`${place}/1/Ports/0`]: { Ethernet: { AssociatedMACAddresses: [null, 7, "02:55:1A:2F:E9:73"] } },
    },
  );
  expect(inventory.macs).toEqual(["02:55:1a:2f:e9:73"]);
  expect(leftOut).toContainEqual(expect.stringMatching(/Ports\/0: 7 is not understood/));
});

const place = "/redfish/v1/Chassis/Card1";
const inChassis = (chassis: object) =>
  macsOf(
    { Links: { ManagedBy: [link("/redfish/v1/Managers/1")], Chassis: [link(place)] } },
    {
      [place]: { NetworkAdapters: link(`${place}/NetworkAdapters`), ...chassis },
      [`${place}/NetworkAdapters`]: list(adapter),
      ...functions,
    },
  );
const inSystems = (...paths: readonly string[]) => ({ Links: { ComputerSystems: paths.map(link) } });

it("are those of a chassis that names this system alone", async () => {
  expect((await inChassis(inSystems(system))).inventory.macs).toEqual(["02:55:1a:2f:e9:73"]);
});

it("are not those of a chassis that another system is in, and that is said", async () => {
  const { inventory, leftOut } = await inChassis(inSystems(system, "/redfish/v1/Systems/2"));
  expect(inventory.macs).toEqual([]);
  expect(leftOut).toContainEqual(expect.stringMatching(/the chassis has other systems too/));
});

it("are not those of a chassis of nobody knows which system, where the BMC has several", async () => {
  const inventory = await bench.start("lenovo", "redfish");
  const { EthernetInterfaces: _, NetworkInterfaces: __, ...rest } = bench.bmc.contentOf(system);
  bench.bmc.replaced.set(system, {
    ...rest,
    Links: { ManagedBy: [link("/redfish/v1/Managers/1")], Chassis: [link(place)] },
  });
  bench.bmc.replaced.set("/redfish/v1/Systems/2", { ...rest, "@odata.id": "/redfish/v1/Systems/2" });
  bench.bmc.replaced.set("/redfish/v1/Systems", list(system, "/redfish/v1/Systems/2"));
  bench.bmc.replaced.set(place, { NetworkAdapters: link(`${place}/NetworkAdapters`) });
  bench.bmc.replaced.set(`${place}/NetworkAdapters`, list(adapter));
  for (const [path, body] of Object.entries(functions)) bench.bmc.replaced.set(path, body);
  const collected = await inventory.collect(
    targetAt(bench.bmc, null, { system: { path: system, systemUuid: null, serial: null } }),
    { timeoutMs: 20_000 },
  );
  expect(collected).toMatchObject({ ok: true, value: { inventory: { macs: [] } } });
  expect(collected.ok ? collected.value.leftOut : []).toContainEqual(
    expect.stringMatching(/does not name its system/),
  );
});

it("are left out where a chassis is not there, and nothing else is", async () => {
  const { inventory, leftOut } = await macsOf(
    { Links: { ManagedBy: [link("/redfish/v1/Managers/1")], Chassis: [link("/redfish/v1/Chassis/gone")] } },
    {},
  );
  expect(inventory.macs).toEqual([]);
  expect(inventory.storage).not.toEqual([]);
  expect(leftOut.at(-1)).toMatch(/network addresses/);
});

it("and all else is read as long as the BMC answers, whatever one call may take", async () => {
  const inventory = await bench.start("lenovo", "redfish");
  bench.bmc.fault = ({ method }) => {
    if (method === "GET") bench.jump(9_000);
    return false;
  };
  let prolonged = 0;
  const slow = (prolong?: () => Promise<boolean>) =>
    inventory.collect(targetAt(bench.bmc), {
      timeoutMs: 45_000,
      ...(prolong === undefined ? {} : { prolong }),
    });
  expect(await slow()).toMatchObject({ ok: false, error: { kind: "unreachable" } });
  expect((await slow(async () => (prolonged += 1) > 0)).ok).toBe(true);
  expect(prolonged).toBeGreaterThan(2);
  // Another process has taken over the host: nothing more is requested.
  expect((await slow(async () => false)).ok).toBe(false);
});
