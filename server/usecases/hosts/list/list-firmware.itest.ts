// Which firmware the fleet runs, and the hosts behind each number.
import { afterAll, beforeAll, expect, it } from "vitest";
import { firmwareFilter } from "@/server/domain/hosts/host-filter";
import { listFirmware } from "@/server/usecases/hosts/list/list-firmware";
import { listHosts } from "@/server/usecases/hosts/list/list-hosts";
import { skuComponents } from "@/server/domain/hosts/inventory/testing/sku-components";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

type Firmware = readonly { readonly component: string; readonly version: string }[];

let world: World;
beforeAll(async () => {
  world = await createWorld();
  const sku = await world.backend.database.sku.create({
    data: {
      name: "wants 1.8",
      components: { ...skuComponents, baseline: { firmware: [{ component: "BIOS", version: "1.8" }] } },
    },
  });
  const bios = (version: string) => ({ component: "BIOS", version });
  const nic = { component: 'NIC, "port" 1', version: "22_5%" };
  await host("as-wanted", [bios("1.8"), nic, nic], sku.id);
  await host("differs", [bios("1.9"), { component: "BIOS", version: "" }], sku.id);
  await host("without-sku", [bios("1.9")]);
  await host("tells-none", []);
  await world.host("never-read");
});
afterAll(() => world.stop());

async function host(name: string, firmware: Firmware, skuId: string | null = null) {
  const { database } = world.backend;
  const id = await world.host(name);
  await database.host.update({ where: { id }, data: { manufacturer: "Dell", model: "R750", skuId } });
  const data = { hostId: id, source: "bmc", bootEpoch: 0, body: { firmware: [...firmware] } };
  await database.hostInventory.upsert({
    where: { hostId_source: { hostId: id, source: "bmc" } },
    create: data,
    update: data,
  });
}

const firmware = async (query: { text?: string; differing?: boolean; cursor?: string; limit?: number }) => {
  const all = { text: "", differing: false, cursor: null, limit: 100, ...query };
  const outcome = await listFirmware(world.backend, world.actor("auditor"), all);
  if (!outcome.ok) throw new Error(outcome.problem.detail);
  return outcome.value;
};

const named = async (filter: string) => {
  const outcome = await listHosts(world.backend, world.actor("operator"), {
    ...{ filter, sort: "name", descending: false, cursor: null, limit: 100 },
  });
  if (!outcome.ok) throw new Error(outcome.problem.detail);
  return outcome.value.rows.map(({ name }) => name);
};

it("counts each host once per version, and those whose baseline wants it or another one", async () => {
  const { rows, unread } = await firmware({});
  const model = "Dell R750";
  expect(rows).toMatchObject([
    { model, component: "BIOS", version: "1.8", hosts: 1, asWanted: 1, differ: 0 },
    { model, component: "BIOS", version: "1.9", hosts: 2, asWanted: 0, differ: 1 },
    { model, component: 'NIC, "port" 1', version: "22_5%", hosts: 1, asWanted: 0, differ: 0 },
  ]);
  expect(unread).toBe(2);
});

it("finds by each word, by what differs, and page by page", async () => {
  expect((await firmware({ text: "bios r750 1.9" })).rows).toHaveLength(1);
  expect((await firmware({ text: "bios nic" })).rows).toEqual([]);
  expect((await firmware({ differing: true })).rows).toMatchObject([{ version: "1.9" }]);
  const first = await firmware({ limit: 2 });
  const second = await firmware({ limit: 2, cursor: first.nextCursor ?? "" });
  expect([...first.rows, ...second.rows]).toHaveLength(3);
  expect(second.nextCursor).toBeNull();
});

it("leads to these hosts, whatever stands in the name of a component", async () => {
  expect(await named(firmwareFilter("BIOS", "1.9"))).toEqual(["differs", "without-sku"]);
  expect(await named(firmwareFilter('NIC, "port" 1', "22_5%"))).toEqual(["as-wanted"]);
  expect(await named("firmware:bios*")).toEqual(["as-wanted", "differs", "without-sku"]);
  expect(await named("-firmware:BIOS*")).toEqual(["never-read", "tells-none"]);
});

it("is not for tenants", async () => {
  const query = { text: "", differing: false, cursor: null, limit: 1 };
  expect(await listFirmware(world.backend, world.actor("tenant-admin"), query)).toMatchObject({ ok: false });
});
