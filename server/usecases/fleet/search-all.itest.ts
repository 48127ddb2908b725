// What the command palette finds, on a real database: a host by one of its drives, a reclamation by number, a tenant by name; a tenant finds nothing of the
// provider's.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { nvme, reportHardware } from "@/server/usecases/testing/hardware";
import { addReclamation } from "@/server/usecases/testing/reclamations";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";
import { findHostIds } from "@/server/usecases/hosts/list/list-hosts";
import { helpRead } from "@/server/usecases/fleet/find/find-help";
import { searchAll } from "@/server/usecases/fleet/search-all";

let world: World;
let number = 0n;
let instanceId = "";
beforeAll(async () => {
  world = await createWorld();
  const hostId = await world.host("r1-h01");
  await world.host("r1-h010");
  await reportHardware(world, hostId, [nvme("S6XNNA0T4")]);
  await world.put(await world.host("r1-h02"), "Failed/NVMECleanFailed");
  const held = await world.host("r1-h03");
  await world.put(held, "Assigned/Ready");
  await world.backend.database.host.update({ where: { id: held }, data: { labels: { row: "7" } } });
  ({ id: instanceId } = await world.backend.database.instance.create({
    data: { name: "train-9", tenantId: world.tenants.acme, hostId: held, readyAt: new Date() },
  }));
  ({ number } = await addReclamation(world, hostId, { kind: "release" }));
});
afterAll(() => world.stop());

type Asking = "operator" | "provider-admin" | "auditor" | "tenant-admin";

const find = async (text: string, role: Asking = "operator", tenant: "acme" | "vela" = "acme") => {
  const actor = role === "tenant-admin" ? world.actor(role, tenant) : world.actor(role);
  const found = await searchAll(world.backend, actor, { text });
  if (!found.ok) throw new Error(found.problem.detail);
  const { acts = [], lists = [], places = [], ...rest } = found.value;
  return { ...rest, acts, lists, places };
};

it("everything else while the docs cannot be read, and says that help was not searched", async () => {
  delete helpRead().entries;
  const folder = vi.spyOn(process, "cwd").mockReturnValue("/nowhere");
  const found = await find("r1-h01");
  folder.mockRestore();
  expect(found).toMatchObject({ helpUnread: true, hosts: [{ name: "r1-h01" }, {}] });
  expect((await find("r1-h01")).helpUnread).toBe(false);
});

it("a host by the serial number of one of its drives, in any case", async () => {
  for (const serial of ["S6XNNA0T4", "s6xnna0t4"]) {
    const { hosts } = await find(serial);
    expect(hosts).toMatchObject([{ name: "r1-h01" }]);
    expect(hosts[0]?.words).toContain(`has drive ${serial}`);
  }
});

it("a drive by a part of its serial number, with where it is", async () => {
  expect((await find("xnna")).drives).toMatchObject([
    { serial: "S6XNNA0T4", words: "SSDPF2KX038TZ, in r1-h01" },
  ]);
});

it("the host that was named before others whose names begin alike", async () => {
  expect((await find("R1-H01")).hosts.map(({ name }) => name)).toEqual(["r1-h01", "r1-h010"]);
});

it("a reclamation by its number, and a tenant by its name", async () => {
  expect((await find(`r-${number}`)).reclamations).toMatchObject([
    { number: `R-${number}`, hostName: "r1-h01", words: "release, running" },
  ]);
  expect((await find("ACM")).tenants).toMatchObject([{ filter: "tenant:acme" }]);
});

it("a tenant finds nothing of the provider's", async () => {
  for (const text of ["S6XNNA0T4", "r1-h01", `R-${number}`, "acme"])
    expect(await find(text, "tenant-admin")).toEqual({
      hosts: [],
      drives: [],
      instances: [],
      reclamations: [],
      tenants: [],
      acts: [],
      lists: [],
      helpUnread: false,
      places: [],
    });
});

