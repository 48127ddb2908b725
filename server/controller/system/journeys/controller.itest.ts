// One controller on a real database with hardware made for the test: a bad host or BMC stops no other, and no wake-up is lost.
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Controller } from "@/server/controller/loop/controller";
import { quietController } from "@/server/controller/system/testing/quiet-controller";
import { createHotPool } from "@/server/db/hot/pool";
import { notifyWake, signalHosts } from "@/server/db/hot/signal";
import type { CallOptions, HardwareError, HardwareType, SystemReading } from "@/server/hardware/interfaces";
import { until } from "@/server/testing/until";
import { createWorld, type World } from "@/server/usecases/testing/world";
import { bareInventory } from "@/server/controller/system/testing/bare-inventory";
import { addLaterHosts } from "@/server/controller/system/testing/later-hosts";
import { links } from "@/server/controller/system/testing/links";

const by = { personId: null, name: "test", requestId: "r" };
/** More than a busy machine may need; what is waited for comes in milliseconds or never. */
const limitMs = 180_000;

let world: World;
let pool: Pool;
let controllers: Controller[] = [];
beforeAll(async () => {
  world = await createWorld();
  pool = createHotPool(world.url, { max: 20 });
});
afterAll(async () => {
  await pool.end();
  await world.stop();
});
beforeEach(() => {
  controllers = [];
});
afterEach(async () => {
  for (const controller of controllers) await controller.stop();
  await pool.query("TRUNCATE host CASCADE");
});

const reading = {
  power: "on",
  bootOverride: { source: "none", enabled: false },
  manufacturer: "Test",
  model: "T1",
  resetMark: null,
} as const;

/** A BMC with scripted answers; `hold` delays those of some hosts. */
function hardware(of: {
  readonly model?: (hostId: string) => string;
  readonly hold?: (hostId: string) => Promise<void>;
  readonly discovers?: (options: CallOptions) => HardwareError | null;
}): ReadonlyMap<string, HardwareType> {
  const system = async (hostId: string): Promise<SystemReading> => {
    await of.hold?.(hostId);
    const { serial, systemUuid } = await world.backend.database.host.findUniqueOrThrow({
      where: { id: hostId },
    });
    if (serial === null || systemUuid === null) throw new Error(`host ${hostId} has no identity`);
    return { ...reading, serial, uuid: systemUuid, model: of.model?.(hostId) ?? reading.model };
  };
  const type: HardwareType = {
    name: "redfish",
    power: {
      read: async ({ hostId }) => ({ ok: true, value: await system(hostId) }),
      reset: async ({ hostId }) => ({ ok: true, value: await system(hostId) }),
      restart: async ({ hostId }) => ({
        ok: true,
        value: { system: await system(hostId), proof: "powerOff" },
      }),
    },
    management: { setBootOnce: async ({ hostId }) => ({ ok: true, value: await system(hostId) }) },
    inventory: {
      discover: async ({ hostId }, options) => {
        const error = of.discovers?.(options) ?? null;
        return error === null
          ? { ok: true, value: { links, system: await system(hostId) } }
          : { ok: false, error };
      },
      ...bareInventory(system),
    },
    steps: new Map(),
  };
  return new Map([["redfish", type]]);
}

/** Without a sweep, so that a host whose wake-up is lost stays asleep. */
async function start(on: Pool, types = hardware({}), leaseMs = 60_000): Promise<Controller> {
  const controller = quietController(world, on, { hardware: types, leaseMs });
  controllers.push(controller);
  await controller.start();
  return controller;
}

interface Statement {
  readonly name?: string;
  readonly values?: readonly unknown[];
}

/** The pool, with something that happens right before each statement. */
function between(happens: (statement: Statement) => Promise<void>): Pool {
  return new Proxy(pool, {
    get: (target, key) =>
      key === "query"
        ? async (statement: Statement) => {
            await happens(statement);
            return Reflect.apply(target.query, target, [statement]);
          }
        : Reflect.get(target, key, target),
  });
}

async function ask(kind: "manage" | "provide", hostIds: readonly string[]): Promise<void> {
  await signalHosts(
    pool,
    hostIds.map((hostId) => ({ hostId, kind, payload: { by } })),
  );
  await notifyWake(pool);
}

async function stateOf(
  hostId: string,
): Promise<{ state: string; last_error: string | null; signals: number }> {
  const { rows } = await pool.query(
    "SELECT state, last_error, (SELECT count(*)::int FROM signal g WHERE g.host_id = r.host_id) AS signals FROM host_run r WHERE host_id = $1",
    [hostId],
  );
  return rows[0];
}

const reaches = (hostIds: readonly string[], state: string) =>
  until(`${hostIds.length} hosts in ${state}`, limitMs, async () => {
    const found = await Promise.all(hostIds.map(stateOf));
    return found.every((row) => row.state === state) || JSON.stringify(found);
  });

