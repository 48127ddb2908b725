// Sites, expected machines, and the lists of what Reclaim keeps none of, over real HTTP, by who asks.
import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { addAskers, getOf } from "@/server/surfaces/machine/nico/testing/asking";
import { machineServer } from "@/server/surfaces/machine/testing/file-fixture";
import { send } from "@/server/surfaces/machine/testing/machine-fixture";
import type { Answer } from "@/server/surfaces/machine/testing/machine-fixture";
import { addHost } from "@/server/surfaces/machine/testing/machine-rows";
import type { TestPerson } from "@/server/surfaces/machine/testing/machine-rows";

const fixture = machineServer();
const get = getOf(fixture);
const list = (answer: Answer): Record<string, unknown>[] => JSON.parse(answer.text);
let people: Awaited<ReturnType<typeof addAskers>>;
beforeAll(async () => {
  people = await addAskers(fixture);
  await fixture.query("INSERT INTO site (id, name) VALUES (gen_random_uuid(), 'far away')");
});

const names = async (who: TestPerson, query = "") =>
  list(await get(who, `site${query}`)).map(({ name }) => name);

it("sites: all for the provider's people, its own for a tenant", async () => {
  const all = await names(people.operator);
  expect(all).toHaveLength(2);
  expect(await names(people.operator, "?orderBy=NAME_DESC&query=FAR")).toEqual(["far away"]);
  expect(await names(people.operator, "?orderBy=CREATED_ASC")).toEqual(all.toReversed());
  expect((await get(people.operator, "site?pageSize=1")).headers.get("x-pagination")).toContain('"total":2');
  const [own] = list(await get(people.acme, "site"));
  expect(await names(people.acme)).toHaveLength(1);
  expect(own).toMatchObject({ id: fixture.siteId, status: "Registered" });
  expect(own).not.toHaveProperty("location");
  const location = { city: "Santa Clara", country: "US" };
  await fixture.query("UPDATE site SET location = $1 WHERE name = 'far away'", [JSON.stringify(location)]);
  expect(list(await get(people.operator, "site?query=far"))).toMatchObject([{ location }]);
  expect(list(await get(people.globex, "site")).every(({ name }) => name !== "far away")).toBe(true);
  const one = await get(people.acme, `site/${fixture.siteId}`);
  expect(JSON.parse(one.text)).toEqual(own);
  const [far] = list(await get(people.operator, "site?query=far"));
  expect((await get(people.acme, `site/${String(far?.id)}`)).status).toBe(404);
  expect((await get(people.acme, "site/x")).status).toBe(404);
  expect((await get(people.acme, "site?orderBy=LOCATION_ASC")).status).toBe(400);
});

it("expected machines: the enrolled hosts, for those who may list machines", async () => {
  const host = await addHost(fixture);
  const rows = list(await get(people.operator, `expected-machine?siteId=${fixture.siteId}&pageSize=100`));
  const row = rows.find(({ id }) => id === host.id);
  expect(row).toMatchObject({ id: host.id, machineId: host.id, siteId: fixture.siteId });
  const one = await get(people.operator, `expected-machine/${host.id}`);
  expect(JSON.parse(one.text)).toEqual(row);
  expect((await get(people.acme, "expected-machine")).status).toBe(403);
  expect((await get(people.acme, `expected-machine/${host.id}`)).status).toBe(404);
  expect((await get(people.operator, "expected-machine/x")).status).toBe(404);
  // NICo ignores it, and its clients send it.
  expect((await get(people.operator, "machine?type=DPU")).status).toBe(200);
});

it.each(["infiniband-partition", "sshkeygroup"])("%s: an empty list for tenants", async (path) => {
  const answer = await get(people.acme, `${path}?siteId=${fixture.siteId}`);
  expect([answer.status, list(answer)]).toEqual([200, []]);
  expect(answer.headers.get("x-pagination")).toContain('"total":0');
  expect((await get(people.acme, `${path}?vpc=1`)).status).toBe(400);
});

it.each(["trusted-machine", "trusted-profile"])(
  "measured-boot/%s: none, for the provider, and none can be made",
  async (route) => {
    const path = `measured-boot/${route}`;
    const of = `${path}?siteId=${fixture.siteId}`;
    const answer = await get(people.operator, of);
    expect([answer.status, list(answer)]).toEqual([200, []]);
    expect((await get(people.acme, of)).status).toBe(403);
    expect((await get(people.operator, path)).status).toBe(400);
    expect((await get(people.operator, `${path}?siteId=${randomUUID()}`)).status).toBe(404);
    const body = { siteId: fixture.siteId, machineId: "*", approvalType: "OneShot" };
    const asked = { token: people.operator.token, body };
    expect((await send(fixture, "POST", `/v2/org/acme/nico/${path}`, asked)).status).toBe(501);
  },
);
