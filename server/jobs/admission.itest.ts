// Admission and brake against the database: who is told to begin, that a limit holds for processes side by side, and what lifting does.
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createHotPool } from "@/server/db/hot/pool";
import { noLimits } from "@/server/domain/cleaning/queue/admission";
import { narrowedTo } from "@/server/domain/cleaning/queue/narrowed";
import type { Part } from "@/server/domain/cleaning/queue/narrowed";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import type { Policy } from "@/server/domain/cleaning/policy/policy";
import { emptyContext } from "@/server/domain/lifecycle/context";
import type { State } from "@/server/domain/lifecycle/states";
import { admitWaiting, brakeFailing, lookAgainAtNarrowed } from "@/server/jobs/admission";
import { getQueue } from "@/server/usecases/cleaning/queue/get-queue";
import { queueHosts } from "@/server/usecases/cleaning/queue/queue-hosts";
import { readQueuePlace } from "@/server/usecases/cleaning/queue/queue-place";
import { engageBrake } from "@/server/usecases/cleaning/queue/engage-brake";
import { investigateBrake } from "@/server/usecases/cleaning/queue/investigate-brake";
import { narrowBrake } from "@/server/usecases/cleaning/queue/narrow-brake";
import { readMetricCounts } from "@/server/usecases/fleet/metric-counts";
import { readBrakesInForce } from "@/server/usecases/cleaning/queue/wait-reason";
import { liftBrake } from "@/server/usecases/cleaning/queue/lift-brake";
import { createWorld, putInReady } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

let world: World;
let pool: Pool;
let count = 0;

beforeAll(async () => {
  world = await createWorld();
  pool = createHotPool(world.url, { max: 6 });
});
afterAll(async () => {
  await pool.end();
  await world.stop();
});
beforeEach(async () => {
  await pool.query(
    "DELETE FROM brake; DELETE FROM signal; DELETE FROM reclamation; DELETE FROM boot_window; DELETE FROM state_history; DELETE FROM host",
  );
  await pool.query("DELETE FROM site_policy WHERE site_id <> $1", [world.siteId]);
  await pool.query("DELETE FROM site WHERE id <> $1", [world.siteId]);
  await limits({});
});

async function limits(changes: Partial<Policy["admission"]>): Promise<void> {
  const body: Policy = { ...defaultPolicy(), admission: { ...noLimits, ...changes } };
  await world.backend.database.sitePolicy.updateMany({ where: { siteId: world.siteId }, data: { body } });
}

interface HostChanges {
  readonly state?: State;
  readonly segment?: string;
  readonly domain?: string;
  readonly tenantId?: string;
  readonly startedMinutesAgo?: number;
  readonly model?: string;
}

/** A host in the middle of a reclamation; those made later began later. */
async function host(changes: HostChanges = {}): Promise<string> {
  count += 1;
  const id = await world.host(`h${count}`);
  const state = changes.state ?? "WaitingForCleanup/Queued";
  const context = emptyContext();
  const reclamationId = randomUUID();
  await pool.query(
    "UPDATE host SET network_segment = $2, power_domain = $3, model = coalesce($4, model) WHERE id = $1",
    [id, changes.segment ?? null, changes.domain ?? null, changes.model ?? null],
  );
  await pool.query(
    "INSERT INTO reclamation (id, host_id, host_serial, kind, tenant_id, started_at, policy_version, policy) VALUES ($1, $2, $3, 'release', $4, now() - $5 * interval '1 minute' + $6 * interval '1 ms', 1, '{}')",
    [reclamationId, id, `S${count}`, changes.tenantId ?? null, changes.startedMinutesAgo ?? 30, count],
  );
  await pool.query(
    "UPDATE host_run SET state = $2, reclamation_id = $3, context = $4, due_at = NULL WHERE host_id = $1",
    [
      id,
      state,
      reclamationId,
      JSON.stringify({ ...context, cleaning: { ...context.cleaning, waitsForPlace: true } }),
    ],
  );
  return id;
}

interface Seen {
  readonly engagedAt: Date;
  readonly narrowedTo: readonly Part[] | null;
}
const toSend = ({ engagedAt, narrowedTo: parts }: Seen) => ({
  engagedAt,
  narrowedTo: parts === null ? null : [...parts],
});

const thrown = (error: unknown): never => {
  throw error;
};

