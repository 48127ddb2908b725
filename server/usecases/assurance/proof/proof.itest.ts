// The proof desk on a real database: what a search finds and for whom, one return, and timelines.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addFirstKey } from "@/server/db/audit-log/keys";
import { poolOf } from "@/server/db/prisma";
import type { Role } from "@/server/domain/access/roles";
import { getReturn } from "@/server/usecases/assurance/proof/get-return";
import { searchReturns } from "@/server/usecases/assurance/proof/search-returns";
import { readTimeline } from "@/server/usecases/assurance/proof/timeline";
import { addReturn, signAll } from "@/server/usecases/testing/returns";
import type { AddedReturn } from "@/server/usecases/testing/returns";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

type Tenant = "acme" | "vela" | "repair";
let world: World;
let proven: AddedReturn;
let excepted: AddedReturn;
let open: AddedReturn;

beforeAll(async () => {
  world = await createWorld();
  const { database, secrets } = world.backend;
  await poolOf(database).query("UPDATE site SET demo = false");
  await addFirstKey(poolOf(database), secrets, "reclaim.test/audit-log");
  const tenant = "acme";
  proven = await addReturn(world, "gpu-1", {
    tenant,
    startedAt: "2026-10-30T20:31:00Z",
    serial: "PHAB1",
    outcome: "ready",
  });
  excepted = await addReturn(world, "gpu-2", {
    tenant,
    startedAt: "2026-10-02T00:00:00Z",
    serial: "PHAB2",
    outcome: "ready",
    excepted: true,
  });
  open = await addReturn(world, "gpu-3", { tenant, startedAt: "2026-10-31T23:59:59Z", serial: "PHAB3" });
  await addReturn(world, "gpu-4", {
    tenant,
    startedAt: "2026-11-01T00:00:00Z",
    serial: "PHAB4",
    outcome: "abandoned",
  });
  await addReturn(world, "gpu-5", {
    tenant: "vela",
    startedAt: "2026-10-30T20:30:00Z",
    serial: "VELA5",
    outcome: "ready",
  });
  // Released, and no reclamation ever began.
  const at = new Date("2026-10-05T00:00:00Z");
  await database.instance.create({
    data: {
      name: "lost",
      tenantId: world.tenants.acme,
      hostId: await world.host("gpu-9"),
      releaseRequestedAt: at,
      endedAt: at,
    },
  });
  await signAll(world);
});
afterAll(() => world.stop());

type Query = Partial<Parameters<typeof searchReturns>[2]>;
async function search(query: Query = {}, role: Role = "operator", tenant?: Tenant) {
  const found = await searchReturns(world.backend, world.actor(role, tenant), {
    text: "",
    cursor: null,
    limit: 50,
    ...query,
  });
  if (!found.ok) throw new Error(found.problem.detail);
  return found.value;
}
const names = async (...asked: Parameters<typeof search>) =>
  (await search(...asked)).rows.map(({ instance }) => instance?.name);

describe("search", () => {
  it("gives the newest first with a tally, and counts a release without a reclamation as not proven", async () => {
    const all = await search({ tenant: "acme" });
    expect(all.rows.map(({ instance }) => instance?.name)).toEqual([
      "of-gpu-4",
      "of-gpu-3",
      "of-gpu-1",
      "lost",
      "of-gpu-2",
    ]);
    expect(all.tally).toEqual({
      returns: 5,
      proven: 1,
      provenWithExceptions: 1,
      notSanitized: 0,
      notProven: 3,
      notChecked: 0,
    });
    expect(all.rows[3]).toMatchObject({
      standing: "notProven",
      reclamation: null,
      file: null,
      says: "no reclamation began",
    });
    expect(all.rows[2]).toMatchObject({
      ...{ standing: "proven", says: "15 of 15 gates", counts: { erased: 1, expected: 1 } },
      file: { number: expect.stringMatching(/^C-\d+$/) },
    });
  });

  it("goes on with a cursor, without the tally", async () => {
    const first = await search({ tenant: "Acme", limit: 2 });
    const second = await search({ tenant: "Acme", limit: 2, cursor: first.nextCursor });
    expect(second.rows.map(({ instance }) => instance?.name)).toEqual(["of-gpu-1", "lost"]);
    expect(second.tally).toBeNull();
    await expect(search({ cursor: "eA" })).rejects.toThrow("cursor");
  });

  it("finds by drive, host, instance, tenant, reclamation and certificate, by the beginning and in any case", async () => {
    const [row] = (await search({ text: "of-gpu-1" })).rows;
    const texts = [
      "phab1",
      "GPU-1",
      "sn-gpu-1",
      "of-gpu-1",
      row?.file?.number,
      row?.file?.id,
      row?.reclamation?.name,
      proven.instanceId,
    ];
    for (const text of texts)
      expect([text, await names({ text: text ?? "none" })]).toEqual([
        text,
        expect.arrayContaining(["of-gpu-1"]),
      ]);
    expect(await names({ text: "vela" })).toEqual(["of-gpu-5"]);
    expect(await names({ text: "100%" })).toEqual([]);
  });

  it("filters by month in UTC, standing, exception, site and SKU", async () => {
    expect(await names({ tenant: "acme", month: "2026-10" })).toEqual([
      "of-gpu-3",
      "of-gpu-1",
      "lost",
      "of-gpu-2",
    ]);
    expect(await names({ tenant: "acme", month: "2026-11" })).toEqual(["of-gpu-4"]);
    expect(await names({ standing: "provenWithExceptions" })).toEqual(["of-gpu-2"]);
    expect(await names({ exception: true })).toEqual(["of-gpu-2"]);
    expect(await names({ exception: false, standing: "proven" })).toEqual(["of-gpu-1", "of-gpu-5"]);
    expect(await names({ site: "a", text: "gpu-2" })).toEqual(["of-gpu-2"]);
    expect(await names({ site: "b" })).toEqual([]);
    expect(await names({ sku: "none" })).toEqual([]);
    await expect(search({ tenant: "nobody" })).rejects.toThrow("nobody");
  });

  it("shows a tenant its own, without the names of hosts, and nothing of others", async () => {
    const own = await search({}, "tenant-admin", "vela");
    expect(own.rows.map(({ instance, host }) => [instance?.name, host.name])).toEqual([["of-gpu-5", null]]);
    expect(own.tally).toMatchObject({ returns: 1, proven: 1 });
    for (const text of ["PHAB1", "gpu-1", "acme", proven.id, proven.hostId])
      expect([text, await names({ text }, "tenant-admin", "vela")]).toEqual([text, []]);
    expect(await names({ text: "VELA5" }, "tenant-admin", "vela")).toEqual(["of-gpu-5"]);
    await expect(search({ tenant: "acme" }, "tenant-admin", "vela")).rejects.toThrow("acme");
    expect(await names({}, "repair-tenant-admin")).toEqual([]);
  });
});

