// What the command palette finds, on a real database: a host by one of its drives, a reclamation by number, a tenant by name; a tenant finds nothing of the
// provider's.
import { afterAll, beforeAll, expect, it } from "vitest";
import { nvme, reportHardware } from "@/server/usecases/testing/hardware";
import { addReclamation } from "@/server/usecases/testing/reclamations";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";
import { searchAll } from "@/server/usecases/fleet/search-all";

let world: World;
let number = 0n;
beforeAll(async () => {
  world = await createWorld();
  const hostId = await world.host("r1-h01");
  await world.host("r1-h010");
  await reportHardware(world, hostId, [nvme("S6XNNA0T4")]);
  ({ number } = await addReclamation(world, hostId, { kind: "release" }));
});
afterAll(() => world.stop());

const find = async (text: string, role: "operator" | "tenant-admin" = "operator") => {
  const found = await searchAll(
    world.backend,
    role === "operator" ? world.actor(role) : world.actor(role, "acme"),
    { text },
  );
  if (!found.ok) throw new Error(found.problem.detail);
  return found.value;
};

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
    });
});
