// A platform read with the drives: a part that the BMC does not answer is unknown, and the drives that were read still count.
import { afterEach, expect, it } from "vitest";
import { judgePlatform, queryOf } from "@/server/domain/hosts/platform/judge";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import { leadsToAddress } from "@/server/hardware/redfish/resources/device-path";
import { clientForTests, discoveredTarget, typeOf, within } from "@/server/hardware/redfish/testing/setup";
import { send, TreeBmc } from "@/server/hardware/redfish/testing/tree-bmc";

let bmc: TreeBmc;
let client: RedfishClient;

afterEach(async () => {
  await bmc.stop();
  await client.close();
});

it("a part that the BMC stopped answering at is unknown, and so is every later one", async () => {
  bmc = await TreeBmc.start("lenovo");
  client = clientForTests({ limits: { retryWaitsMs: [] } }).client;
  const target = await discoveredTarget(bmc, client);
  bmc.fault = ({ path }, response) => path.includes("/EventService") && (response.destroy(), true);
  const read = await typeOf(client, "redfish").inventory.storage(target, within, queryOf({}));
  if (!read.ok || read.value.reading == null) throw new Error(JSON.stringify(read));
  expect(read.value.storage.length).toBeGreaterThan(1);
  expect(read.value.reading.accounts).toEqual({ value: ["USERID", "Egxadmin", "dcops", "NVIDIA"] });
  const unknown = judgePlatform({}, read.value.reading).filter(({ verdict }) => verdict === "unknown");
  expect(unknown.map(({ name }) => name)).toEqual([
    "event subscriptions",
    "virtual media",
    "boot entries",
    ...["secure boot PK", "secure boot KEK", "secure boot db"],
  ]);
});

it.each([
  ["shows neither list", {}, "shows neither certificates nor signatures"],
  [
    "links a list that is not there",
    { Certificates: { "@odata.id": "/redfish/v1/gone" } },
    "has no /redfish/v1/gone",
  ],
])("a secure-boot database that %s is not empty", async (_what, lists, why) => {
  bmc = await TreeBmc.start("lenovo");
  client = clientForTests().client;
  const target = await discoveredTarget(bmc, client);
  const databases = "/redfish/v1/Systems/1/SecureBoot/SecureBootDatabases";
  const resources = new Map<string, Parameters<typeof send>[2]>([
    ["/redfish/v1/Systems/1/SecureBoot", { SecureBootDatabases: { "@odata.id": databases } }],
    [databases, { Members: [{ "@odata.id": `${databases}/db` }] }],
    [`${databases}/db`, { Id: "db", ...lists }],
  ]);
  bmc.fault = ({ path }, response) => resources.has(path) && (send(response, 200, resources.get(path)), true);
  const read = await typeOf(client, "redfish").inventory.storage(target, within, queryOf({}));
  expect(read.ok && read.value.reading?.secureBoot).toEqual({ unknown: expect.stringContaining(why) });
});

it.each([
  ["null", { ProtocolEnabled: null }],
  ["a word", { ProtocolEnabled: "Enabled" }],
  ["nothing", { Port: 23 }],
])("a network protocol that says %s of whether it is on is not off", async (_what, Telnet) => {
  bmc = await TreeBmc.start("lenovo");
  client = clientForTests().client;
  const target = await discoveredTarget(bmc, client);
  bmc.fault = ({ path }, response) =>
    path.endsWith("/NetworkProtocol") &&
    (send(response, 200, { SSH: { ProtocolEnabled: true }, Telnet, Status: { State: "Enabled" } }), true);
  const baseline = { bmc: { accounts: [], subscriptions: [], protocols: ["SSH"] } };
  const read = await typeOf(client, "redfish").inventory.storage(target, within, queryOf(baseline));
  const reading = read.ok ? read.value.reading : null;
  expect(reading?.protocols).toEqual({ value: ["SSH", "Telnet (not told)"] });
  if (reading == null) throw new Error("nothing was read");
  expect(judgePlatform(baseline, reading)).toContainEqual(
    expect.objectContaining({ name: "network protocols", verdict: "different" }),
  );
});

it.each([
  [
    "an entry that nobody names",
    ["Boot0001"],
    { unknown: "the BMC does not name the entry Boot0001 of its boot order" },
  ],
  ["no entry", [], { absent: "the BMC shows none" }],
])("a boot order with %s is not known", async (_what, BootOrder, known) => {
  bmc = await TreeBmc.start("lenovo");
  client = clientForTests().client;
  const target = await discoveredTarget(bmc, client);
  bmc.fault = ({ path }, response) =>
    (path === "/redfish/v1/Systems/1" && (send(response, 200, { Boot: { BootOrder } }), true)) ||
    (path.includes("BootOptions") && (send(response, 404, {}), true));
  const baseline = { bmc: { accounts: [], subscriptions: [], bootOrder: ["disk"] } };
  const read = await typeOf(client, "redfish").inventory.storage(target, within, queryOf(baseline));
  expect(read.ok && read.value.reading?.bootOrder).toEqual(known);
});

it("an entry that names an address leads to it, and one that asks DHCP does not", () => {
  expect(leadsToAddress("PciRoot(0x0)/Pci(0x1,0x0)/MAC(0,1)/IPv4(0.0.0.0)/Uri(http://evil/x.efi)")).toBe(
    true,
  );
  expect(leadsToAddress("PciRoot(0x0)/MAC(0,1)/IPv4(0.0.0.0)/Uri()")).toBe(false);
  expect(leadsToAddress(null)).toBe(false);
});
