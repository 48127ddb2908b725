// Power readings outside of decisions: which controller reads, which hosts, and what is stored.
import { randomUUID } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import { beforeEach, expect, it } from "vitest";
import { announceController } from "@/server/db/hot/fleet/lease";
import { goneWithin } from "@/server/db/hot/fleet/gone-hosts";
import { effectTargets } from "@/server/db/hot/hardware/targets";
import { hostsToRead, storePowerReadings, unheldHosts } from "@/server/db/hot/fleet/power-readings";
import { fileDatabase } from "@/server/db/testing/file-database";
import { addSite } from "@/server/db/testing/rows";

let pool: Pool;
const siteId = randomUUID();

fileDatabase(4, async (started) => {
  pool = started;
  await addSite(pool, siteId);
  // The triggers guard what the controller writes row by row.
  await pool.query("ALTER TABLE host_run DISABLE TRIGGER USER");
});
beforeEach(async () => {
  await pool.query("DELETE FROM host");
  await pool.query("DELETE FROM controller");
});

async function session(): Promise<PoolClient> {
  const client = await pool.connect();
  client.on("error", () => undefined); // a pending query fails by itself
  return client;
}

interface Added {
  readonly type?: string;
  readonly links?: string | null;
  readonly state?: string;
  /** SQL for when its power was last read. */
  readonly readAt?: string;
  readonly leased?: boolean;
}

async function host({
  type = "redfish",
  links = "{}",
  state = "Ready",
  readAt = "NULL",
  leased,
}: Added = {}) {
  const hostId = randomUUID();
  await pool.query(
    `INSERT INTO host (id, name, site_id, hardware_type, serial, bmc_address, bmc_username, bmc_password, bmc_links, power_state, power_read_at, network_interfaces)
     VALUES ($1::uuid, $1::text, $2, $3, CASE WHEN $3 <> 'fake' THEN $1::text END, CASE WHEN $3 <> 'fake' THEN $1::text END, 'u', '', $4::jsonb, 'on', ${readAt}, '{p0}')`,
    [hostId, siteId, type, links],
  );
  await pool.query(
    `INSERT INTO host_run (host_id, site_id, name, state, lease_owner, lease_until) VALUES ($1, $2, 'h', $3, $4, ${leased === true ? "now() + interval '1 minute'" : "NULL"})`,
    [hostId, siteId, state, leased === true ? randomUUID() : null],
  );
  return hostId;
}
const powerOf = async (hostId: string) =>
  (await pool.query<{ power_state: string }>("SELECT power_state FROM host WHERE id = $1", [hostId])).rows[0]
    ?.power_state;

it("of several controllers the one that was announced first reads, and the next when its session has ended", async () => {
  const hostId = await host();
  const [first, second] = [randomUUID(), randomUUID()];
  const [one, two] = [await session(), await session()];
  try {
    expect(await hostsToRead(pool, first)).toEqual([]);
    await announceController(one, { id: first, name: "first", pid: 1 });
    await announceController(two, { id: second, name: "second", pid: 2 });
    expect(await hostsToRead(pool, first)).toEqual([hostId]);
    expect(await hostsToRead(pool, second)).toEqual([]);
    await one.query("SELECT pg_advisory_unlock_all()");
    expect(await hostsToRead(pool, first)).toEqual([]);
    expect(await hostsToRead(pool, second)).toEqual([hostId]);
  } finally {
    one.release(true);
    two.release(true);
  }
});

it("reads no host that is not known, and none without a machine; the longest unread first", async () => {
  const [recent, never] = [await host({ readAt: "now()" }), await host()];
  await host({ type: "fake" });
  await host({ links: null });
  await host({ state: "Verifying" });
  const mine = await session();
  try {
    const id = randomUUID();
    await announceController(mine, { id, name: "mine", pid: 1 });
    expect(await hostsToRead(pool, id)).toEqual([never, recent]);
  } finally {
    mine.release(true);
  }
});

it("asks none that a controller holds", async () => {
  const [free, held] = [await host(), await host({ leased: true })];
  expect(await unheldHosts(pool, [free, held])).toEqual([free]);
});

it("stores what was read, unless a decision has read it since or a controller holds the host", async () => {
  const [unread, old, newer, held] = [
    await host(),
    await host({ readAt: "now() - interval '1 minute'" }),
    await host({ readAt: "now() - interval '1 second'" }),
    await host({ leased: true }),
  ];
  const readings = [unread, old, newer, held].map((hostId) => ({ hostId, power: "off", agoMs: 5_000 }));
  expect([...(await storePowerReadings(pool, readings))].toSorted()).toEqual([unread, old].toSorted());
  expect(await powerOf(old)).toBe("off");
  expect(await powerOf(newer)).toBe("on");
  expect(await powerOf(held)).toBe("on");
});

it("a target names the other hosts at the address of its BMC, however it was written", async () => {
  const [one, two, other] = [await host(), await host(), await host()];
  const place = "UPDATE host SET bmc_address = $2, bmc_system = $3, bmc_username = $4 WHERE id = $1";
  await pool.query(place, [one, "https://bmc", "/s/1", "root"]);
  await pool.query(place, [two, "https://bmc/", "/s/2", "ops"]);
  // One of them was identified at its BMC; the other was only entered.
  await pool.query("UPDATE host SET serial = id::text, system_uuid = id, bmc_links = $2 WHERE id = $1", [
    one,
    { system: "/s/1" },
  ]);
  const targets = await effectTargets(pool, [one, two, other]);
  expect([one, two, other].map((hostId) => targets.get(hostId)?.neighbours)).toEqual([
    [{ name: two, username: "ops", verified: false }],
    [{ name: one, username: "root", verified: true }],
    [],
  ]);
  expect([targets.get(one)?.system_path, targets.get(other)?.system_path]).toEqual(["/s/1", null]);
});

it("hosts that were deleted lately are gone, and one that was made anew is not", async () => {
  const [one, two] = [await host(), await host()];
  await pool.query("DELETE FROM host WHERE id = ANY($1::uuid[])", [[one, two]]);
  const gone = async () => {
    const ids = await goneWithin(pool, 60_000);
    return [ids.has(one), ids.has(two)];
  };
  expect(await gone()).toEqual([true, true]);
  await pool.query("INSERT INTO host (id, name, site_id, hardware_type) VALUES ($1, 'anew', $2, 'redfish')", [
    two,
    siteId,
  ]);
  expect(await gone()).toEqual([true, false]);
  expect(await goneWithin(pool, 0)).toEqual(new Set());
});
