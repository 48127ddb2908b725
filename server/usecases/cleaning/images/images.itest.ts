// The rollout of an agent image on a real database: who may do what, in which order, what is refused, and what the page and the brake show.
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createHotPool } from "@/server/db/hot/pool";
import { readCleanings } from "@/server/db/hot/fleet/brake";
import { roles } from "@/server/domain/access/roles";
import type { Role } from "@/server/domain/access/roles";
import { findHostIds } from "@/server/usecases/hosts/list/list-hosts";
import { addImage } from "@/server/usecases/cleaning/images/add-image";
import { listImages } from "@/server/usecases/cleaning/images/list-images";
import { makeImageCurrent } from "@/server/usecases/cleaning/images/make-image-current";
import { widenImage } from "@/server/usecases/cleaning/images/widen-image";
import { withdrawImage } from "@/server/usecases/cleaning/images/withdraw-image";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

let world: World;
let pool: Pool;
beforeAll(async () => {
  world = await createWorld();
  pool = createHotPool(world.url, { max: 2 });
});
afterAll(async () => {
  await pool.end();
  await world.stop();
});
beforeEach(() => pool.query("DELETE FROM brake; DELETE FROM boot_window; DELETE FROM agent_image"));

const admin = () => world.actor("provider-admin");
const given = (version: string) => ({
  siteId: world.siteId,
  version,
  url: "https://images.test/agent/",
  hosts: 2,
});
const add = async (version: string): Promise<string> => {
  const added = await addImage(world.backend, admin(), world.request(), given(version));
  if (!added.ok) throw new Error(added.problem.detail);
  return added.value.id;
};
const widen = (imageId: string, rollout: Parameters<typeof widenImage>[3]["rollout"]) =>
  widenImage(world.backend, admin(), world.request(), { imageId, rollout });
const makeCurrent = (imageId: string) =>
  makeImageCurrent(world.backend, admin(), world.request(), { imageId });
const withdraw = (imageId: string, role: Role = "operator") =>
  withdrawImage(world.backend, world.actor(role), world.request(), {
    imageId,
    reason: "hosts do not come up",
  });
const sites = async () => {
  const page = await listImages(world.backend, world.actor("auditor"), {
    configuredUrl: "http://configured.test",
  });
  if (!page.ok) throw new Error(page.problem.detail);
  return page.value.sites;
};
/** A host that was given the image, and whose agent came up. */
async function cameUp(imageId: string, name: string): Promise<string> {
  const hostId = await world.host(name);
  await pool.query(
    "INSERT INTO boot_window (host_id, boot_epoch, generation, expires_at, consumed_at, image_id) VALUES ($1, 1, 1, now() + interval '1 hour', now(), $2)",
    [hostId, imageId],
  );
  await pool.query("UPDATE host_run SET boot_epoch = 1 WHERE host_id = $1", [hostId]);
  return hostId;
}
const brakeOn = (version: string) =>
  pool.query(
    "INSERT INTO brake (id, site_id, dimension, value, failed, started, message) VALUES (gen_random_uuid(), $1, 'image', $2, 10, 10, 'all of them failed')",
    [world.siteId, version],
  );
const events = (targetId: string) =>
  world.backend.database.auditEvent.findMany({
    where: { targetId, outcome: "done" },
    orderBy: { at: "asc" },
    select: { action: true, before: true, after: true },
  });

