// An unreadable SKU is listed with its faults, everything else works, and it can be repaired (docs/skus.md#a-sku-that-cannot-be-read).
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { formatChange } from "@/server/domain/sites/difference";
import type { SkuComponents } from "@/server/domain/hosts/inventory/sku";
import { applySite } from "@/server/usecases/sites/apply-site";
import { compareSite } from "@/server/usecases/sites/compare-site";
import { getSite } from "@/server/usecases/sites/get-site";
import { getSku } from "@/server/usecases/hosts/skus/get-sku";
import { listSkus } from "@/server/usecases/hosts/skus/list-skus";
import { captureSkuBaseline, changeSku, removeSku } from "@/server/usecases/hosts/skus/sku-acts";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

let world: World;
const components: SkuComponents = {
  manufacturer: "Dell Inc.",
  product: "PowerEdge R750",
  cpus: { count: 2, model: "Xeon" },
  memoryBytes: "1024",
  storage: [{ media: "nvme", count: 2, capacityBytes: "1000" }],
  infiniband: 0,
};
const broken = { ...components, cpus: { count: 0, model: "Xeon" }, memoryBytes: 1024 };
const priorities = { "deploy.erase_nvme": 71 };
beforeEach(async () => {
  world = await createWorld();
  const { database } = world.backend;
  await database.sku.create({ data: { name: "GOOD", components } });
  const { id } = await database.sku.create({ data: { name: "OLD", components: broken } });
  await database.stepOverride.create({
    data: { scope: "sku", scopeId: id, interface: "deploy", step: "erase_nvme", priority: 71 },
  });
});
afterEach(() => world.stop());

const faults = [expect.stringMatching(/^cpus.count: /), expect.stringMatching(/^memoryBytes: /)];
const unreadable = [{ name: "OLD", faults }];
const admin = () => world.actor("provider-admin");
const apply = (parts: object, dryRun = false) =>
  applySite(world.backend, admin(), world.request(), {
    document: stringify({ format: 1, site: "a", ...parts }),
    reason: "ticket",
    dryRun,
  });
const stored = async () =>
  (await world.backend.database.sku.findUnique({ where: { name: "OLD" } }))?.components;

describe("a site with a SKU that cannot be read", () => {
  it("is exported, compared and applied, and says which it is; the SKU stays", async () => {
    const found = await getSite(world.backend, admin(), { site: "a" });
    expect(found).toMatchObject({ ok: true, value: { unreadable, document: { skus: [{ name: "GOOD" }] } } });
    if (!found.ok) return;
    const { document } = found.value;
    expect(await compareSite(world.backend, admin(), { document: stringify(document) })).toMatchObject({
      ok: true,
      value: { changes: [], unreadable },
    });
    const changed = { skus: [...(document.skus ?? []), { name: "NEW", components }] };
    for (const dryRun of [true, false])
      expect(await apply(changed, dryRun)).toMatchObject({
        ok: true,
        value: { applied: !dryRun, unreadable },
      });
    expect(await stored()).toEqual(broken);
  });

  it("repairs it by a document that names it, with its priorities", async () => {
    const skus = [
      { name: "GOOD", components },
      { name: "OLD", components },
    ];
    const repaired = await apply({ skus });
    expect(repaired).toMatchObject({ ok: true, value: { applied: true, unreadable: [] } });
    if (repaired.ok) expect(repaired.value.changes.map(formatChange).join()).toMatch(/skus.OLD: added/);
    expect(await stored()).toEqual(components);
    expect(await world.backend.database.stepOverride.count({ where: { scope: "sku" } })).toBe(0);
  });
});

describe("a SKU that cannot be read", () => {
  it("is listed with what is stored, and everything else of it says why not", async () => {
    const listed = await listSkus(world.backend, admin());
    expect(listed).toMatchObject({
      ok: true,
      value: { skus: [{ name: "GOOD" }], unreadable: [{ name: "OLD", faults, priorities, hosts: 0 }] },
    });
    const why = {
      problem: { code: "notAllowedNow", detail: expect.stringMatching(/OLD cannot be read \(cpus/) },
    };
    expect(await getSku(world.backend, admin(), { sku: "OLD" })).toMatchObject(why);
    const hostId = await world.host();
    expect(
      await captureSkuBaseline(world.backend, admin(), world.request(), { sku: "OLD", hostId, reason: "x" }),
    ).toMatchObject(why);
  });

  it("is repaired by a change of what was seen, or deleted", async () => {
    const listed = await listSkus(world.backend, admin());
    const revision = listed.ok ? listed.value.unreadable[0]?.revision : undefined;
    const change = (seen: string) =>
      changeSku(world.backend, admin(), world.request(), {
        sku: "OLD",
        revision: seen,
        name: "OLD",
        components,
        priorities,
        reason: "repaired",
      });
    expect(await change("other")).toMatchObject({ problem: { code: "conflict", field: "revision" } });
    expect(await change(revision ?? "")).toMatchObject({ ok: true });
    expect(await getSku(world.backend, admin(), { sku: "OLD" })).toMatchObject({
      ok: true,
      value: { components, priorities },
    });
    await world.backend.database.sku.update({ where: { name: "OLD" }, data: { components: broken } });
    expect(
      await removeSku(world.backend, admin(), world.request(), { sku: "OLD", reason: "gone" }),
    ).toMatchObject({ ok: true });
    expect(await stored()).toBeUndefined();
  });
});