describe("one bad host among others", () => {
  it("whose context is not understood says so, and the others go on", async () => {
    const [bad, ...others] = [await world.host(), await world.host(), await world.host()];
    await pool.query(`UPDATE host_run SET context = '{"boot": 7}' WHERE host_id = $1`, [bad]);
    await start(pool);
    await ask("manage", [bad, ...others]);
    await reaches(others, "Manageable");
    await until(
      "the bad host to say why",
      limitMs,
      async () =>
        (await stateOf(bad)).last_error?.startsWith("this version cannot read the host's record") === true,
    );
    expect((await stateOf(bad)).state).toBe("Enroll");
    await pool.query("UPDATE host_run SET context = '{}', due_at = now() WHERE host_id = $1", [bad]);
    await notifyWake(pool);
    await reaches([bad], "Manageable");
  });

  it("whose reclamation's policy is not understood stops no other", async () => {
    const [bad, ...others] = [await world.host(), await world.host()];
    await pool.query(
      `INSERT INTO reclamation (id, host_id, host_serial, kind, policy_version, policy) VALUES ($1, $2, 's', 'onboarding', 1, '{"automatedClean": "perhaps"}')`,
      [randomUUID(), bad],
    );
    await start(pool);
    await ask("manage", [bad, ...others]);
    await reaches(others, "Manageable");
    expect((await stateOf(bad)).last_error).toMatch(/cannot read/);
  });

  it("whose progress names a time that no calendar has stops no other", async () => {
    const [bad, ...others] = [await world.host(), await world.host()];
    const [reclamation, run] = [randomUUID(), randomUUID()];
    await pool.query(
      "INSERT INTO reclamation (id, host_id, host_serial, kind, policy_version, policy, plan_epoch) SELECT $1, $2, 's', 'onboarding', 1, body, 1 FROM site_policy WHERE site_id = $3",
      [reclamation, bad, world.siteId],
    );
    await pool.query(
      `INSERT INTO step_run (id, reclamation_id, host_id, plan_epoch, position, interface, step, "where", priority, priority_source, proves, status, attempt, max_attempts)
       VALUES ($1, $2, $3, 1, 1, 'deploy', 'erase_nvme', 'agent', 90, 'default', '{storageSanitized}', 'running', 1, 2)`,
      [run, reclamation, bad],
    );
    await pool.query(
      `INSERT INTO step_attempt (step_run_id, attempt, boot_epoch, progress) VALUES ($1, 1, 1, '{"devices": [{"serial": "a", "expectedEndAt": "0000-01-01T00:00:00Z"}]}')`,
      [run],
    );
    await start(pool);
    await ask("manage", [bad, ...others]);
    await reaches(others, "Manageable");
  });

  it("whose BMC says a character that the database does not take goes on with another in its place", async () => {
    const [bad, ...others] = [await world.host(), await world.host()];
    await start(pool, hardware({ model: (hostId) => (hostId === bad ? "T\u0000\ud8001" : "T1") }));
    await ask("manage", [bad, ...others]);
    await reaches([bad, ...others], "Manageable");
    expect(
      await world.backend.database.host.findUnique({ where: { id: bad }, select: { model: true } }),
    ).toEqual({ model: "T\uFFFD\uFFFD1" });
  });

  it("whose outcome of an effect the database refuses fails alone", async () => {
    const [bad, ...others] = [await world.host(), await world.host()];
    await start(
      between(async ({ name, values }) => {
        const text = String(values?.[1]);
        if (name === "effect_settle" && text.includes(bad) && text.includes('"status":"done"'))
          await pool.query("SELECT 1/0");
      }),
    );
    await ask("manage", [bad, ...others]);
    await reaches(others, "Manageable");
    await until("the bad host to be back", limitMs, async () => (await stateOf(bad)).last_error !== null);
    // It is read again: an answer that could not be stored says nothing about the host.
    expect(await stateOf(bad)).toMatchObject({
      state: "Verifying",
      last_error: expect.stringMatching(/cannot be stored: division by zero/),
    });
  });
});

describe("a credential that the BMC refused", () => {
  it("is tried once more each time that a person asks", async () => {
    const hostId = await world.host();
    const tried: (boolean | undefined)[] = [];
    await start(
      pool,
      hardware({
        discovers: ({ retryCredential }) => {
          tried.push(retryCredential);
          return tried.length < 3
            ? { kind: "refused", message: "the credential is wrong", unknownOutcome: false }
            : null;
        },
      }),
    );
    for (const times of [1, 2]) {
      await ask("manage", [hostId]);
      await until("the BMC to have refused it", limitMs, async () => {
        const { state, last_error } = await stateOf(hostId);
        return (
          (tried.length === times && state === "Enroll" && last_error === "the credential is wrong") ||
          `${state}, tried ${tried.length} times`
        );
      });
    }
    await ask("manage", [hostId]);
    await reaches([hostId], "Manageable");
    expect(tried).toEqual([true, true, true]);
  });
});