describe("the roll-out of an image", () => {
  it("goes to a few, to a share, to all, and then it is the current one; each is logged", async () => {
    const id = await add("1.5.0");
    expect((await sites())[0]).toMatchObject({
      current: null,
      candidate: {
        version: "1.5.0",
        url: "https://images.test/agent",
        rollout: { stage: "few", hosts: 2 },
        use: { given: 0 },
        braked: null,
        createdBy: admin().name,
      },
    });
    expect(await widen(id, { stage: "share", percent: 20 })).toMatchObject({
      problem: { code: "notAllowedNow" },
    });
    await cameUp(id, `up-${randomUUID().slice(0, 8)}`);
    expect(await makeCurrent(id)).toMatchObject({ problem: { code: "notAllowedNow" } });
    for (const rollout of [
      { stage: "few", hosts: 5 },
      { stage: "share", percent: 20 },
      { stage: "all" },
    ] as const)
      expect(await widen(id, rollout)).toMatchObject({ ok: true });
    expect((await sites())[0]?.candidate).toMatchObject({
      rollout: { stage: "all" },
      currentRefusal: null,
      use: { given: 1, cameUp: 1, failed: 0 },
    });
    expect(await makeCurrent(id)).toMatchObject({ ok: true });
    expect((await sites())[0]).toMatchObject({
      current: { version: "1.5.0", status: "current" },
      candidate: null,
    });
    expect((await events(id)).map(({ action }) => action)).toEqual([
      "image.add",
      "image.widen",
      "image.widen",
      "image.widen",
      "image.makeCurrent",
    ]);

    const next = await add("1.6.0");
    await cameUp(next, `up-${randomUUID().slice(0, 8)}`);
    await widen(next, { stage: "share", percent: 50 });
    await widen(next, { stage: "all" });
    await makeCurrent(next);
    expect((await sites())[0]).toMatchObject({
      current: { version: "1.6.0" },
      past: [{ version: "1.5.0", status: "replaced" }],
    });
  });

  it("has one candidate at a time, and no version twice", async () => {
    const id = await add("1.5.0");
    expect(await addImage(world.backend, admin(), world.request(), given("1.6.0"))).toMatchObject({
      problem: { code: "conflict" },
    });
    expect(await withdraw(id)).toMatchObject({ ok: true });
    expect(await addImage(world.backend, admin(), world.request(), given("1.5.0"))).toMatchObject({
      problem: { code: "conflict", field: "version" },
    });
    const both = await Promise.all(
      ["1.7.0", "1.8.0"].map((version) => addImage(world.backend, admin(), world.request(), given(version))),
    );
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  });

  it("that is withdrawn is over, with its reason, and nothing more is done with it", async () => {
    const id = await add("1.5.0");
    expect(await withdraw(id)).toMatchObject({ ok: true });
    for (const act of [() => withdraw(id), () => makeCurrent(id), () => widen(id, { stage: "all" })])
      expect(await act()).toMatchObject({ problem: { code: "conflict" } });
    expect((await sites())[0]).toMatchObject({
      candidate: null,
      past: [{ version: "1.5.0", status: "withdrawn" }],
    });
    expect((await events(id)).at(-1)).toMatchObject({
      action: "image.withdraw",
      after: { reason: "hosts do not come up" },
    });
  });

  it("stands still under a brake, which the page shows", async () => {
    const id = await add("1.5.0");
    await cameUp(id, `up-${randomUUID().slice(0, 8)}`);
    await brakeOn("1.5.0");
    expect(await widen(id, { stage: "few", hosts: 9 })).toMatchObject({
      problem: { code: "notAllowedNow", detail: expect.stringContaining("brake") },
    });
    expect((await sites())[0]?.candidate).toMatchObject({
      braked: "all of them failed",
      currentRefusal: expect.stringContaining("all first"),
    });
  });

  it.each([
    ["a version with spaces", { version: "1 5" }],
    ["an address that is none", { url: "images.test" }],
    ["an address of a file", { url: "file:///image" }],
    ["an address that would end the line of the boot script", { url: "http://images.test/a b" }],
    ["half a digest", { sha256: "abc" }],
    ["no host", { hosts: 0 }],
    ["too many for a few", { hosts: 101 }],
  ])("refuses %s", async (_words, over) => {
    expect(
      await addImage(world.backend, admin(), world.request(), { ...given("1.5.0"), ...over }),
    ).toMatchObject({ problem: { code: "invalid" } });
    expect(await world.backend.database.agentImage.count()).toBe(0);
  });

  it("is not there for an id that is none", async () => {
    expect(
      await addImage(world.backend, admin(), world.request(), { ...given("1.5.0"), siteId: randomUUID() }),
    ).toMatchObject({ problem: { code: "notFound" } });
    expect(await makeCurrent(randomUUID())).toMatchObject({ problem: { code: "notFound" } });
  });

  it.each(roles)("%s", async (role) => {
    const added = await addImage(world.backend, world.actor(role), world.request(), given("1.5.0"));
    expect(added.ok).toBe(role === "provider-admin");
    const id = added.ok ? added.value.id : await add("1.5.0");
    expect(
      (
        await widenImage(world.backend, world.actor(role), world.request(), {
          imageId: id,
          rollout: { stage: "few", hosts: 9 },
        })
      ).ok,
    ).toBe(false);
    expect((await withdraw(id, role)).ok).toBe(role === "operator" || role === "provider-admin");
    expect((await listImages(world.backend, world.actor(role), { configuredUrl: "x" })).ok).toBe(
      ["operator", "provider-admin", "auditor"].includes(role),
    );
  });
});

describe("a host that failed on an image", () => {
  it("is told by the image that it booted, to the brake and to the hosts page", async () => {
    const id = await add("1.5.0");
    const hostId = await cameUp(id, "failing");
    const reclamationId = randomUUID();
    await pool.query(
      "INSERT INTO reclamation (id, host_id, host_serial, kind, started_at, policy_version, policy) VALUES ($1, $2, 'S', 'release', now(), 1, '{}')",
      [reclamationId, hostId],
    );
    await pool.query(
      "UPDATE host_run SET state = 'Failed/AgentLost', reclamation_id = $2 WHERE host_id = $1",
      [hostId, reclamationId],
    );
    await pool.query(
      "INSERT INTO state_history (host_id, version, state, reason, reclamation_id, generation) VALUES ($1, 2, 'Failed/AgentLost', 'silent', $2, 1)",
      [hostId, reclamationId],
    );
    const trip = (await readCleanings(pool, world.siteId, 3_600_000)).find((each) => each.hostId === hostId);
    expect(trip).toMatchObject({
      failed: true,
      groups: expect.arrayContaining([{ dimension: "image", value: "1.5.0" }]),
    });
    expect((await sites())[0]?.candidate?.use).toMatchObject({ given: 1, cameUp: 1, failed: 1 });
    expect(await findHostIds(world.backend, 'image:"1.5.0" state:Failed', 10)).toEqual([hostId]);
    expect(await findHostIds(world.backend, "image:1.4.0", 10)).toEqual([]);
  });
});