/** Another site, whose policy this version cannot read, with these hosts. */
async function unreadSite(hosts: readonly string[]): Promise<void> {
  const id = randomUUID();
  await world.backend.database.site.create({ data: { id, name: `unread-${id}` } });
  await pool.query("INSERT INTO site_policy (site_id, version, body) VALUES ($1, 1, '{\"brake\": 7}')", [id]);
  for (const table of ["host_run", "host"])
    await pool.query(
      `UPDATE ${table} SET site_id = $1 WHERE ${table === "host" ? "id" : "host_id"} = ANY($2::uuid[])`,
      [id, hosts],
    );
}

const many = async (number: number, changes: HostChanges = {}): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (let index = 0; index < number; index += 1) ids.push(await host(changes));
  return ids;
};
const told = async (): Promise<readonly string[]> =>
  (
    await pool.query<{ host_id: string }>(
      "SELECT host_id::text FROM signal WHERE kind = 'admitted' ORDER BY id",
    )
  ).rows.map((row) => row.host_id);

describe("admission", () => {
  it("tells hosts to begin in the order of their release, once, and wakes them", async () => {
    const later = await host({ startedMinutesAgo: 1 });
    const earlier = await host({ startedMinutesAgo: 9 });
    expect(await admitWaiting(pool, thrown)).toBe(2);
    expect(await told()).toEqual([earlier, later]);
    expect(await admitWaiting(pool, thrown)).toBe(0);
    const { rows } = await pool.query("SELECT due_at IS NOT NULL AS due FROM host_run");
    expect(rows).toEqual([{ due: true }, { due: true }]);
  });

  it("counts hosts in progress, those that were told already, and not those on hold or failed", async () => {
    await limits({ atWork: 3 });
    await many(1, { state: "WaitingForCleanup/HostCleanup" });
    await many(1, { state: "WaitingForCleanup/OnHold" });
    await many(1, { state: "Failed/NVMECleanFailed" });
    const [first, second, third] = await many(3);
    expect(await admitWaiting(pool, thrown)).toBe(2);
    expect(await told()).toEqual([first, second]);
    expect(await admitWaiting(pool, thrown)).toBe(0);
    await pool.query(
      "UPDATE host_run SET state = 'WaitingForCleanup/OnHold' WHERE state = 'WaitingForCleanup/HostCleanup'",
    );
    expect(await admitWaiting(pool, thrown)).toBe(1);
    expect((await told())[2]).toBe(third);
  });

  it("never admits more than the limit when processes look at the same time", async () => {
    await limits({ atWork: 4 });
    await many(12);
    const numbers = await Promise.all(Array.from({ length: 5 }, () => admitWaiting(pool, thrown)));
    expect(numbers.reduce((sum, number) => sum + number, 0)).toBe(4);
    expect(await told()).toHaveLength(4);
  });

  it("counts boots of the last minute by segment, and admissions whose boot has not come", async () => {
    await limits({ bootsPerMinute: 2 });
    const booting = await host({ state: "Assigned/BootingWithDiscoveryImage", segment: "s1" });
    await pool.query(
      "INSERT INTO boot_window (host_id, boot_epoch, generation, expires_at, opened_at) VALUES ($1, 1, 1, now(), now()), ($1, 2, 1, now(), now() - interval '5 minutes')",
      [booting],
    );
    const waiting = [
      await host({ segment: "s1" }),
      await host({ segment: "s1" }),
      await host({ segment: "s2" }),
    ];
    expect(await admitWaiting(pool, thrown)).toBe(2);
    expect(await told()).toEqual([waiting[0], waiting[2]]);
    // A minute later the first boot is out of the count; the one told above, whose boot has not come, is not.
    await pool.query("UPDATE boot_window SET opened_at = opened_at - interval '2 minutes'");
    expect(await admitWaiting(pool, thrown)).toBe(1);
  });

  it("takes the limits of one segment and one power domain in place of those for all", async () => {
    await limits({ bootsPerMinute: null, segments: { s1: 1 }, powerDomains: { p1: 1 } });
    const first = await host({ segment: "s1" });
    await host({ segment: "s1" });
    const others = [await host({ domain: "p1" }), await host({ segment: "s2", domain: "p2" })];
    await host({ domain: "p1" });
    expect(await admitWaiting(pool, thrown)).toBe(3);
    expect(await told()).toEqual([first, ...others]);
  });

  it("goes on at the other sites where one fails, and says which fault that is", async () => {
    await unreadSite([await host()]);
    const waiting = await host();
    const failed = vi.fn();
    expect(await admitWaiting(pool, failed)).toBe(1);
    expect(await told()).toEqual([waiting]);
    expect(failed).toHaveBeenCalledOnce();
  });

  it("lets a tenant's releases beyond its quota and rate wait", async () => {
    await limits({ tenantReleasesPerHour: 1 });
    await world.backend.database.tenant.update({
      where: { id: world.tenants.acme },
      data: { instanceQuota: 1 },
    });
    await many(3, { tenantId: world.tenants.acme });
    await host({ tenantId: world.tenants.vela });
    expect(await admitWaiting(pool, thrown)).toBe(3);
    const page = await queueHosts(world.backend, world.actor("operator"), {
      siteId: world.siteId,
      cursor: null,
      limit: 10,
    });
    expect(page.ok && page.value.hosts.find((line) => line.place === 1)?.reason).toBe(
      "2 releases of its tenant were admitted within an hour",
    );
  });

  it("counts a release once that gave back its place and asks again", async () => {
    await limits({ tenantReleasesPerHour: 0 });
    await world.backend.database.tenant.update({
      where: { id: world.tenants.acme },
      data: { instanceQuota: 1 },
    });
    const again = await host({ tenantId: world.tenants.acme });
    await pool.query(
      "UPDATE reclamation SET admitted_at = now() - interval '10 minutes' WHERE host_id = $1",
      [again],
    );
    await host({ tenantId: world.tenants.acme });
    expect(await admitWaiting(pool, thrown)).toBe(1);
    expect(await told()).toEqual([again]);
  });

  it("shows places, limits and use", async () => {
    await limits({ atWork: 1 });
    await many(1, { state: "WaitingForCleanup/HostCleanup" });
    await many(2);
    const page = await getQueue(world.backend, world.actor("auditor"));
    if (!page.ok) throw new Error(page.problem.detail);
    expect(page.value.sites[0]).toMatchObject({ atWork: 1, waiting: 2 });
    expect(page.value.sites[0]?.limits[0]).toMatchObject({ name: "atWork", limit: 1, used: 1 });
    expect((await getQueue(world.backend, world.actor("tenant-admin"))).ok).toBe(false);
  });

  it("names a site whose policy a newer version wrote, and shows the others", async () => {
    const { database } = world.backend;
    const newer = await database.site.create({ data: { name: "newer", demo: true } });
    await database.sitePolicy.create({ data: { siteId: newer.id, version: 1, body: { times: "soon" } } });
    const page = await getQueue(world.backend, world.actor("auditor"));
    expect(page).toMatchObject({ ok: true, value: { unreadable: ["newer"] } });
    expect(page.ok && page.value.sites.map(({ siteId }) => siteId)).toContain(world.siteId);
    await database.sitePolicy.deleteMany({ where: { siteId: newer.id } });
    await database.site.delete({ where: { id: newer.id } });
  });
});

