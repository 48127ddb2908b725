// Saved views: each person's own, replaced by name, and refused to people who see no hosts; and the names that a filter may use.
import { afterAll, beforeAll, expect, it } from "vitest";
import { readFilterValues } from "@/server/usecases/hosts/list/filter-values";
import { listSavedViews, removeView, saveView } from "@/server/usecases/hosts/list/saved-views";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.stop());

const mine = async (role: "operator" | "auditor") => {
  const views = await listSavedViews(world.backend, world.actor(role));
  if (!views.ok) throw new Error(views.problem.detail);
  return views.value;
};
const save = (role: "operator" | "auditor" | "tenant-admin", name: string, filter: string) =>
  saveView(
    world.backend,
    role === "tenant-admin" ? world.actor(role, "acme") : world.actor(role),
    world.request(),
    {
      name,
      filter,
      sort: "-name",
      hide: ["sku"],
      group: "cause",
    },
  );

it("a view is its person's own, and one of the same name is replaced", async () => {
  expect(await save("operator", "Mine", "site:a")).toMatchObject({ ok: true });
  expect(await save("auditor", "Mine", "state:Ready")).toMatchObject({ ok: true });
  expect(await save("operator", "Mine", "site:b")).toMatchObject({ ok: true });
  const [view, ...others] = await mine("operator");
  expect(others).toEqual([]);
  expect(view).toMatchObject({
    name: "Mine",
    filter: "site:b",
    sort: "-name",
    hide: ["sku"],
    group: "cause",
  });
  const audit = await world.backend.database.auditEvent.findMany({
    where: { action: "account.saveView", outcome: "done" },
  });
  // Events within a millisecond have no order.
  expect(audit.filter(({ before }) => before !== null)).toMatchObject([
    { before: { filter: "site:a" }, after: { name: "Mine", filter: "site:b" } },
  ]);
});

it("a view of another is not there, and one's own is deleted", async () => {
  const [view] = await mine("operator");
  const id = view?.id ?? "";
  const remove = (role: "operator" | "auditor") =>
    removeView(world.backend, world.actor(role), world.request(), { id });
  expect(await remove("auditor")).toMatchObject({ problem: { code: "notFound" } });
  expect(await remove("operator")).toMatchObject({ ok: true });
  expect(await mine("operator")).toEqual([]);
});

it("who sees no hosts saves and reads none, and a filter that is not understood is refused", async () => {
  expect(await save("tenant-admin", "Mine", "site:a")).toMatchObject({ problem: { code: "forbidden" } });
  expect(await listSavedViews(world.backend, world.actor("tenant-admin", "acme"))).toMatchObject({
    problem: { code: "forbidden" },
  });
  expect(await save("operator", "Wrong", "colour:red")).toMatchObject({
    problem: { code: "invalid", field: "filter" },
  });
});

it("the names that a filter may have are those that there are", async () => {
  const hostId = await world.host();
  await world.backend.database.host.update({ where: { id: hostId }, data: { rack: "R 7" } });
  expect(await readFilterValues(world.backend, world.actor("operator"))).toMatchObject({
    value: { rack: ["R 7"], tenant: expect.arrayContaining(["acme", "vela"]) },
  });
  expect(await readFilterValues(world.backend, world.actor("tenant-admin", "acme"))).toMatchObject({
    problem: { code: "forbidden" },
  });
});