describe("one return", () => {
  const get = (id: string, role: Role = "auditor", tenant?: Tenant) =>
    getReturn(world.backend, world.actor(role, tenant), { id });

  it("says what was proven, who approved what was not, and names the drives", async () => {
    const found = await get(excepted.id);
    if (!found.ok) throw new Error(found.problem.detail);
    const { points, ...value } = found.value;
    expect(value).toMatchObject({
      exceptions: [
        {
          gate: "platformAtBaseline",
          reason: "secret reason",
          askedBy: { name: "Sara Duarte" },
          approvedBy: { name: "Priya Raman" },
        },
      ],
      drives: [{ serial: "PHAB2", result: "erased", technique: "nvme-sanitize-crypto", level: "purge" }],
    });
    expect(points[0]).toEqual({
      tone: "good",
      words: "Its drive was erased, and reading it back found nothing of before.",
    });
    expect(points.find(({ tone }) => tone === "attention")?.words).toContain("rests on an exception");
    expect(await get(excepted.instanceId)).toEqual(found);
    expect(await get(value.file?.number ?? "")).toEqual(found);
  });

  it("hides people and reasons from its tenant, and all of it from another", async () => {
    const own = await get(excepted.id, "tenant-admin", "acme");
    const hidden = { reason: null, measure: null, risk: null, askedBy: null, approvedBy: null };
    expect(own).toMatchObject({ ok: true, value: { exceptions: [hidden] } });
    expect(JSON.stringify(own)).not.toMatch(/secret|Sara|Priya|"gpu-2"/);
    expect(await get(excepted.id, "tenant-admin", "vela")).toMatchObject({
      ok: false,
      problem: { code: "notFound" },
    });
  });

  it("claims nothing of one in progress", async () => {
    const found = await get(open.id);
    if (!found.ok) throw new Error(found.problem.detail);
    expect(found.value).toMatchObject({
      standing: "notProven",
      file: null,
      drives: [{ result: "notErased" }],
    });
    expect(found.value.points.filter(({ tone }) => tone === "good")).toEqual([]);
  });
});

describe("timelines", () => {
  const read = (
    of: "return" | "host" | "drive" | "tenant",
    id: string,
    role: Role = "auditor",
    tenant?: Tenant,
  ) => readTimeline(world.backend, world.actor(role, tenant), { of, id, cursor: null, limit: 50 });
  const words = async (...asked: Parameters<typeof read>) => {
    const found = await read(...asked);
    return found.ok ? found.value.rows.map((row) => row.words) : found.problem.code;
  };
  const driveId = async (serial: string) =>
    (await world.backend.database.drive.findFirstOrThrow({ where: { serial } })).id;

  it("merge states, acts, approvals and certificates", async () => {
    const all = await words("host", excepted.hostId);
    for (const text of [
      "Instance released: of-gpu-2",
      "Approved an exception: agreed",
      "Asked for an exception: secret reason",
    ])
      expect(all).toContain(text);
    const certificate = expect.stringMatching(/^Certificate with exceptions C-\d+ signed$/);
    expect(all).toContainEqual(certificate);
    expect(await words("return", excepted.id)).toContainEqual(certificate);
    expect(await words("drive", await driveId("PHAB2"))).toContainEqual(
      expect.stringContaining("Erased and verified: nvme-sanitize-crypto"),
    );
    expect(await words("tenant", world.tenants.vela)).toContainEqual(
      expect.stringMatching(/^Receipt C-\d+ signed$/),
    );
  });

  it("go on with a cursor", async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof readTimeline>> = await readTimeline(
        world.backend,
        world.actor("operator"),
        {
          ...{ of: "host", id: excepted.hostId, limit: 2, cursor },
        },
      );
      if (!page.ok) throw new Error(page.problem.detail);
      seen.push(...page.value.rows.map(({ id }) => id));
      cursor = page.value.nextCursor;
    } while (cursor !== null);
    const whole = await read("host", excepted.hostId);
    expect(whole.ok && whole.value.rows.map(({ id }) => id)).toEqual(seen);
  });

  it("of hosts and drives are the provider's, and of tenants their own", async () => {
    expect(await words("host", proven.hostId, "tenant-admin", "acme")).toBe("notFound");
    expect(await words("drive", await driveId("PHAB1"), "tenant-admin", "acme")).toBe("notFound");
    expect(await words("tenant", world.tenants.acme, "tenant-admin", "vela")).toBe("notFound");
    expect(await words("return", proven.id, "tenant-admin", "vela")).toBe("notFound");
    expect(await words("return", proven.id, "tenant-admin", "acme")).toContain("Instance released: of-gpu-1");
  });
});