describe("the queue", () => {
  const page = async (cursor: string | null, limit = 2) => {
    const read = await queueHosts(world.backend, world.actor("auditor"), {
      siteId: world.siteId,
      cursor,
      limit,
    });
    if (!read.ok) throw new Error(read.problem.detail);
    return read.value;
  };

  it("is read in pages in the order of release, each host once with its place, also while others leave", async () => {
    await limits({ atWork: 1 });
    await many(1, { state: "WaitingForCleanup/HostCleanup" });
    const ids = await many(5);
    const first = await page(null);
    expect(first.hosts).toMatchObject([
      { hostId: ids[0], place: 1, reason: "1 host of the site is in progress", braked: false },
      { hostId: ids[1], place: 2 },
    ]);
    await pool.query("UPDATE host_run SET state = 'WaitingForCleanup/Init' WHERE host_id = $1", [ids[0]]);
    const second = await page(first.nextCursor);
    expect(second.hosts.map(({ hostId, place }) => [hostId, place])).toEqual([
      [ids[2], 2],
      [ids[3], 3],
    ]);
    const third = await page(second.nextCursor);
    expect(third).toMatchObject({ hosts: [{ hostId: ids[4], place: 4 }], nextCursor: null });
  });

  it("says of a host that a brake holds back what the brake is about, and of one host where it stands", async () => {
    await limits({ atWork: 1 });
    await many(1, { state: "WaitingForCleanup/HostCleanup" });
    const [held = "", next = ""] = await many(2);
    await pool.query(
      "INSERT INTO brake (id, site_id, dimension, value, failed, started, message) VALUES (gen_random_uuid(), $1, 'model', 'R760', 10, 20, 'half of them failed')",
      [world.siteId],
    );
    await pool.query(
      "UPDATE host_run SET wait_reason = 'new starts are paused: half of them failed', context = jsonb_set(context, '{cleaning,waitsForPlace}', 'false') WHERE host_id = $1",
      [held],
    );
    expect((await page(null)).hosts).toMatchObject([
      { hostId: held, place: null, braked: true, reason: "new starts with model R760 are paused" },
      { hostId: next, place: 1, braked: false },
    ]);
    expect(
      await readQueuePlace(world.backend.database, world.siteId, {
        id: held,
        waitReason: "new starts are paused: half of them failed",
      }),
    ).toMatchObject({ place: null, of: 2, braked: true });
    expect(
      await readQueuePlace(world.backend.database, world.siteId, { id: next, waitReason: null }),
    ).toEqual({ place: 1, of: 2, reason: "1 host of the site is in progress", braked: false });
  });

  it("is not for tenants, nor for a cursor of another list or a site that is not there", async () => {
    const ask = (role: "tenant-admin" | "auditor", over: object) =>
      queueHosts(world.backend, world.actor(role), { siteId: world.siteId, cursor: null, limit: 5, ...over });
    expect(await ask("tenant-admin", {})).toMatchObject({ problem: { code: "forbidden" } });
    expect(await ask("auditor", { cursor: "bm9uc2Vuc2U" })).toMatchObject({
      problem: { code: "invalid", field: "cursor" },
    });
    expect(await ask("auditor", { siteId: randomUUID() })).toMatchObject({ problem: { code: "notFound" } });
  });
});

