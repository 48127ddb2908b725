// A controller whose connections are cut again and again ends up with exactly one session and keeps working.
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { quietController } from "@/server/controller/system/testing/quiet-controller";
import { admitHosts } from "@/server/db/hot/fleet/admission";
import { createHotPool } from "@/server/db/hot/pool";
import { Balancer } from "@/server/testing/balancer";
import { until } from "@/server/testing/until";
import { createWorld, type World } from "@/server/usecases/testing/world";

const application = `cut-${randomUUID()}`;
const limitMs = 180_000;

let world: World;
let pool: Pool;
let others: Pool;
let proxy: Balancer;
let databasePort: number;
beforeAll(async () => {
  world = await createWorld();
  const url = new URL(world.url);
  databasePort = Number(url.port);
  proxy = new Balancer([databasePort]);
  url.port = String(await proxy.listen());
  pool = createHotPool(url.href, { max: 5, applicationName: application });
  others = createHotPool(world.url, { max: 2, applicationName: "the test's own" });
});
afterAll(async () => {
  await pool.end();
  await others.end();
  await proxy.close();
  await world.stop();
});

/** As PostgreSQL does in a fast shutdown: it sends an error, then closes. */
const terminate = () =>
  others.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1", [
    application,
  ]);
/** As a load balancer or a network does: silently. */
function cut(): void {
  proxy.takeOut(databasePort);
  proxy.putIn(databasePort);
}
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Sessions of controllers: connections that hold a controller's lock. */
async function sessions(): Promise<number> {
  const { rows } = await others.query<{ held: number }>(
    `SELECT count(DISTINCT l.pid)::int AS held FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
     WHERE l.locktype = 'advisory' AND l.classid = 7237142 AND a.application_name = $1`,
    [application],
  );
  return rows[0]?.held ?? 0;
}

it("holds one session after bursts of cuts, claims on, and gives its connections back", async () => {
  const lent = new Set<unknown>();
  pool.on("acquire", (client) => lent.add(client));
  pool.on("release", (_error, client) => lent.delete(client));
  const passes = { count: 0 };
  const controller = quietController(world, pool, {
    name: "cut",
    observer: {
      pass: () => {
        passes.count += 1;
      },
    },
  });
  await controller.start();
  try {
    for (let burst = 0; burst < 8; burst += 1) {
      // Long enough to hit the controller while it reopens its session, where one once became two.
      for (const until = performance.now() + 1_200; performance.now() < until;) {
        if (burst % 4 === 3) await terminate();
        else cut();
        await pause(Math.random() * 8);
      }
      await until("the controller to have a session again", limitMs, async () => (await sessions()) > 0);
    }
    await pause(2_500); // a session that was opened twice would be there by now
    expect(await sessions()).toBe(1);
    await until("only the session to be lent", limitMs, () =>
      Promise.resolve(lent.size === 1 || `${lent.size} connections are lent`),
    );
    const hostId = await world.host();
    await others.query("UPDATE host_run SET due_at = now() WHERE host_id = $1", [hostId]);
    controller.wake();
    await until("the host to be claimed", limitMs, () => Promise.resolve(passes.count > 0));
    // What /readyz reports is over with the work that goes on (docs/operations.md#monitoring).
    await until("the outage to be over", limitMs, () =>
      Promise.resolve(controller.outage === null || controller.outage),
    );
  } finally {
    await controller.stop();
  }
  await until("the session to be gone", limitMs, async () => (await sessions()) === 0);
  await until("every connection to be given back", limitMs, () => Promise.resolve(lent.size === 0));
});

it("survives a connection that is cut while hosts are admitted", async () => {
  const {
    rows: [site],
  } = await others.query<{ id: string }>("SELECT id::text FROM site LIMIT 1");
  if (site === undefined) throw new Error("no site");
  const holder = await others.connect();
  holder.on("error", () => undefined);
  await holder.query("BEGIN");
  await holder.query("SELECT pg_advisory_xact_lock(7237143, hashtext($1))", [site.id]);
  const admitted = admitHosts(pool, site.id, () => []);
  const failed = expect(admitted).rejects.toThrow(/terminat/);
  await until("the admission to wait for the site's lock", limitMs, async () => {
    const { rows } = await others.query<{ waits: number }>(
      "SELECT count(*)::int AS waits FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'",
      [application],
    );
    return rows[0]?.waits === 1;
  });
  await terminate();
  await failed;
  await holder.query("ROLLBACK");
  holder.release();
  // Idle connections were cut as well; the pool learns of each in its own time.
  await until("the pool to let go of what was cut", limitMs, () => Promise.resolve(pool.totalCount === 0));
  expect(await admitHosts(pool, site.id, () => [])).toBe(0);
});
