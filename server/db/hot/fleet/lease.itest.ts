// Leases of controllers that stop or die: while a request is in progress, nobody else gets the host.
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { beforeEach, describe, expect, it } from "vitest";
import { claimHosts } from "@/server/db/hot/host/claim";
import { permitEffects, settleEffects } from "@/server/db/hot/hardware/effects";
import {
  announceController,
  releaseAll,
  settleAbandoned,
  sweepLeases,
  takeOverDead,
} from "@/server/db/hot/fleet/lease";
import { fileDatabase } from "@/server/db/testing/file-database";
import { until } from "@/server/testing/until";
import { addSite } from "@/server/db/testing/rows";

let pool: Pool;
const siteId = randomUUID();
const mine = randomUUID();

fileDatabase(4, async (started) => {
  pool = started;
  await addSite(pool, siteId);
});
beforeEach(async () => {
  await pool.query("DELETE FROM effect");
  await pool.query("DELETE FROM host");
  await pool.query("DELETE FROM controller");
  await pool.query(
    "INSERT INTO controller (id, name, pid, started_at) VALUES ($1, 'mine', 1, now() - interval '1 hour')",
    [mine],
  );
});

interface Leased {
  readonly hostId: string;
  readonly effectId: string;
}

/** A host leased for ten minutes, with an effect; `holdMs`: the effect is permitted for this long. */
async function leased(holdMs: number | null, heldMs?: number): Promise<Leased> {
  const [hostId, effectId] = [randomUUID(), randomUUID()];
  await pool.query(
    "INSERT INTO host (id, name, site_id, hardware_type, serial, bmc_address, bmc_username, bmc_password, network_interfaces) VALUES ($1::uuid, $1::text, $2, 'redfish', $1::text, $1::text, 'u', '', '{p0}')",
    [hostId, siteId],
  );
  await pool.query(
    "INSERT INTO host_run (host_id, site_id, name, state, generation, lease_owner, lease_until) VALUES ($1, $2, 'h', 'Enroll', 3, $3, now() + interval '10 minutes')",
    [hostId, siteId, mine],
  );
  await pool.query(
    "INSERT INTO effect (id, host_id, generation, kind, request, request_hash) VALUES ($1, $2, 3, 'network', '{}', '')",
    [effectId, hostId],
  );
  if (holdMs !== null)
    await permitEffects(pool, mine, [
      {
        hostId,
        generation: "3",
        effectId,
        holdMs,
        ...(heldMs === undefined ? {} : { heldMs }),
        power: false,
        phase: "put",
        bootEpoch: null,
        resetMark: null,
      },
    ]);
  return { hostId, effectId };
}

const claimed = async (): Promise<readonly string[]> =>
  (await claimHosts(pool, randomUUID(), 10, 60_000)).map((claim) =>
    claim.ok ? claim.view.run.hostId : claim.hostId,
  );
/** Lets a minute pass for this host. Its lease must end exactly when its permit does. */
async function passPermit({ hostId, effectId }: Leased): Promise<void> {
  const {
    rows: [lease],
  } = await pool.query<{ same: boolean }>(
    "SELECT r.lease_until = e.held_until AS same FROM host_run r JOIN effect e ON e.host_id = r.host_id WHERE e.id = $1",
    [effectId],
  );
  expect(lease).toEqual({ same: true });
  await pool.query(
    "UPDATE effect SET held_until = held_until - interval '1 min', permit_at = permit_at - interval '1 min' WHERE id = $1",
    [effectId],
  );
  await pool.query("UPDATE host_run SET lease_until = lease_until - interval '1 min' WHERE host_id = $1", [
    hostId,
  ]);
}
const done = ({ hostId, effectId }: Leased) => ({
  hostId,
  generation: "3",
  effectId,
  status: "done" as const,
  value: null,
  error: null,
  last: true,
  quietMs: 0,
});

it("has a host that becomes due now due at once, not when the millisecond is over", async () => {
  const { hostId } = await leased(null);
  for (let round = 0; round < 30; round += 1)
    expect(
      (
        await pool.query(
          "WITH woken AS (UPDATE host_run SET due_at = now() WHERE host_id = $1 RETURNING due_at) SELECT due_at <= now() AS due FROM woken",
          [hostId],
        )
      ).rows,
    ).toEqual([{ due: true }]);
});