describe("wake-ups", () => {
  it("come again when a signal arrives while the handler of its host runs", async () => {
    const hostId = await world.host();
    let sent = 0;
    // The second signal is written between claim and commit of the first decision in Manageable.
    await start(
      between(async ({ name, values }) => {
        if (name !== "commit_hosts" || sent > 0 || !String(values?.[1]).includes('"state":"Manageable"'))
          return;
        sent += 1;
        await signalHosts(pool, [{ hostId, kind: "provide", payload: { by } }]);
      }),
    );
    await ask("manage", [hostId]);
    await until("the second signal to be handled", limitMs, async () => {
      const { state, signals } = await stateOf(hostId);
      return (state.startsWith("WaitingForCleanup/") && signals === 0) || `${state}, ${signals} signals`;
    });
    expect(sent).toBe(1);
  });

  it("come again when a signal arrives while an effect of its host is under way", async () => {
    const hostId = await world.host();
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await start(pool, hardware({ hold: () => held }));
    await ask("manage", [hostId]);
    await reaches([hostId], "Verifying");
    await signalHosts(pool, [{ hostId, kind: "forceDelete", payload: { by } }]);
    await notifyWake(pool);
    expect((await stateOf(hostId)).state).toBe("Verifying");
    answer();
    await until(
      "the host to be deleted",
      limitMs,
      async () => (await pool.query("SELECT 1 FROM host_run WHERE host_id = $1", [hostId])).rowCount === 0,
    );
  });

  it("are not late while another host's BMC hangs and a thousand hosts are due later", async () => {
    await addLaterHosts(pool, world.siteId, 1_000);
    const [hanging, ...others] = [await world.host(), await world.host(), await world.host()];
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await start(pool, hardware({ hold: (hostId) => (hostId === hanging ? held : Promise.resolve()) }));
    await ask("manage", [hanging]);
    await reaches([hanging], "Verifying");
    await ask("provide", [hanging]); // a wake-up that has to wait
    for (const hostId of others) {
      await ask("manage", [hostId]);
      await until(
        "the handler of another host",
        limitMs,
        async () => (await stateOf(hostId)).state !== "Enroll",
      );
    }
    expect((await stateOf(hanging)).state).toBe("Verifying");
    answer();
    await until("the wake-up that waited", limitMs, async () => (await stateOf(hanging)).signals === 0);
  });
});

describe("an effect of many requests", () => {
  it("keeps its lease for longer than one lease lasts, and is performed once", async () => {
    const hostId = await world.host();
    let reads = 0;
    const leaseMs = 4_000;
    await start(
      pool,
      hardware({
        hold: async () => {
          reads += 1;
          await new Promise((resolve) => setTimeout(resolve, leaseMs * 0.6));
        },
      }),
      leaseMs,
    );
    await start(
      pool,
      hardware({
        hold: async () => {
          reads += 1;
        },
      }),
      leaseMs,
    );
    await ask("manage", [hostId]);
    await reaches([hostId], "Manageable");
    expect(reads).toBeLessThanOrEqual(2);
  });
});

describe("what another process has left", () => {
  it("is looked at when its time comes, without any wake-up", async () => {
    const hostId = await world.host();
    await start(pool);
    await pool.query("UPDATE host_run SET due_at = now() + interval '1 s' WHERE host_id = $1", [hostId]);
    await until(
      "the host to be looked at",
      limitMs,
      async () =>
        (
          await pool.query(
            "SELECT 1 FROM host_run WHERE host_id = $1 AND generation > 0 AND due_at IS NULL",
            [hostId],
          )
        ).rowCount === 1,
    );
  });
});

describe("the session that says a controller lives", () => {
  it("is made anew when it is cut, and work goes on", async () => {
    const controller = await start(pool);
    const cut = async () =>
      (
        await pool.query(
          "SELECT pg_terminate_backend(l.pid) FROM controller c JOIN pg_locks l ON l.locktype = 'advisory' AND l.objid = c.lock_key::int::oid WHERE c.id = $1 AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())",
          [controller.id],
        )
      ).rowCount;
    for (let times = 0; times < 3; times += 1) {
      await until("the session to be there", limitMs, async () => (await cut()) === 1);
      const hostId = await world.host();
      await ask("manage", [hostId]);
      await reaches([hostId], "Manageable");
    }
    expect(pool.totalCount).toBeLessThan(20);
  });

  it("ends with the controller, and another takes its hosts over", async () => {
    const hostId = await world.host();
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const first = await start(pool, hardware({ hold: () => held }));
    await ask("manage", [hostId]);
    await reaches([hostId], "Verifying");
    const second = await start(pool);
    await first.stop();
    await reaches([hostId], "Manageable");
    answer();
    expect(second.id).not.toBe(first.id);
  });
});
