// A database whose disk is full: work waits, the process says so once, and everything resumes by itself when there is room again.
import type { Pool } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { quietController } from "@/server/controller/system/testing/quiet-controller";
import { outageOf } from "@/server/db/outage";
import { createHotPool } from "@/server/db/hot/pool";
import { signalHosts } from "@/server/db/hot/signal";
import type { HardwareType, SystemReading } from "@/server/hardware/interfaces";
import { until } from "@/server/testing/until";
import { enrollHosts } from "@/server/usecases/hosts/acts/enroll-hosts";
import { createWorld, hostToEnroll, type World } from "@/server/usecases/testing/world";
import { bareInventory } from "@/server/controller/system/testing/bare-inventory";
import { links } from "@/server/controller/system/testing/links";

const limitMs = 180_000;
let world: World;
let pool: Pool;
beforeAll(async () => {
  world = await createWorld();
  pool = createHotPool(world.url, { max: 10 });
  await pool.query(
    "CREATE SEQUENCE refusals; CREATE FUNCTION disk_is_full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM nextval('refusals'); RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$",
  );
});
afterAll(async () => {
  await pool.end();
  await world.stop();
});

const tables = ["host_run", "effect", "signal", "state_history", "feed", "host_inventory"];
const fill = () =>
  pool.query(
    tables
      .map(
        (table) =>
          `CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON ${table} EXECUTE FUNCTION disk_is_full();`,
      )
      .join(""),
  );
/** How often the disk was full so far: a sequence survives the transaction that is rolled back. */
const refusals = async (): Promise<number> =>
  (await pool.query<{ count: number }>("SELECT last_value::int AS count FROM refusals")).rows[0]?.count ?? 0;
const free = () =>
  pool.query(tables.map((table) => `DROP TRIGGER IF EXISTS full_disk ON ${table};`).join(""));

it("keeps what hardware answered, blames no host, says it once, and goes on", async () => {
  const hostId = await world.host();
  const { serial, systemUuid } = await world.backend.database.host.findUniqueOrThrow({
    where: { id: hostId },
  });
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let discoveries = 0;
  const system: SystemReading = {
    power: "on",
    bootOverride: { source: "none", enabled: false },
    manufacturer: "Test",
    model: "T1",
    resetMark: null,
    serial: serial ?? "",
    uuid: systemUuid ?? "",
  };
  const type: HardwareType = {
    name: "redfish",
    power: {
      read: async () => ({ ok: true, value: system }),
      reset: async () => ({ ok: true, value: system }),
      restart: async () => ({ ok: true, value: { system, proof: "powerOff" } }),
    },
    management: { setBootOnce: async () => ({ ok: true, value: system }) },
    inventory: {
      discover: async () => {
        discoveries += 1;
        if (discoveries === 1) await answered;
        return { ok: true, value: { links, system } };
      },
      ...bareInventory(() => Promise.resolve(system)),
    },
    steps: new Map(),
  };
  const errors: string[] = [];
  const controller = quietController(world, pool, {
    name: "full",
    hardware: new Map([["redfish", type]]),
    observer: { error: (message) => void errors.push(message) },
  });
  await controller.start();
  try {
    await signalHosts(pool, [
      { hostId, kind: "manage", payload: { by: { personId: null, name: "test", requestId: "r" } } },
    ]);
    controller.wake();
    await until("the BMC to be asked", limitMs, () => Promise.resolve(discoveries === 1));
    await fill();
    answer();
    await until("the process to say that it waits", limitMs, () =>
      Promise.resolve(controller.outage !== null),
    );
    expect(controller.outage).toMatch(/disk is full/);
    const refused = await enrollHosts(world.backend, world.actor("provider-admin"), world.request(), {
      siteId: world.siteId,
      hosts: [hostToEnroll("another")],
    }).catch((error: unknown) => error);
    expect(outageOf(refused)).toMatch(/disk is full/);
    const before = await refusals();
    await until("four more tries to be refused", limitMs, async () => (await refusals()) >= before + 4);
    expect(errors).toEqual([expect.stringMatching(/work waits until the database takes it: .*disk is full/)]);
    await free();
    await until("the host to go on", limitMs, async () => {
      const { rows } = await pool.query<{ state: string; last_error: string | null; open: number }>(
        "SELECT state, last_error, (SELECT count(*)::int FROM effect e WHERE e.host_id = r.host_id AND e.settled_at IS NULL) AS open FROM host_run r WHERE host_id = $1",
        [hostId],
      );
      return (
        (rows[0]?.state === "Manageable" && rows[0].last_error === null && rows[0].open === 0) ||
        JSON.stringify(rows)
      );
    });
    await until("the outage to be over", limitMs, () => Promise.resolve(controller.outage === null));
  } finally {
    await free();
    await controller.stop();
  }
});