describe("acts", () => {
  it("of a host by its name: those that its page offers, each with a link that opens the dialog", async () => {
    const { acts } = await find("maintenance r1-h01");
    expect(acts).toMatchObject([
      {
        words: "Set maintenance",
        on: "r1-h01",
        refused: null,
        path: "/hosts/r1-h01?act=setMaintenance",
        command: "hosts maintenance set r1-h01",
      },
      { words: "End maintenance", on: "r1-h01", refused: expect.any(String) },
      { words: "End maintenance, untouched", on: "r1-h01", refused: expect.any(String) },
    ]);
    expect((await find("retry r1-h01")).acts).toMatchObject([
      { words: "Retry step", on: "r1-h01", refused: expect.any(String) },
    ]);
    expect((await find("retry r1-h")).acts.map(({ on }) => on)).toEqual(["r1-h01", "r1-h010", "r1-h02"]);
    expect((await find("retry nobody")).acts).toEqual([]);
  });

  it("without a host, of all that it lets go on; others ask for a name", async () => {
    expect((await find("retry")).acts).toMatchObject([
      { words: "Retry step", on: "1 failed host", refused: null, path: "/hosts?q=is%3Afailed&act=retry" },
    ]);
    expect((await find("provide")).acts).toMatchObject([{ refused: "no host is manageable" }]);
    expect((await find("abort")).acts).toMatchObject([{ refused: "type the name of a host after it" }]);
  });

  it("a release, by the name of the host or the instance, for its tenant by that of the instance only", async () => {
    for (const text of ["release r1-h03", "release train-9"])
      expect((await find(text)).acts).toMatchObject([
        {
          words: "Release instance",
          on: "train-9 on r1-h03",
          refused: null,
          path: `/instances?release=${instanceId}`,
        },
      ]);
    expect((await find("release train-9", "tenant-admin")).acts).toMatchObject([{ on: "train-9" }]);
    for (const [text, tenant] of [
      ["release r1-h03", "acme"],
      ["release train-9", "vela"],
    ] as const)
      expect((await find(text, "tenant-admin", tenant)).acts).toMatchObject([
        { refused: "no such instance" },
      ]);
  });

  it("the brakes that are on, and that none is", async () => {
    expect((await find("lift brake")).acts).toMatchObject([
      { words: "Lift the brake", refused: "no brake is on", path: "/cleaning/queue" },
    ]);
    const { id } = await world.backend.database.brake.create({
      data: {
        ...{ id: randomUUID(), siteId: world.siteId, dimension: "model", value: "R750" },
        ...{ failed: 3, started: 4, message: "3 of 4 failed." },
      },
    });
    expect((await find("lift brake")).acts).toMatchObject([
      {
        ...{ on: "model R750 at site a", refused: null, path: `/cleaning/queue?lift=${id}` },
        command: `brakes lift ${id} --reason <why>`,
      },
    ]);
    expect((await find("lift brake r760")).acts).toEqual([]);
    await world.backend.database.brake.delete({ where: { id } });
  });

  it("nothing that the role may not do, and nothing for a token that only reads", async () => {
    for (const text of ["retry", "retry r1-h01", "release train-9", "lift brake", "delete r1-h01"]) {
      expect((await find(text, "auditor")).acts).toEqual([]);
      const reading = await searchAll(
        world.backend,
        { ...world.actor("provider-admin"), readOnly: true },
        { text },
      );
      expect(reading.ok && reading.value.acts).toEqual([]);
    }
    expect((await find("delete r1-h01")).acts).toEqual([]);
    expect((await find("delete r1-h01", "provider-admin")).acts).toMatchObject([{ words: "Delete" }]);
  });
});

describe("lists", () => {
  const filters = async (text: string) =>
    (await find(text)).lists.map(({ filter, hosts }) => [filter, hosts]);

  it("of hosts by state, model and label; each filter finds as many hosts as it says", async () => {
    expect(await filters("failed hosts")).toEqual([
      ["is:failed", 1],
      ['state:"Failed/NVMECleanFailed"', 1],
    ]);
    expect(await filters("poweredge")).toEqual([['model:"PowerEdge R750"', 4]]);
    expect(await filters("row=7")).toEqual([['label:"row=7"', 1]]);
    for (const text of ["failed", "poweredge", "row=7"])
      for (const { filter, hosts } of (await find(text)).lists)
        expect(await findHostIds(world.backend, filter, 9)).toHaveLength(hosts);
    expect(await findHostIds(world.backend, "label:row", 9)).toHaveLength(1);
    expect(await findHostIds(world.backend, "label:row=8", 9)).toEqual([]);
    expect(await findHostIds(world.backend, "model:R750", 9)).toEqual([]);
  });
});

it.each(["tenant-admin", "auditor"] as const)(
  "words, pages and sections of the docs, as a %s",
  async (role) => {
    const { places } = await find("brake", role);
    expect(places.filter(({ path }) => path.startsWith("/help"))).toEqual(
      expect.arrayContaining([
        { path: "/help/glossary#word-brake", words: "brake", about: "Help: Glossary" },
        { path: "/help/cleaning#the-brake", words: "The brake", about: "Help: Cleaning" },
      ]),
    );
    expect((await find("sanitization", role)).places[0]?.path).toMatch(/^\/help/);
  },
);

it("pages by what is done there, only those that the person may open", async () => {
  const places = async (text: string, role: Asking) =>
    (await find(text, role)).places.map(({ path }) => path).filter((path) => !path.startsWith("/help"));
  expect(await places("brake", "operator")).toEqual(["/cleaning/queue"]);
  expect(await places("legal hold", "auditor")).toEqual([]);
  expect(await places("legal hold", "provider-admin")).toEqual(["/assurance"]);
  expect(await places("quota", "tenant-admin")).toEqual(["/instances"]);
  expect(await places("brake", "tenant-admin")).toEqual([]);
});