describe("the brake", () => {
  // What nearly every host of the site has is no reason for a brake.
  beforeEach(() => many(2, { state: "Manageable", model: "R660" }));
  /** Hosts whose cleaning failed, with the history that says so. */
  const failing = async (number: number, model: string, reason = "the drive refused"): Promise<void> => {
    for (const id of await many(number, { state: "Failed/NVMECleanFailed", model })) {
      await pool.query(
        "INSERT INTO state_history (host_id, version, state, reason, reclamation_id, generation) SELECT host_id, 2, state, $2, reclamation_id, 1 FROM host_run WHERE host_id = $1",
        [id, reason],
      );
    }
  };

  describe("kept on for a part", () => {
    /** What the agent last read of a host's drives. */
    const drives = async (ids: readonly string[], ...firmware: readonly (string | undefined)[]) => {
      for (const hostId of ids)
        await world.backend.database.hostInventory.create({
          data: {
            ...{ hostId, source: "agent", bootEpoch: 0 },
            body: {
              storage: firmware.map((version, slot) => ({
                serial: `${hostId}-${slot}`,
                model: "PM9A3",
                ...(version === undefined ? {} : { firmware: version }),
              })),
            },
          },
        });
    };
    const brakeId = async () => (await world.backend.database.brake.findFirstOrThrow()).id;
    /** The brake as it is now, which is what a person decides about. */
    const look = async () => {
      const { engagedAt, narrowedTo: parts } = await world.backend.database.brake.findFirstOrThrow();
      return { engagedAt, narrowedTo: narrowedTo.parse(parts) };
    };
    const narrow = async (value: string, role: "operator" | "auditor" = "operator", seen?: Seen) =>
      narrowBrake(world.backend, world.actor(role), world.request(), {
        brakeId: await brakeId(),
        to: [{ dimension: "driveFirmware", value }],
        seen: toSend(seen ?? (await look())),
        reason: "only X fails",
      });
    /** Ten failed hosts with drives of firmware X, and twelve others of the same model with Y. */
    const braked = async () => {
      await failing(10, "R750");
      const { rows } = await pool.query<{ host_id: string; reclamation_id: string }>(
        "SELECT host_id::text, reclamation_id::text FROM host_run WHERE state LIKE 'Failed/%'",
      );
      for (const { reclamation_id } of rows)
        await pool.query("UPDATE reclamation SET devices = $2 WHERE id = $1", [
          reclamation_id,
          JSON.stringify({
            expected: [
              { serial: `S-${reclamation_id}`, model: "PM9A3", firmware: "X" },
              { serial: `B-${reclamation_id}`, model: "BOSS", firmware: "Z", outOfBand: true },
            ],
          }),
        ]);
      await drives(await many(12, { state: "Manageable", model: "R750" }), "Y");
      await pool.query("UPDATE brake SET lifted_at = now() - interval '2 days'");
      await pool.query("DELETE FROM brake");
      await world.backend.database.brake.create({
        data: {
          ...{ id: randomUUID(), siteId: world.siteId, dimension: "model", value: "Dell Inc. R750" },
          ...{ failed: 10, started: 22, message: "10 of 22 hosts with model Dell Inc. R750 failed." },
          failures: rows.map((row) => row.reclamation_id),
        },
      });
      return rows.map((row) => row.host_id);
    };

    it("says what failed, also where it was mended, and what only the failed hosts have", async () => {
      const [mended = ""] = await braked();
      await world.put(mended, "Manageable");
      const read = await investigateBrake(world.backend, world.actor("auditor"), {
        brakeId: await brakeId(),
      });
      if (!read.ok) throw new Error(read.problem.detail);
      const { telling, failures, hosts, others, everywhere } = read.value;
      expect([hosts, others, failures.length]).toEqual([10, 14, 10]);
      expect(failures.filter((line) => !line.stillFailed).map(({ hostId }) => hostId)).toEqual([mended]);
      expect(failures[0]).toMatchObject({ cause: "Failed, NVMECleanFailed", reason: "the drive refused" });
      expect(telling[0]).toEqual({
        ...{ property: "driveFirmware", value: "PM9A3 X", failed: 10, others: 0, beyondChance: true },
        part: { dimension: "driveFirmware", value: "PM9A3 X" },
      });
      expect(telling.map(({ property }) => property)).not.toContain("model");
      expect(everywhere.map(({ property }) => property)).toContain("rack");
      expect(
        await investigateBrake(world.backend, world.actor("tenant-admin"), { brakeId: await brakeId() }),
      ).toMatchObject({ problem: { code: "forbidden" } });
    });

    it("by a person with a reason, for a value that a failed host has, which is in the audit log", async () => {
      await braked();
      expect(await narrow("PM9A3 X", "auditor")).toMatchObject({ problem: { code: "forbidden" } });
      expect(await narrow("PM9A3 x")).toMatchObject({ problem: { code: "invalid", field: "to" } });
      expect(await narrow("PM9A3 Y")).toMatchObject({ problem: { code: "invalid" } });
      // Only the BMC names this drive, and agents of other hosts may call theirs otherwise.
      expect(await narrow("BOSS Z")).toMatchObject({ problem: { code: "invalid" } });
      const waiting = await host({ model: "R750" });
      expect(await narrow("PM9A3 X")).toEqual({ ok: true, value: { narrowed: true, hosts: 1 } });
      expect((await pool.query("SELECT kind FROM signal WHERE host_id = $1", [waiting])).rows).toEqual([
        { kind: "look" },
      ]);
      const page = await getQueue(world.backend, world.actor("auditor"));
      expect(page.ok && page.value.brakes[0]?.narrowedTo).toEqual([
        { dimension: "driveFirmware", value: "PM9A3 X" },
      ]);
      expect(
        await world.backend.database.auditEvent.count({
          where: { action: "brake.narrow", outcome: "done", targetId: await brakeId() },
        }),
      ).toBe(1);
      await pool.query("UPDATE brake SET lifted_at = now()");
      expect(await narrow("PM9A3 X")).toMatchObject({ problem: { code: "conflict" } });
    });

    it("holds its whole group again once what was let go on fails; what it still holds puts nothing on", async () => {
      await braked();
      await narrow("PM9A3 X");
      expect(await brakeFailing(pool, thrown)).toEqual([]);
      await pool.query("UPDATE brake SET narrowed_at = now() - interval '1 minute'");
      await many(10, { state: "Manageable", model: "R660" });
      await failing(12, "R750");
      expect(await brakeFailing(pool, thrown)).toEqual([
        expect.stringContaining("with model Dell Inc. R750 failed"),
      ]);
      const [brake, ...more] = await world.backend.database.brake.findMany();
      expect(more).toEqual([]);
      expect(brake).toMatchObject({ narrowedTo: null, narrowedAt: null, liftedAt: null });
      expect(brake?.failures.length).toBe(22);
    });

    it("not once it has come on again, or holds something else, since the person looked", async () => {
      await braked();
      const before = await look();
      await pool.query("UPDATE brake SET engaged_at = engaged_at + interval '1 second'");
      const refused = { problem: { code: "conflict", detail: expect.stringContaining("has changed") } };
      expect(await narrow("PM9A3 X", "operator", before)).toMatchObject(refused);
      const whole = await look();
      expect(whole.narrowedTo).toBeNull();
      expect(await narrow("PM9A3 X")).toMatchObject({ ok: true });
      expect(await narrow("PM9A3 X", "operator", whole)).toMatchObject(refused);
      expect(await narrow("PM9A3 X")).toMatchObject({ ok: true });
    });

    it("makes its hosts look again now and then, because a server of 0.2.0 holds its whole group", async () => {
      await braked();
      const [held = "", other = ""] = await many(2, { model: "R750" });
      const wait = "UPDATE host_run SET due_at = NULL, wait_reason = $2 WHERE host_id = $1";
      const message = "10 of 22 hosts with model Dell Inc. R750 failed.";
      await pool.query(wait, [held, `new starts are paused: ${message}`]);
      await pool.query(wait, [other, "waiting for admission"]);
      expect(await lookAgainAtNarrowed(pool)).toBe(0);
      await narrow("PM9A3 X");
      await pool.query("UPDATE host_run SET due_at = NULL WHERE host_id = ANY($1::uuid[])", [[held, other]]);
      expect(await lookAgainAtNarrowed(pool)).toBe(1);
      expect(await lookAgainAtNarrowed(pool)).toBe(0);
      const { rows } = await pool.query("SELECT due_at FROM host_run WHERE host_id = $1", [other]);
      expect(rows).toEqual([{ due_at: null }]);
    });

    it("cannot be stored with an empty list, which would hold nobody", async () => {
      await braked();
      await expect(pool.query("UPDATE brake SET narrowed_to = '[]', narrowed_at = now()")).rejects.toThrow(
        /brake_part_check/,
      );
    });
  });

  it("keeps which failures put it on", async () => {
    await failing(10, "R750");
    await brakeFailing(pool, thrown);
    const { rows } = await pool.query<{ id: string }>(
      "SELECT reclamation_id::text AS id FROM host_run WHERE state LIKE 'Failed/%' ORDER BY 1",
    );
    const brake = await world.backend.database.brake.findFirstOrThrow();
    expect([...brake.failures].sort()).toEqual(rows.map(({ id }) => id));
  });

  it("goes on once for a cause, and says what the hosts have in common", async () => {
    await failing(10, "R750");
    const alerts = await brakeFailing(pool, thrown);
    expect(alerts).toEqual([
      "10 of 10 hosts with model Dell Inc. R750 failed. Of the other 2 hosts of the site, 0 have model Dell Inc. R750.",
    ]);
    expect(await brakeFailing(pool, thrown)).toEqual([]);
    const page = await getQueue(world.backend, world.actor("operator"));
    expect(page.ok && page.value.brakes).toMatchObject([
      { dimension: "model", value: "Dell Inc. R750", failed: 10, started: 10, liftedAt: null },
    ]);
  });

  it("makes one alert for one cause, also where its hosts have more in common, and none when it is lifted", async () => {
    await failing(10, "R750");
    await pool.query(
      "INSERT INTO agent_session (host_id, boot_epoch, token_hash, identity, agent_version, hardware_managers, expires_at) SELECT host_id, 1, sha256(host_id::text::bytea), '{}', '0.1.0', '[]', now() FROM host_run WHERE state LIKE 'Failed/%'",
    );
    expect(await brakeFailing(pool, thrown)).toEqual([
      "10 of 10 hosts with image version 0.1.0 failed. What they all have in common: model Dell Inc. R750. Of the other 2 hosts of the site, 0 have image version 0.1.0.",
    ]);
    expect(await brakeFailing(pool, thrown)).toEqual([]);
    const [brake] = await world.backend.database.brake.findMany();
    await liftBrake(world.backend, world.actor("operator"), world.request(), {
      brakeId: brake?.id ?? "",
      reason: "repaired",
    });
    expect(await brakeFailing(pool, thrown)).toEqual([]);
  });

  describe("that would take the last capacity of a SKU", () => {
    /** Ten failed hosts and some others of the same model, all of one SKU. */
    const skuWith = async (...states: readonly State[]): Promise<readonly string[]> => {
      const { database } = world.backend;
      await database.webhook.deleteMany();
      await database.sku.deleteMany({ where: { name: "gpu" } });
      await failing(10, "R750");
      const ids: string[] = [];
      for (const state of states) ids.push(await host({ state, model: "R750" }));
      const sku = await database.sku.create({ data: { name: "gpu", components: {} } });
      await pool.query("UPDATE host SET sku_id = $1 WHERE model = 'R750'", [sku.id]);
      return ids;
    };
    const first = async () => {
      const page = await getQueue(world.backend, world.actor("operator"));
      if (!page.ok) throw new Error(page.problem.detail);
      return page.value.brakes[0];
    };
    const act = (role: "operator" | "auditor") => (brakeId: string) =>
      engageBrake(world.backend, world.actor(role), world.request(), { brakeId });

    it("asks a person first, loudly, and holds nobody back until then", async () => {
      const [queued = ""] = await skuWith("WaitingForCleanup/Queued");
      await world.backend.database.webhook.create({
        data: {
          id: randomUUID(),
          name: "pager",
          url: "https://pager.example",
          secret: new Uint8Array(),
          createdBy: "Ola",
        },
      });
      expect(await brakeFailing(pool, thrown)).toEqual([
        expect.stringContaining("no host of SKU gpu that is or can become Ready"),
      ]);
      expect(await brakeFailing(pool, thrown)).toEqual([]);
      const brake = await first();
      expect(brake).toMatchObject({ asks: ["gpu"], liftedAt: null });
      const { database } = world.backend;
      expect(await readBrakesInForce(database, world.siteId)).toEqual([]);
      expect(await database.webhookDelivery.findMany({ select: { kind: true } })).toEqual([
        { kind: "brake.asks" },
      ]);
      const counts = async () => (await readMetricCounts(pool)).brakes;
      expect(await counts()).toMatchObject([{ on: 0, asking: 1 }]);

      expect(await act("auditor")(brake?.id ?? "")).toMatchObject({ ok: false });
      await pool.query("DELETE FROM signal");
      expect(await act("operator")(brake?.id ?? "")).toMatchObject({ ok: true });
      expect((await pool.query("SELECT host_id FROM signal")).rows).toEqual([{ host_id: queued }]);
      expect(await readBrakesInForce(database, world.siteId)).toHaveLength(1);
      expect(await counts()).toMatchObject([{ on: 1, asking: 0 }]);
      // A person has decided: it asks no more.
      expect(await brakeFailing(pool, thrown)).toEqual([]);
      expect(await first()).toMatchObject({ asks: [] });
      expect(await act("operator")(brake?.id ?? "")).toMatchObject({ problem: { code: "conflict" } });
    });

    it("is on while a Ready host is left, and asks when that is taken", async () => {
      const [, ready = ""] = await skuWith("WaitingForCleanup/Queued", "WaitingForCleanup/Queued");
      await putInReady(world.backend.database, ready);
      expect(await brakeFailing(pool, thrown)).toHaveLength(1);
      expect(await first()).toMatchObject({ asks: [] });
      await pool.query(
        "UPDATE host_run SET state = 'Assigned/Ready', allocatable = false WHERE host_id = $1",
        [ready],
      );
      expect(await brakeFailing(pool, thrown)).toHaveLength(1);
      expect(await first()).toMatchObject({ asks: ["gpu"] });
    });

    it("is on where another host of the SKU waits for a brake that is narrowed, and so may begin", async () => {
      const [, other = ""] = await skuWith("WaitingForCleanup/Queued", "WaitingForCleanup/Queued");
      await pool.query("UPDATE host SET model = 'R660' WHERE id = $1", [other]);
      await world.backend.database.brake.create({
        data: {
          ...{ id: randomUUID(), siteId: world.siteId, dimension: "model", value: "Dell Inc. R660" },
          ...{ failed: 10, started: 22, message: "R660 failed.", decidedAt: new Date() },
          ...{ narrowedTo: [{ dimension: "driveFirmware", value: "X" }], narrowedAt: new Date() },
        },
      });
      expect(await brakeFailing(pool, thrown)).toHaveLength(1);
      const { asks } = await world.backend.database.brake.findFirstOrThrow({
        where: { value: "Dell Inc. R750" },
      });
      expect(asks).toEqual([]);
    });

    it("asks when it holds its whole group again, because a person decided about a part only", async () => {
      const [, ready = ""] = await skuWith("WaitingForCleanup/Queued", "WaitingForCleanup/Queued");
      await putInReady(world.backend.database, ready);
      await brakeFailing(pool, thrown);
      const { database } = world.backend;
      const { id, engagedAt } = await database.brake.findFirstOrThrow();
      await pool.query(
        "UPDATE reclamation SET devices = $1 WHERE id = ANY(SELECT unnest(failures) FROM brake)",
        [JSON.stringify({ expected: [{ serial: "S", model: "PM9A3", firmware: "X" }] })],
      );
      const narrowed = await narrowBrake(world.backend, world.actor("operator"), world.request(), {
        brakeId: id,
        to: [{ dimension: "driveFirmware", value: "PM9A3 X" }],
        seen: { engagedAt, narrowedTo: null },
        reason: "only X fails",
      });
      expect(narrowed).toMatchObject({ ok: true });
      await pool.query("UPDATE brake SET narrowed_at = now() - interval '1 minute'");
      await pool.query(
        "UPDATE host_run SET state = 'Assigned/Ready', allocatable = false WHERE host_id = $1",
        [ready],
      );
      expect(await brakeFailing(pool, thrown)).toEqual([]);
      expect(await first()).toMatchObject({ asks: [], narrowedTo: [{ value: "PM9A3 X" }] });
      await many(10, { state: "Manageable", model: "R660" });
      await failing(12, "R750");
      expect(await brakeFailing(pool, thrown)).toHaveLength(1);
      expect(await first()).toMatchObject({ asks: ["gpu"], narrowedTo: null });
    });

    it("is on where another host of the SKU is not of its group", async () => {
      const [, other = ""] = await skuWith("WaitingForCleanup/Queued", "Assigned/Ready");
      await pool.query("UPDATE host SET model = 'R660' WHERE id = $1", [other]);
      expect(await brakeFailing(pool, thrown)).toHaveLength(1);
      expect(await first()).toMatchObject({ asks: [] });
    });
  });

  it("goes on at the other sites where one fails", async () => {
    await failing(1, "R650");
    const { rows } = await pool.query<{ id: string }>("SELECT id::text FROM host WHERE model = 'R650'");
    await unreadSite(rows.map(({ id }) => id));
    await failing(10, "R750");
    const failed = vi.fn();
    expect(await brakeFailing(pool, failed)).toEqual([
      "10 of 10 hosts with model Dell Inc. R750 failed. Of the other 2 hosts of the site, 0 have model Dell Inc. R750.",
    ]);
    expect(failed).toHaveBeenCalledOnce();
  });

  it("stays off for a model that every host of the site has", async () => {
    await pool.query("UPDATE host SET model = 'R750'");
    await failing(12, "R750");
    expect(await brakeFailing(pool, thrown)).toEqual([]);
  });

  it("counts a drive once that failed in several hosts", async () => {
    await failing(10, "R750");
    await pool.query(
      "INSERT INTO device_result (reclamation_id, host_id, step_run_id, attempt, plan_epoch, serial, model, media, standard, level, technique_table, verdict, reason, report) SELECT reclamation_id, host_id, gen_random_uuid(), 1, 1, 'S1', 'PM9A3', 'nvme', 'x', 'purge', 1, 'failed', 'it was refused', '{}' FROM (SELECT * FROM host_run WHERE state LIKE 'Failed/%' LIMIT 2) r",
    );
    expect(await brakeFailing(pool, thrown)).toEqual([]);
  });

  it("stays off below ten hosts, and for what people aborted", async () => {
    await failing(9, "R750");
    await failing(12, "R760", "aborted by Ola");
    expect(await brakeFailing(pool, thrown)).toEqual([]);
  });

  it("is lifted by a person, once; what failed before does not put it on again, and waiting hosts look again", async () => {
    await failing(10, "R750");
    await brakeFailing(pool, thrown);
    const waiting = await host();
    const [brake] = await world.backend.database.brake.findMany();
    const input = { brakeId: brake?.id ?? "", reason: "repaired" };
    expect((await liftBrake(world.backend, world.actor("auditor"), world.request(), input)).ok).toBe(false);
    expect(await liftBrake(world.backend, world.actor("operator"), world.request(), input)).toEqual({
      ok: true,
      value: { lifted: true, hosts: 1 },
    });
    expect((await pool.query("SELECT kind FROM signal WHERE host_id = $1", [waiting])).rows).toEqual([
      { kind: "look" },
    ]);
    expect((await liftBrake(world.backend, world.actor("operator"), world.request(), input)).ok).toBe(false);
    expect(await brakeFailing(pool, thrown)).toEqual([]);
    expect(
      await world.backend.database.auditEvent.count({
        where: { action: "brake.lift", outcome: "done", targetId: brake?.id ?? "" },
      }),
    ).toBe(1);
  });
});