describe.each([
  ["stops", () => releaseAll(pool, mine)],
  ["dies", () => takeOverDead(pool)],
] as const)("a controller that %s", (_how, free) => {
  it("hands a host over at once when nothing was sent, and one with a request under way when its permit is over", async () => {
    const idle = await leased(null);
    const busy = await leased(60_000);
    expect(await free()).toBe(1);
    expect(await claimed()).toEqual([idle.hostId]);
    await free();
    await sweepLeases(pool);
    expect(await claimed()).toEqual([]);
    await passPermit(busy);
    expect(await claimed()).toEqual([busy.hostId]);
  });

  it("keeps a host only until its request's own time limit, though the lease lasts longer", async () => {
    const busy = await leased(60_000, 30_000);
    expect(await free()).toBe(0);
    const { rows } = await pool.query<{ ms: number }>(
      "SELECT extract(epoch FROM lease_until - now())::float8 * 1000 AS ms FROM host_run WHERE host_id = $1",
      [busy.hostId],
    );
    expect(rows[0]?.ms).toBeLessThanOrEqual(30_000);
    await passPermit(busy);
    expect(await claimed()).toEqual([busy.hostId]);
  });

  it("hands over a host at once whose process only reads what a request has done", async () => {
    const reading = await leased(60_000, 0);
    expect(await free()).toBe(1);
    expect(await claimed()).toEqual([reading.hostId]);
  });

  it("still stores the answer that comes meanwhile, which frees the host", async () => {
    const busy = await leased(60_000);
    expect(await free()).toBe(0);
    expect(await settleEffects(pool, mine, [done(busy)])).toBe(1);
    expect(await claimed()).toEqual([busy.hostId]);
  });

  it("hands over a host whose requests have all been answered", async () => {
    const answered = await leased(60_000);
    await settleEffects(pool, mine, [{ ...done(answered), last: false }]);
    expect(await free()).toBe(1);
    expect(await claimed()).toEqual([answered.hostId]);
  });
});

it("is not freed by a look that began before its request was permitted", async () => {
  const busy = await leased(null);
  const other = await pool.connect();
  other.on("error", () => undefined);
  await other.query("BEGIN");
  await permitEffects(other, mine, [
    {
      ...busy,
      generation: "3",
      holdMs: 60_000,
      power: false,
      phase: "put",
      bootEpoch: null,
      resetMark: null,
    },
  ]);
  const freed = takeOverDead(pool);
  await until(
    "the take-over to wait for the permit",
    30_000,
    async () =>
      (
        await pool.query(
          "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%dead%'",
        )
      ).rows.length > 0,
  );
  await other.query("COMMIT");
  other.release();
  expect(await freed).toBe(0);
  expect(await claimed()).toEqual([]);
});

it("takes nothing from a controller that lives", async () => {
  await pool.query("DELETE FROM controller");
  const session = await pool.connect();
  session.on("error", () => undefined);
  await announceController(session, { id: mine, name: "mine", pid: 1 });
  await leased(null);
  expect(await takeOverDead(pool)).toBe(0);
  session.release(true);
});

it("settles what an ended process left open once a later claim has the host, and never what is under way", async () => {
  const { hostId, effectId } = await leased(60_000, 0);
  const effect = async () =>
    (
      await pool.query("SELECT status, settled_at IS NOT NULL AS settled FROM effect WHERE id = $1", [
        effectId,
      ])
    ).rows[0];
  expect(await settleAbandoned(pool)).toBe(0);
  expect(await effect()).toEqual({ status: "permitted", settled: false });
  await takeOverDead(pool);
  expect(await claimed()).toEqual([hostId]);
  expect(await settleAbandoned(pool)).toBe(1);
  expect(await effect()).toEqual({ status: "unknown", settled: true });
  expect(await settleEffects(pool, mine, [done({ hostId, effectId })])).toBe(0);
});
